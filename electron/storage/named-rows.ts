import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import type { z } from 'zod';

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
