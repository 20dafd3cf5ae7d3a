import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { inflateRawSync } from 'node:zlib';
import { z } from 'zod';
import { localEngine, type ScannedFile, scanPackage, type ScanResult, scanSide } from '../../shared/domain/scan.ts';
import { tag } from '../../shared/domain/tag.ts';
import { otherFilesOf } from './scan-files.ts';
import type { KnownHits } from './known-hits.ts';
import { muteByRule, muteInForceRow, mutesOfSample } from './mutes-in-force.ts';
import { noFacts, readHits, type RuleFacts, ruleFactsOf, ruleFactsRow } from './stored-hits.ts';
import { failureOf, readJson } from './stored-json.ts';

const fileRow = z.object({
  position: z.number(),
  name: z.string().nullable(),
  md5: z.string().nullable(),
  sha256: z.string(),
  sizeBytes: z.number().nullable(),
  inVault: z.number(),
  workspaceId: z.string().nullable(),
  place: z.string().nullable(),
  also: z.string().nullable(),
});
const resultRow = z.object({
  side: scanSide,
  state: z.enum(['scanned', 'failed', 'not-understood']),
  engine: localEngine.nullable(),
  package: z.string().nullable(),
  elapsedMs: z.number(),
  isCut: z.number(),
  namesLeftOut: z.number(),
  failure: z.string().nullable(),
  withoutGlobal: z.string().nullable(),
  hits: z.string().nullable(),
  raw: z.instanceof(Uint8Array).nullable(),
});
const tagRow = z.object({ tag: z.string() });
const hitRow = z.object({ rule: z.string(), change: z.number() });

export interface ScannedFilesOptions {
  path: string;
  jobId: number;
  now: string;
  /** Replies of services are as long as all the rest. */
  withReplies: boolean;
  /** null: what is known besides is not asked for. */
  knownHits: KnownHits | null;
}

/** Reads what is known of files of a job, whole. */
export class ScannedFiles {
  readonly #options: ScannedFilesOptions;
  readonly #known = new Map<string, RuleFacts>();
  readonly #file: StatementSync;
  readonly #results: StatementSync;
  readonly #facts: StatementSync;
  readonly #hits: StatementSync;
  readonly #tags: StatementSync;
  readonly #mutes: StatementSync;

  constructor(sql: DatabaseSync, options: ScannedFilesOptions) {
    this.#options = options;
    this.#file = sql.prepare(
      `SELECT item.position, ifnull(file.name, item.name) AS name, coalesce(file.md5, item.md5, sample.md5) AS md5,
        item.hash AS sha256,
      coalesce(file.size_bytes, item.size_bytes, sample.size_bytes) AS sizeBytes, ifnull(sample.in_vault, 0) AS inVault,
        job.workspace_id AS workspaceId, file.place, file.also
      FROM job JOIN job_item AS item ON item.job_id = job.id LEFT JOIN scan_file AS file ON file.job_id = item.job_id
        AND file.position = item.position
      LEFT JOIN sample ON sample.sha256 = item.hash WHERE job.id = ? AND item.position = ?`,
    );
    const reply = options.withReplies
      ? `(SELECT reply FROM scan_raw AS raw WHERE raw.job_id = result.job_id AND raw.position = result.position
        AND raw.side = result.side)`
      : 'NULL';
    this.#results = sql.prepare(
      `SELECT result.side, state, engine, package, elapsed_ms AS elapsedMs, is_cut AS isCut,
        names_left_out AS namesLeftOut, failure, without_global AS withoutGlobal, hits, ${reply} AS raw
      FROM scan_result AS result LEFT JOIN scan_body AS body ON body.job_id = result.job_id
        AND body.position = result.position AND body.side = result.side
      WHERE result.job_id = ? AND result.position = ? ORDER BY result.side`,
    );
    this.#facts = sql.prepare('SELECT tags, meta, family, place FROM scan_rule WHERE job_id = ? AND rule = ?');
    this.#hits = sql.prepare(
      `SELECT rule, change FROM scan_hit AS hit JOIN scan_rule AS rule ON rule.id = hit.rule_id WHERE hit.job_id = ?
        AND hit.position = ? ORDER BY rule`,
    );
    this.#tags = sql.prepare('SELECT tag FROM sample_tag WHERE sha256 = ? ORDER BY tag');
    this.#mutes = sql.prepare(mutesOfSample);
  }

  /** null: the job has no such file. */
  read(position: number): ScannedFile | null {
    const { jobId, now, knownHits } = this.#options;
    const [row] = all(this.#file, fileRow, jobId, position);
    if (row === undefined) return null;
    const { workspaceId, inVault, place, also, ...file } = row;
    const hits = all(this.#hits, hitRow, jobId, position);
    const mutes = muteByRule(
      workspaceId === null ? [] : all(this.#mutes, muteInForceRow, workspaceId, file.sha256, now),
    );
    return {
      ...file,
      inVault: inVault === 1,
      tlp: null,
      paths: pathsOf(place, also),
      tags: all(this.#tags, tagRow, file.sha256).flatMap((one) => tag.safeParse(one.tag).data ?? []),
      results: this.#resultsOf(position),
      muted: hits.flatMap(({ rule }) => mutedAs(rule, mutes.get(rule))),
      added: hits.filter(({ change }) => change === 1).map(({ rule }) => rule),
      lost: hits.filter(({ change }) => change === -1).map(({ rule }) => rule),
      known:
        knownHits?.besides(
          hits.map(({ rule }) => rule),
          file,
          now,
        ) ?? null,
    };
  }

  #resultsOf(position: number): ScanResult[] {
    return all(this.#results, resultRow, this.#options.jobId, position).map(({ namesLeftOut, ...row }): ScanResult => {
      // A service speaks of rules of its own, whatever those of this desk are called.
      const hits =
        row.hits === null
          ? []
          : readHits(row.hits, row.side === 'local' ? (rule) => this.#factsOf(rule) : () => noFacts);
      const same = {
        ...row,
        ...(namesLeftOut > 0 && { namesLeftOut }),
        package: packageOf(row.package),
        isCut: row.isCut === 1,
        failure: failureOf(row.failure),
        withoutGlobal: namesOf(row.withoutGlobal),
        raw: row.raw && inflateRawSync(row.raw).toString(),
      };
      // Without its hits it must not look like one that found nothing.
      return hits === null
        ? {
            ...same,
            hits: [],
            state: 'failed',
            failure: { kind: 'data-damaged', path: this.#options.path, code: 'RESULT' },
          }
        : { ...same, hits };
    });
  }

  #factsOf(rule: string): RuleFacts {
    const known = this.#known.get(rule);
    if (known) return known;
    const [row] = all(this.#facts, ruleFactsRow, this.#options.jobId, rule);
    const facts = row ? ruleFactsOf(row) : noFacts;
    this.#known.set(rule, facts);
    return facts;
  }
}

const ownPlace = z.object({ kind: z.literal('in-place'), path: z.string() });

/** Files that were given once more with the same bytes are scanned as the first. */
function pathsOf(place: string | null, also: string | null): string[] {
  const own = place === null ? null : ownPlace.safeParse(readJson(place)).data;
  return [...new Set([own?.path ?? [], ...otherFilesOf(also).map(({ path }) => path ?? [])].flat())];
}

const names = z.array(z.string());
const namesOf = (text: string | null): string[] => (text === null ? [] : (names.safeParse(readJson(text)).data ?? []));

const packageOf = (text: string | null): ScanResult['package'] =>
  text === null ? null : (scanPackage.safeParse(readJson(text)).data ?? null);

const mutedAs = (rule: string, mute: { reason: string; expires: string | null } | undefined): ScannedFile['muted'] =>
  mute ? [{ rule, ...mute }] : [];

const all = <Row>(statement: StatementSync, row: z.ZodType<Row>, ...parameters: SQLInputValue[]): Row[] =>
  statement.all(...parameters).map((found) => row.parse(found));
