import type { SQLInputValue, StatementSync } from 'node:sqlite';
import type { z } from 'zod';
import { overSqlite } from './sqlite-error.ts';

/**
 * A reading statement, prepared when it is first used, whose rows are read by a schema. SQLite's errors come out as
 * failures.
 */
export class Query<Row> {
  readonly #statement: () => StatementSync;
  readonly #row: z.ZodType<Row>;
  readonly #path: string;

  constructor(prepare: () => StatementSync, row: z.ZodType<Row>, path: string) {
    this.#statement = once(prepare);
    this.#row = row;
    this.#path = path;
  }

  all(...parameters: SQLInputValue[]): Row[] {
    const rows = overSqlite(this.#path, () => this.#statement().all(...parameters));
    return rows.map((row) => this.#row.parse(row));
  }

  /** The first row, or null. */
  get(...parameters: SQLInputValue[]): Row | null {
    const row = overSqlite(this.#path, () => this.#statement().get(...parameters));
    return row === undefined ? null : this.#row.parse(row);
  }
}

/** A writing statement, prepared when it is first used. SQLite's errors come out as failures. */
export class Command {
  readonly #statement: () => StatementSync;
  readonly #path: string;

  constructor(prepare: () => StatementSync, path: string) {
    this.#statement = once(prepare);
    this.#path = path;
  }

  /** @returns how many rows changed, and the id of the row inserted last */
  run(...parameters: SQLInputValue[]): { changes: number; rowId: number } {
    const { changes, lastInsertRowid } = overSqlite(this.#path, () => this.#statement().run(...parameters));
    return { changes: Number(changes), rowId: Number(lastInsertRowid) };
  }
}

/**
 * A desk has hundreds of statements, of which a command, or a day, uses some: to prepare them all took most of the time
 * of opening.
 */
function once(prepare: () => StatementSync): () => StatementSync {
  let statement: StatementSync | null = null;
  return () => (statement ??= prepare());
}
