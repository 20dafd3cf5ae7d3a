import type { DatabaseSync } from 'node:sqlite';
import type { Parameters } from './named-rows.ts';
import { runNamed } from './named-rows.ts';

/** A statement that gives ids of samples. */
export interface FoundBy {
  select: string;
  parameters: Parameters;
}

/**
 * Samples that words, tags and rules find, in temporary tables of the connection: found once, however often a query
 * asks.
 */
export class FoundSets {
  readonly #sql: DatabaseSync;
  #sets = 0;

  constructor(sql: DatabaseSync) {
    this.#sql = sql;
  }

  /** @returns the condition that a row of `sample` is found by any of these */
  add(...finding: readonly FoundBy[]): string {
    const table = nameOf(this.#sets++);
    this.#sql.exec(`CREATE TABLE ${table} (id INTEGER PRIMARY KEY)`);
    for (const { select, parameters } of finding)
      runNamed(this.#sql, `INSERT OR IGNORE INTO ${table} ${select}`, parameters);
    return `sample.id IN (SELECT id FROM ${table})`;
  }

  drop(): void {
    while (this.#sets > 0) this.#sql.exec(`DROP TABLE ${nameOf(--this.#sets)}`);
  }
}

const nameOf = (number: number): string => `temp.found_${number}`;
