import type { Database } from './database.ts';

/**
 * The rows of a job in the tables of scans, those that name staged files last: they are asked for when the job goes.
 */
const tables: readonly (readonly [table: string, key: string])[] = [
  ['scan_body', 'rowid'],
  ['scan_raw', 'rowid'],
  ['scan_hit', 'job_id, position, rule_id'],
  ['scan_total', 'job_id, position'],
  ['scan_result', 'job_id, position, side'],
  ['scan_rule', 'id'],
  ['scan_file', 'job_id, position'],
];

/** Takes out what jobs found, some rows at a time. The caller gives the transaction. */
export class ScanRemoval {
  readonly #removals;

  constructor(db: Database) {
    this.#removals = tables.map(([table, key]) =>
      db.command(`DELETE FROM ${table} WHERE (${key}) IN (SELECT ${key} FROM ${table} WHERE job_id = ? LIMIT ?)`),
    );
  }

  /** @returns how many rows: fewer than the limit when none is left */
  remove(jobId: number, limit: number): number {
    let removed = 0;
    for (const removal of this.#removals) {
      if (removed < limit) removed += removal.run(jobId, limit - removed).changes;
    }
    return removed;
  }
}
