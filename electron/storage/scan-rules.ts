import { z } from 'zod';
import type { Database } from './database.ts';
import type { ScanRuleFacts, StoredHit } from './scan-rows.ts';

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
