import { z } from 'zod';
import type { ScanSide } from '../../shared/domain/scan.ts';
import type { Database } from './database.ts';
import type { ScanPlace } from './scan-results.ts';

/** A rule that a side found in a file. */
export interface FoundHit {
  ruleId: number;
  matches: number;
  isNew: boolean;
}

/** Of a hunt: what it marked in a file. */
export interface HuntMarks {
  added: Set<string>;
  lost: Set<string>;
}

const markRow = z.object({ rule: z.string(), change: z.number() });
const oneRow = z.object({ one: z.number() });
/**
 * Of a key (shared/domain/rule-names.ts): what stands behind its last colon. A service says bare names, which are found
 * again in those of the keys here.
 */
const nameIn = (key: string): string => `substr(${key}, length(rtrim(${key}, replace(${key}, ':', ''))) + 1)`;

/** Which rule is in which file of a job, and the sums of each file. The caller gives the transaction. */
export class ScanHits {
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

  /** To be called when all of a file was told. */
  sum({ jobId, position }: ScanPlace): void {
    if (this.#hasService.get(jobId, position) !== null) {
      this.#pair.run(jobId, position);
      this.#dropPaired.run(jobId, position);
    }
    this.#total.run(jobId, position);
    this.#dropTotal.run(jobId, position);
  }
}
