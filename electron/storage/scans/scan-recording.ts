import { Buffer } from 'node:buffer';
import { deflateRawSync } from 'node:zlib';
import { z } from 'zod';
import { currentInstant } from '../../../shared/domain/clock.ts';
import type { ScanSide } from '../../../shared/domain/scan.ts';
import { fail } from '../../../shared/failure.ts';
import type { Database } from '../database/database.ts';
import type { LossStep, SampleHits, SeenSample } from './sample-hits.ts';
import type { ScanNote, ScanPlace, ScanRuleFacts, StoredHit, StoredResult } from './scan-files.ts';

const jobRow = z.object({ workspaceId: z.string().nullable(), isHunt: z.number() });
const itemRow = z.object({ position: z.number() });
const sampleRow = z.object({ sha256: z.string() });

interface ScanJob {
  workspaceId: string | null;
  isHunt: boolean;
}

/** Each rule once, under a name that SQLite gives back as it was put in. */
type Hits = ReadonlyMap<string, StoredHit>;

const noMarks: HuntMarks = { added: new Set(), lost: new Set() };

/**
 * Takes what a side said to where it is looked for: the job's results, its hits, and the library. The caller gives the
 * transaction.
 */
export class ScanRecording {
  readonly #rules: ScanRules;
  readonly #results: ScanResults;
  readonly #hits: ScanHits;
  readonly #samples: SampleHits;
  readonly #job;
  readonly #item;
  readonly #knownSamples;
  readonly #knownPlaces;

  constructor(db: Database, rules: ScanRules, samples: SampleHits) {
    this.#rules = rules;
    this.#samples = samples;
    this.#results = new ScanResults(db);
    this.#hits = new ScanHits(db);
    this.#job = db.query(
      jobRow,
      `SELECT workspace_id AS workspaceId, iif(json_valid(task), task, '{}') ->> '$.kind' IS 'hunt' AS isHunt FROM job
        WHERE id = ? AND hidden = 0`,
    );
    this.#knownSamples = db.query(
      sampleRow,
      'SELECT sha256 FROM hit_sample WHERE workspace_id = ? AND sha256 IN (SELECT value FROM json_each(?))',
    );
    this.#knownPlaces = db.query(
      itemRow,
      'SELECT position FROM scan_total WHERE job_id = ? AND position IN (SELECT value FROM json_each(?))',
    );
    this.#item = db.query(itemRow, 'SELECT position FROM job_item WHERE job_id = ? AND hash = ?');
  }

  /** Fails with `job-missing`. */
  record(jobId: number, notes: readonly ScanNote[]): void {
    const row = this.#job.get(jobId) ?? fail({ kind: 'job-missing', id: jobId });
    const job = { workspaceId: row.workspaceId, isHunt: row.isHunt === 1 };
    const now = currentInstant();
    for (const note of this.#telling(jobId, job, notes)) this.#one({ jobId, position: note.position }, job, note, now);
  }

  /**
   * A hunt finds nothing in most samples, for which nothing was known before either: these are filtered out many at a
   * time.
   */
  #telling(jobId: number, { workspaceId, isHunt }: ScanJob, notes: readonly ScanNote[]): readonly ScanNote[] {
    if (!isHunt || workspaceId === null) return notes;
    const samples = new Set(
      this.#knownSamples
        .all(workspaceId, JSON.stringify(notes.map(({ sha256 }) => sha256)))
        .map(({ sha256 }) => sha256),
    );
    const places = new Set(
      this.#knownPlaces
        .all(jobId, JSON.stringify(notes.map(({ position }) => position)))
        .map(({ position }) => position),
    );
    return notes.filter(
      ({ position, sha256, result }) => hasMore(result) || samples.has(sha256) || places.has(position),
    );
  }

  /**
   * Removes hits of rules that are no longer in the package from some samples.
   *
   * @returns how many; `next` is where to continue, null when there are no more samples
   */
  loseRules(
    jobId: number,
    workspaceId: string,
    rules: readonly string[],
    step: LossStep,
  ): { lost: number; next: string | null } {
    const { lost, next } = this.#samples.lose(workspaceId, rules, step);
    for (const { sha256, rules: gone } of lost) {
      const item = this.#item.get(jobId, sha256);
      if (item) this.#lose({ jobId, position: item.position }, gone);
    }
    return { lost: lost.reduce((sum, { rules: gone }) => sum + gone.size, 0), next };
  }

  #one(place: ScanPlace, job: ScanJob, note: ScanNote, now: string): void {
    const { result } = note;
    const hits: Hits = new Map(result.hits.map((hit) => [hit.rule.toWellFormed(), hit]));
    const marks = this.#learn(place, job, { note, hits, now });
    const isKept = !job.isHunt || hasMore(result);
    if (!isKept && marks.lost.size === 0 && !this.#hits.has(place)) return;
    if (isKept) this.#results.put(place, result);
    else this.#results.drop(place, result.side);
    const ids = this.#rules.idsOf(place.jobId, hits);
    const found = [...hits].map(([rule, hit]) => ({
      ruleId: ids.get(rule) ?? 0,
      matches: matchesOf(hit),
      isNew: marks.added.has(rule),
    }));
    this.#hits.replace(place, result.side, found);
    this.#lose(place, marks.lost);
  }

  /** Updates the sample's hits in the library. @returns the hits that this adds and loses, in a hunt */
  #learn(
    place: ScanPlace,
    { workspaceId, isHunt }: ScanJob,
    { note, hits, now }: { note: ScanNote; hits: Hits; now: string },
  ): HuntMarks {
    const { sha256, result, rulesLookedWith } = note;
    if (workspaceId === null || result.state !== 'scanned') return noMarks;
    const sample: SeenSample = { workspaceId, sha256, side: result.side };
    const known = this.#samples.rules(sample);
    const gone = knowsAllRules(result)
      ? [...known].filter((rule) => !hits.has(rule) && (rulesLookedWith === 'all' || rulesLookedWith.has(rule)))
      : [];
    const matches = new Map([...hits].map(([rule, hit]) => [rule, matchesOf(hit)]));
    this.#samples.see(sample, { matches, gone, version: result.package?.version ?? null, now }, place);
    return isHunt ? marksOf({ known, gone, hits }, this.#hits.marks(place)) : noMarks;
  }

  #lose(place: ScanPlace, rules: ReadonlySet<string>): void {
    const ids = this.#rules.idsOf(place.jobId, new Map([...rules].map((rule) => [rule, {}])));
    this.#hits.lose(place, [...ids.values()]);
    this.#hits.sum(place);
  }
}

/**
 * Where the hunt looked at the sample before, what it changed then does not count: it is compared with what was there
 * before the hunt.
 */
function marksOf(
  { known, gone, hits }: { known: Set<string>; gone: string[]; hits: Hits },
  earlier: HuntMarks,
): HuntMarks {
  const wasThere = (rule: string): boolean => (known.has(rule) && !earlier.added.has(rule)) || earlier.lost.has(rule);
  return {
    added: new Set([...hits.keys()].filter((rule) => !wasThere(rule))),
    lost: new Set([...gone, ...earlier.lost].filter((rule) => !hits.has(rule) && wasThere(rule))),
  };
}

/** Than that nothing was found. */
const hasMore = ({ state, hits, namesLeftOut = 0 }: StoredResult): boolean =>
  state !== 'scanned' || hits.length > 0 || namesLeftOut > 0;

const matchesOf = ({ strings }: StoredHit): number => strings.reduce((sum, { total }) => sum + total, 0);

/**
 * A service that found more rules than are kept: those that are missing may have hit. Vitrine keeps every rule, and
 * leaves out matches alone.
 */
const knowsAllRules = ({ side, isCut }: StoredResult): boolean => side === 'local' || !isCut;

const idRow = z.object({ id: z.number() });
const namedRow = z.object({ id: z.number(), rule: z.string() });

/** Rules that hit something, under a number in each job. The caller gives the transaction. */
export class ScanRules {
  readonly #ids;
  readonly #known;
  readonly #insert;
  readonly #put;

  constructor(db: Database) {
    this.#ids = db.query(
      namedRow,
      'SELECT id, rule FROM scan_rule WHERE job_id = ? AND rule IN (SELECT value FROM json_each(?))',
    );
    this.#known = db.query(idRow, 'SELECT id FROM scan_rule WHERE job_id = ? AND rule = ? AND has_facts');
    this.#insert = db.command(
      `INSERT INTO scan_rule (job_id, rule, tags, family, meta, has_facts) VALUES (?, ?, ?, ?, '[]', 0)`,
    );
    this.#put = db.command(
      `INSERT INTO scan_rule (job_id, rule, tags, family, meta, place, has_facts) VALUES (?, ?, ?, ?, ?, ?, 1)
      ON CONFLICT DO UPDATE SET tags = excluded.tags, family = excluded.family, meta = excluded.meta,
        place = excluded.place, has_facts = 1`,
    );
  }

  withoutFacts(jobId: number, names: readonly string[]): string[] {
    return [...new Set(names)].filter((name) => this.#known.get(jobId, name.toWellFormed()) === null);
  }

  add(jobId: number, facts: readonly ScanRuleFacts[]): void {
    for (const { rule, tags, family, meta, place } of facts) {
      this.#put.run(
        jobId,
        rule.toWellFormed(),
        JSON.stringify(tags),
        family,
        JSON.stringify(meta),
        place && JSON.stringify(place),
      );
    }
  }

  /** Names are well-formed. What is said of a rule is taken where it is new. */
  idsOf(jobId: number, rules: ReadonlyMap<string, Pick<Partial<StoredHit>, 'tags' | 'family'>>): Map<string, number> {
    if (rules.size === 0) return new Map();
    const ids = new Map(this.#ids.all(jobId, JSON.stringify([...rules.keys()])).map(({ id, rule }) => [rule, id]));
    for (const [rule, { tags = [], family = null }] of rules) {
      if (!ids.has(rule)) ids.set(rule, this.#insert.run(jobId, rule, JSON.stringify(tags), family).rowId);
    }
    return ids;
  }
}

/** A rule that a side found in a file. */
interface FoundHit {
  ruleId: number;
  matches: number;
  isNew: boolean;
}

/** Of a hunt: what it marked in a file. */
interface HuntMarks {
  added: Set<string>;
  lost: Set<string>;
}

const markRow = z.object({ rule: z.string(), change: z.number() });
const oneRow = z.object({ one: z.number() });
/**
 * The part of a key (shared/domain/rule-names.ts) after its last colon. A service reports bare names, which are matched
 * with those of the keys here.
 */
const nameIn = (key: string): string => `substr(${key}, length(rtrim(${key}, replace(${key}, ':', ''))) + 1)`;

/** Which rule is in which file of a job, and the sums of each file. The caller gives the transaction. */
class ScanHits {
  readonly #has;
  readonly #marks;
  readonly #clear;
  readonly #put;
  readonly #lose;
  readonly #sweep;
  readonly #total;
  readonly #dropTotal;
  readonly #hasService;
  readonly #pair;
  readonly #dropPaired;

  constructor(db: Database) {
    const ofFile = 'job_id = ?1 AND position = ?2';
    this.#has = db.query(oneRow, `SELECT 1 AS one FROM scan_total WHERE ${ofFile}`);
    this.#marks = db.query(
      markRow,
      `SELECT rule, change FROM scan_hit JOIN scan_rule ON scan_rule.id = rule_id WHERE scan_hit.job_id = ?1
        AND position = ?2 AND change <> 0`,
    );
    const bySide = (command: (side: ScanSide) => string) => ({
      local: db.command(command('local')),
      service: db.command(command('service')),
    });
    this.#clear = bySide((side) => `UPDATE scan_hit SET ${side} = NULL WHERE ${ofFile} AND ${side} IS NOT NULL`);
    this.#put = bySide(
      (side) =>
        `INSERT INTO scan_hit (job_id, position, rule_id, ${side}, change)
      SELECT ?1, ?2, value ->> 'ruleId', value ->> 'matches', value ->> 'isNew' FROM json_each(?3) WHERE true
      ON CONFLICT DO UPDATE SET ${side} = excluded.${side}, change = excluded.change`,
    );
    this.#lose = db.command(
      `INSERT INTO scan_hit (job_id, position, rule_id, change) SELECT ?1, ?2, value, -1 FROM json_each(?3) WHERE true
      ON CONFLICT DO UPDATE SET change = -1 WHERE local IS NULL AND service IS NULL`,
    );
    this.#sweep = db.command(
      `DELETE FROM scan_hit WHERE ${ofFile} AND local IS NULL AND service IS NULL AND change <> -1`,
    );
    this.#total = db.command(
      `INSERT OR REPLACE INTO scan_total (job_id, position, local, service, hits, matches, added, lost, one_sided)
      SELECT ?1, ?2, (SELECT state FROM scan_result WHERE ${ofFile} AND side = 'local'),
        (SELECT state FROM scan_result WHERE ${ofFile} AND side = 'service'),
        ifnull(sum(change >= 0), 0), ifnull(sum(max(ifnull(local, 0), ifnull(service, 0))), 0),
          ifnull(sum(change = 1), 0), ifnull(sum(change = -1), 0),
        ifnull(sum(change >= 0 AND (local IS NULL) <> (service IS NULL)), 0)
      FROM scan_hit WHERE ${ofFile}`,
    );
    this.#hasService = db.query(
      oneRow,
      `SELECT 1 AS one FROM scan_hit WHERE ${ofFile} AND service IS NOT NULL LIMIT 1`,
    );
    this.#pair = db.command(
      `INSERT INTO scan_hit (job_id, position, rule_id, service, change)
      SELECT ?1, ?2, own.rule_id, their.service, own.change FROM scan_hit AS own JOIN scan_rule AS own_rule
        ON own_rule.id = own.rule_id
        JOIN scan_rule AS their_rule ON their_rule.job_id = ?1 AND their_rule.rule = ${nameIn('own_rule.rule')}
        JOIN scan_hit AS their ON their.job_id = ?1 AND their.position = ?2 AND their.rule_id = their_rule.id
      WHERE own.job_id = ?1 AND own.position = ?2 AND own.local IS NOT NULL AND instr(own_rule.rule, ':')
        AND their.service IS NOT NULL
      ON CONFLICT DO UPDATE SET service = excluded.service`,
    );
    this.#dropPaired = db.command(
      `DELETE FROM scan_hit WHERE ${ofFile} AND local IS NULL AND service IS NOT NULL
        AND (SELECT rule FROM scan_rule WHERE id = scan_hit.rule_id) IN
        (SELECT ${nameIn('rule')} FROM scan_hit AS own JOIN scan_rule ON scan_rule.id = own.rule_id
        WHERE own.job_id = ?1 AND own.position = ?2 AND own.local IS NOT NULL AND own.service IS NOT NULL
          AND instr(rule, ':'))`,
    );
    this.#dropTotal = db.command(
      `DELETE FROM scan_total WHERE ${ofFile} AND local IS NULL AND service IS NULL AND hits = 0 AND lost = 0`,
    );
  }

  /** Whether anything is kept of the file. */
  has({ jobId, position }: ScanPlace): boolean {
    return this.#has.get(jobId, position) !== null;
  }

  marks({ jobId, position }: ScanPlace): HuntMarks {
    const rows = this.#marks.all(jobId, position);
    const of = (wanted: number) => new Set(rows.filter(({ change }) => change === wanted).map(({ rule }) => rule));
    return { added: of(1), lost: of(-1) };
  }

  /** In place of what the side found before. */
  replace({ jobId, position }: ScanPlace, side: ScanSide, hits: readonly FoundHit[]): void {
    this.#clear[side].run(jobId, position);
    if (hits.length > 0) this.#put[side].run(jobId, position, JSON.stringify(hits));
    this.#sweep.run(jobId, position);
  }

  /** The rules are in the file no more. */
  lose({ jobId, position }: ScanPlace, ruleIds: readonly number[]): void {
    if (ruleIds.length > 0) this.#lose.run(jobId, position, JSON.stringify(ruleIds));
  }

  /** Called after all hits of a file were reported. */
  sum({ jobId, position }: ScanPlace): void {
    if (this.#hasService.get(jobId, position) !== null) {
      this.#pair.run(jobId, position);
      this.#dropPaired.run(jobId, position);
    }
    this.#total.run(jobId, position);
    this.#dropTotal.run(jobId, position);
  }
}

const longestReply = 100_000;

/** What each side said of a file. The caller gives the transaction. */
class ScanResults {
  readonly #put;
  readonly #putBody;
  readonly #putRaw;
  readonly #drop;

  constructor(db: Database) {
    this.#put = db.command(
      `INSERT OR REPLACE INTO scan_result (job_id, position, side, state, engine, package, elapsed_ms, is_cut, failure,
        without_global, names_left_out)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    );
    this.#putBody = db.command('INSERT OR REPLACE INTO scan_body (job_id, position, side, hits) VALUES (?, ?, ?, ?)');
    this.#putRaw = db.command('INSERT OR REPLACE INTO scan_raw (job_id, position, side, reply) VALUES (?, ?, ?, ?)');
    this.#drop = ['scan_result', 'scan_body', 'scan_raw'].map((table) =>
      db.command(`DELETE FROM ${table} WHERE job_id = ? AND position = ? AND side = ?`),
    );
  }

  /** In place of what the side said before. */
  put(place: ScanPlace, result: StoredResult): void {
    const { side, state, engine, elapsedMs, isCut, hits, raw, withoutGlobal, namesLeftOut = 0 } = result;
    const [found, failure] = [
      result.package && JSON.stringify(result.package),
      result.failure && JSON.stringify(result.failure),
    ];
    this.drop(place, side);
    this.#put.run(
      place.jobId,
      place.position,
      side,
      state,
      engine,
      found,
      elapsedMs,
      Number(isCut),
      failure,
      withoutGlobal.length === 0 ? null : JSON.stringify(withoutGlobal),
      namesLeftOut,
    );
    if (hits.length > 0) this.#putBody.run(place.jobId, place.position, side, JSON.stringify(hits));
    if (raw !== null)
      this.#putRaw.run(place.jobId, place.position, side, deflateRawSync(Buffer.from(raw.slice(0, longestReply))));
  }

  drop({ jobId, position }: ScanPlace, side: ScanSide): void {
    for (const drop of this.#drop) drop.run(jobId, position, side);
  }
}
