import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { z } from 'zod';
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
 * There are hundreds of statements, of which a command, or a day, uses some: to prepare them all took most of the time
 * of opening.
 */
function once(prepare: () => StatementSync): () => StatementSync {
  let statement: StatementSync | null = null;
  return () => (statement ??= prepare());
}

/** Whatever gives reading statements: the writing connection, or one of a thread that reads. */
export interface Queries {
  query<Row>(row: z.ZodType<Row>, text: string): Query<Row>;
}

/** `path`: the database that failures name. */
export const queriesOver = (sql: DatabaseSync, path: string): Queries => ({
  query: (row, text) => new Query(() => sql.prepare(text), row, path),
});

/** By their names in a statement, without the colon. */
export type Parameters = Record<string, SQLInputValue>;

/** All rows. A statement need not have every parameter. */
export function rowsOf<Row>(sql: DatabaseSync, row: z.ZodType<Row>, text: string, parameters: Parameters = {}): Row[] {
  const statement = sql.prepare(text);
  statement.setAllowUnknownNamedParameters(true);
  return statement.all(parameters).map((found) => row.parse(found));
}

export function runNamed(sql: DatabaseSync, text: string, parameters: Parameters): void {
  const statement = sql.prepare(text);
  statement.setAllowUnknownNamedParameters(true);
  statement.run(parameters);
}

/** The same one after the other: rows that are large. */
export function* eachRow<Row>(
  sql: DatabaseSync,
  row: z.ZodType<Row>,
  text: string,
  parameters: Parameters,
): Generator<Row, void, undefined> {
  const statement = sql.prepare(text);
  statement.setAllowUnknownNamedParameters(true);
  for (const found of statement.iterate(parameters)) yield row.parse(found);
}

const idsRow = z.object({ ids: z.string() });
const ids = z.array(z.number());

/**
 * The numbers that `select` gives as `id`, in its order. Sent as one text: a million rows of one number each take far
 * longer.
 */
export const idsOf = (sql: DatabaseSync, select: string, parameters: Parameters): number[] =>
  rowsOf(sql, idsRow, `SELECT json_group_array(id) AS ids FROM (${select})`, parameters).flatMap((row) =>
    ids.parse(JSON.parse(row.ids)),
  );

/**
 * All of `work` or nothing of it. The write lock is taken first, so what `work` reads holds until it is done. Throws
 * SQLite's error, or what `work` throws.
 */
export function atOnce<T>(sql: DatabaseSync, work: () => T): T {
  sql.exec('BEGIN IMMEDIATE');
  try {
    const value = work();
    sql.exec('COMMIT');
    return value;
  } catch (error) {
    // SQLite ends the transaction itself on some errors, such as a full disk.
    if (sql.isTransaction) sql.exec('ROLLBACK');
    throw error;
  }
}
