import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { inflateRawSync } from 'node:zlib';
import { z } from 'zod';
import {
  localEngine,
  matchedString,
  type RuleHit,
  ruleHit,
  type ScannedFile,
  scanPackage,
  type ScanResult,
  scanSide,
} from '../../../shared/domain/scan.ts';
import { tag } from '../../../shared/domain/tag.ts';
import { rowsOf } from '../database/statement.ts';
import { failureOf, readJson } from '../database/stored-json.ts';
import type { RowsAnswer, ScanPageRequest, TargetsAnswer } from '../reading/reading-thread.ts';
import type { KnownHits } from './known-hits.ts';
import { muteByRule, muteInForceRow, mutesOfSample } from './mute-store.ts';
import { files, ScanConditions } from './scan-conditions.ts';
import { otherFilesOf } from './scan-files.ts';

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

interface ScannedFilesOptions {
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
      // A service speaks of rules of its own, whatever those of this computer are called.
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

/** What a page holds, about: files may have many matches. */
const mostMatchesAPage = 50_000;

const foundRow = z.object({ position: z.number(), sha256: z.string() });
const matchingHitRow = z.object({ position: z.number(), rule: z.string() });

/** The next files that match, with those of their hits that match. */
export function readRows(
  sql: DatabaseSync,
  path: string,
  { request, now }: { request: ScanPageRequest; now: string },
): RowsAnswer {
  const { jobId, filter } = request;
  const conditions = new ScanConditions(sql, { jobId, now, filter });
  const found = foundBehind(sql, conditions, request);
  const meant = meantHits(sql, conditions, found);
  const reader = new ScannedFiles(sql, { path, jobId, now, withReplies: false, knownHits: null });
  const page: ScannedFile[] = [];
  for (let matches = 0; page.length < found.length && matches < mostMatchesAPage; matches += matchesOf(page.at(-1))) {
    const position = found[page.length]?.position ?? 0;
    const file = reader.read(position);
    if (file === null) break;
    page.push(onlyRules(file, meant.get(position) ?? new Set()));
  }
  return {
    files: page,
    next: nextOf(page.at(-1)?.position, page.length < found.length || found.length === request.limit),
  };
}

/** The SHA-256 of the next files that match. */
export function readTargets(
  sql: DatabaseSync,
  { request, now }: { request: ScanPageRequest; now: string },
): TargetsAnswer {
  const found = foundBehind(
    sql,
    new ScanConditions(sql, { jobId: request.jobId, now, filter: request.filter }),
    request,
  );
  return {
    sha256s: found.map(({ sha256 }) => sha256),
    next: nextOf(found.at(-1)?.position, found.length === request.limit),
  };
}

const foundBehind = (
  sql: DatabaseSync,
  { meansFile, parameters }: ScanConditions,
  { after, limit }: ScanPageRequest,
): z.infer<typeof foundRow>[] =>
  rowsOf(
    sql,
    foundRow,
    `SELECT item.position, item.hash AS sha256 FROM ${files} WHERE item.job_id = :job AND item.position > :after
      AND ${meansFile} ORDER BY item.position LIMIT :limit`,
    { ...parameters, after, limit },
  );

function meantHits(
  sql: DatabaseSync,
  conditions: ScanConditions,
  found: readonly { position: number }[],
): Map<number, Set<string>> {
  const [first, last] = [found[0]?.position ?? 0, found.at(-1)?.position ?? 0];
  const text = conditions.hits('hit.position, rule.rule', ' AND hit.position BETWEEN :first AND :last');
  const byPosition = new Map<number, Set<string>>();
  for (const { position, rule } of rowsOf(sql, matchingHitRow, text, { ...conditions.parameters, first, last })) {
    const rules = byPosition.get(position);
    if (rules) rules.add(rule);
    else byPosition.set(position, new Set([rule]));
  }
  return byPosition;
}

function onlyRules(file: ScannedFile, rules: ReadonlySet<string>): ScannedFile {
  const isMeant = (rule: string): boolean => rules.has(rule.toWellFormed());
  return {
    ...file,
    results: file.results.map((result) => ({ ...result, hits: result.hits.filter(({ rule }) => isMeant(rule)) })),
    muted: file.muted.filter(({ rule }) => isMeant(rule)),
    added: file.added.filter(isMeant),
    lost: file.lost.filter(isMeant),
  };
}

const matchesOf = (file: ScannedFile | undefined): number =>
  (file?.results ?? []).reduce(
    (sum, { hits }) =>
      sum + hits.reduce((ofHits, { strings }) => ofHits + strings.reduce((of, one) => of + one.matches.length, 1), 0),
    1,
  );

const nextOf = (last: number | undefined, mayBeMore: boolean): number | null => (mayBeMore ? (last ?? null) : null);

/** What a body of a result holds: see `StoredHit`. */
const storedHits = z.array(
  ruleHit
    .omit({ place: true })
    .partial()
    .extend({ rule: ruleHit.shape.rule, strings: z.array(matchedString) }),
);

const ruleFactsRow = z.object({
  tags: z.string(),
  meta: z.string(),
  family: z.string().nullable(),
  place: z.string().nullable(),
});

type RuleFacts = Pick<RuleHit, 'tags' | 'meta' | 'family' | 'place'>;
const noFacts: RuleFacts = { tags: [], meta: [], family: null, place: null };

/** The hits of a result, by name. `factsOf` has what a hit need not say itself. null: they cannot be read any more. */
function readHits(text: string, factsOf: (rule: string) => RuleFacts): RuleHit[] | null {
  const stored = storedHits.safeParse(readJson(text)).data;
  if (stored === undefined) return null;
  const hits = stored.map(({ rule, strings, namespace = null, ...own }): RuleHit => {
    const { tags, meta, family, place } = factsOf(rule.toWellFormed());
    return {
      rule,
      namespace,
      tags: own.tags ?? tags,
      meta: own.meta ?? meta,
      family: own.family ?? family,
      strings,
      place,
    };
  });
  return hits.toSorted((a, b) => (a.rule < b.rule ? -1 : Number(a.rule > b.rule)));
}

const ruleFactsOf = ({ tags, meta, family, place }: z.infer<typeof ruleFactsRow>): RuleFacts => ({
  tags: ruleHit.shape.tags.safeParse(readJson(tags)).data ?? [],
  meta: ruleHit.shape.meta.safeParse(readJson(meta)).data ?? [],
  family,
  place: place === null ? null : (ruleHit.shape.place.safeParse(readJson(place)).data ?? null),
});
