import { z } from 'zod';
import { type SampleHit, scanSide, type ScanSide } from '../../../shared/domain/scan.ts';
import type { Database } from '../database/database.ts';
import { hitsOfSample, LibraryCounts } from '../library/sample-table.ts';
import { muteByRule, muteInForceRow, mutesOfSample } from './mute-store.ts';
import type { ScanPlace } from './scan-files.ts';

const idRow = z.object({ id: z.number() });
const ruleRow = z.object({ rule: z.string() });
const namedRow = z.object({ id: z.number(), rule: z.string() });
const sampleRow = z.object({ id: z.number(), sha256: z.string() });
const lostRow = z.object({ sampleId: z.number(), id: z.number(), rule: z.string() });
const hitRow = z.object({
  rule: z.string(),
  side: scanSide,
  version: z.string().nullable(),
  firstSeen: z.string(),
  lastSeen: z.string(),
  matches: z.number(),
  jobId: z.number().nullable(),
  position: z.number().nullable(),
});

/** A sample as one side of a workspace sees it. */
export interface SeenSample {
  workspaceId: string;
  sha256: string;
  side: ScanSide;
}

/** How often each rule matched, which were there and are no more, and of which version the rules are. */
interface Sight {
  matches: ReadonlyMap<string, number>;
  gone: readonly string[];
  version: string | null;
  /** UTC, ISO 8601. */
  now: string;
}

/** Rules that are in the package no more, and were found in a sample. */
interface LostHits {
  sha256: string;
  rules: ReadonlySet<string>;
}

/** What one step takes on: samples behind a SHA-256, and hits of these. */
export interface LossStep {
  after: string;
  samples: number;
  hits: number;
}

/** Rule hits of samples, from the last scan. The caller gives the transaction. */
export class SampleHits {
  readonly #counts: LibraryCounts;
  readonly #sampleId;
  readonly #addSample;
  readonly #ruleIds;
  readonly #addRule;
  readonly #rules;
  readonly #see;
  readonly #keepOlder;
  readonly #drop;
  readonly #dropOlder;
  readonly #samples;
  readonly #lost;
  readonly #of;
  readonly #mutes;

  constructor(db: Database) {
    this.#counts = new LibraryCounts(db);
    this.#sampleId = db.query(idRow, 'SELECT id FROM hit_sample WHERE workspace_id = ? AND sha256 = ?');
    this.#addSample = db.command('INSERT INTO hit_sample (workspace_id, sha256) VALUES (?, ?)');
    this.#ruleIds = db.query(
      namedRow,
      'SELECT id, rule FROM hit_rule WHERE workspace_id = ? AND rule IN (SELECT value FROM json_each(?))',
    );
    this.#addRule = db.command('INSERT INTO hit_rule (workspace_id, rule) VALUES (?, ?)');
    this.#rules = db.query(
      ruleRow,
      'SELECT rule FROM sample_hit CROSS JOIN hit_rule ON hit_rule.id = rule_id WHERE sample_id = ? AND side = ?',
    );
    this.#see = db.command(
      `INSERT INTO sample_hit (sample_id, side, rule_id, version, first_seen, last_seen, matches, job_id, position)
      SELECT ?1, ?2, value ->> 0, ?3, ?4, ?4, value ->> 1, ?5, ?6 FROM json_each(?7) WHERE true
      ON CONFLICT DO UPDATE SET version = ?3, last_seen = ?4, matches = excluded.matches, job_id = ?5, position = ?6`,
    );
    const ofRules = 'WHERE sample_id = ? AND side = ? AND rule_id IN (SELECT value FROM json_each(?))';
    this.#keepOlder = db.command(
      `INSERT OR REPLACE INTO older_hit (sample_id, side, rule_id, version, last_seen)
        SELECT sample_id, side, rule_id, version, last_seen FROM sample_hit ${ofRules}`,
    );
    this.#dropOlder = db.command(`DELETE FROM older_hit ${ofRules}`);
    this.#drop = db.command(`DELETE FROM sample_hit ${ofRules}`);
    this.#samples = db.query(
      sampleRow,
      `SELECT id, sha256 FROM hit_sample INDEXED BY hit_sample_by_hash WHERE workspace_id = ? AND sha256 > ?
        ORDER BY sha256 LIMIT ?`,
    );
    this.#lost = db.query(
      lostRow,
      `SELECT sample_id AS sampleId, rule_id AS id, rule FROM json_each(?1) AS sample CROSS JOIN sample_hit
        ON sample_id = sample.value AND side = 'local'
      CROSS JOIN hit_rule ON hit_rule.id = rule_id WHERE rule IN (SELECT value FROM json_each(?2)) LIMIT ?3`,
    );
    this.#of = db.query(
      hitRow,
      `SELECT rule, side, version, first_seen AS firstSeen, last_seen AS lastSeen, matches, job.id AS jobId,
        iif(job.id IS NULL, NULL, position) AS position
      FROM sample_hit CROSS JOIN hit_rule ON hit_rule.id = rule_id LEFT JOIN job ON job.id = sample_hit.job_id
        AND job.hidden = 0
      WHERE sample_id = ? ORDER BY rule, side`,
    );
    this.#mutes = db.query(muteInForceRow, mutesOfSample);
  }

  rules({ workspaceId, sha256, side }: SeenSample): Set<string> {
    const id = this.#sampleId.get(workspaceId, sha256)?.id;
    return new Set(id === undefined ? [] : this.#rules.all(id, side).map(({ rule }) => rule));
  }

  see(sample: SeenSample, sight: Sight, place: ScanPlace): void {
    if (sight.matches.size > 0) this.#put(sample, sight, place);
    if (sight.gone.length > 0) this.#dropRules(sample, sight.gone);
    if (sight.matches.size + sight.gone.length > 0) this.#counts.hits(sample.sha256);
  }

  #put(
    { workspaceId, sha256, side }: SeenSample,
    { matches, version, now }: Sight,
    { jobId, position }: ScanPlace,
  ): void {
    const id = this.#sampleId.get(workspaceId, sha256)?.id ?? this.#addSample.run(workspaceId, sha256).rowId;
    const ids = this.#idsOf(workspaceId, [...matches.keys()]);
    for (const rule of matches.keys()) if (!ids.has(rule)) ids.set(rule, this.#addRule.run(workspaceId, rule).rowId);
    this.#see.run(
      id,
      side,
      version,
      now,
      jobId,
      position,
      JSON.stringify([...matches].map(([rule, count]) => [ids.get(rule), count])),
    );
    this.#dropOlder.run(id, side, JSON.stringify([...ids.values()]));
  }

  #dropRules({ workspaceId, sha256, side }: SeenSample, rules: readonly string[]): void {
    const id = this.#sampleId.get(workspaceId, sha256)?.id;
    if (id !== undefined) this.#dropIds(id, side, [...this.#idsOf(workspaceId, rules).values()]);
  }

  #dropIds(sampleId: number, side: ScanSide, ruleIds: readonly number[]): void {
    const ids = JSON.stringify(ruleIds);
    this.#keepOlder.run(sampleId, side, ids);
    this.#drop.run(sampleId, side, ids);
  }

  /** Those of the names under which anything was ever found in a workspace. */
  rulesSeen(workspaceId: string, names: readonly string[]): string[] {
    return [...this.#idsOf(workspaceId, names).keys()];
  }

  /**
   * Takes from the next samples behind a SHA-256 what Vitrine saw of these rules.
   * @returns what that was; `next` is null when there are no more samples, and where it began when there are more hits
   * in these
   */
  lose(workspaceId: string, rules: readonly string[], step: LossStep): { lost: LostHits[]; next: string | null } {
    const samples = this.#samples.all(workspaceId, step.after, step.samples);
    const rows = this.#lost.all(JSON.stringify(samples.map(({ id }) => id)), JSON.stringify(rules), step.hits);
    const bySample = Map.groupBy(rows, ({ sampleId }) => sampleId);
    for (const [sampleId, hits] of bySample)
      this.#dropIds(
        sampleId,
        'local',
        hits.map(({ id }) => id),
      );
    const lost = samples.flatMap(({ id, sha256 }) => {
      const hits = bySample.get(id);
      if (hits) this.#counts.hits(sha256);
      return hits === undefined ? [] : [{ sha256, rules: new Set(hits.map(({ rule }) => rule)) }];
    });
    return { lost, next: rows.length === step.hits ? step.after : nextOf(samples, step) };
  }

  of(workspaceId: string, sha256: string, now: string): SampleHit[] {
    const id = this.#sampleId.get(workspaceId, sha256)?.id;
    if (id === undefined) return [];
    const mutes = muteByRule(this.#mutes.all(workspaceId, sha256, now));
    return this.#of.all(id).map((row) => ({ ...row, mute: mutes.get(row.rule) ?? null }));
  }

  #idsOf(workspaceId: string, rules: readonly string[]): Map<string, number> {
    return new Map(this.#ruleIds.all(workspaceId, JSON.stringify(rules)).map(({ id, rule }) => [rule, id]));
  }
}

const nextOf = (samples: readonly { sha256: string }[], step: LossStep): string | null =>
  samples.length < step.samples ? null : (samples.at(-1)?.sha256 ?? null);

const stagedRow = z.object({ stagedId: z.string() });

/**
 * Forgets what rules found in samples for a workspace, which samples they looked at, its hunts, and what was staged for
 * its scans; results stay with their jobs. Runs inside the caller's transaction.
 * @returns staged ids to discard
 */
export function forgetScansOf(db: Database, workspaceId: string): string[] {
  for (const table of ['sample_hit', 'older_hit'])
    db.command(`DELETE FROM ${table} WHERE sample_id IN (SELECT id FROM hit_sample WHERE workspace_id = ?)`).run(
      workspaceId,
    );
  db.command(
    `UPDATE sample SET hits = ${hitsOfSample} WHERE sha256 IN (SELECT sha256 FROM hit_sample WHERE workspace_id = ?)`,
  ).run(workspaceId);
  for (const table of ['hit_sample', 'hit_rule', 'last_hunt', 'coverage_space'])
    db.command(`DELETE FROM ${table} WHERE workspace_id = ?`).run(workspaceId);
  const ofWorkspace = 'staged_id IS NOT NULL AND job_id IN (SELECT id FROM job WHERE workspace_id = ?)';
  const staged = db
    .query(stagedRow, `SELECT staged_id AS stagedId FROM scan_file WHERE ${ofWorkspace}`)
    .all(workspaceId);
  db.command(`UPDATE scan_file SET staged_id = NULL, place = NULL WHERE ${ofWorkspace}`).run(workspaceId);
  return staged.map(({ stagedId }) => stagedId);
}
