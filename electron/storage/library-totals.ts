import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import type { LibraryTotal } from '../../shared/domain/library.ts';
import type { QueryTerm } from '../../shared/domain/query-fields.ts';
import { withTerms } from './library-conditions.ts';
import { bytesTogether } from './library-vault.ts';
import { rowsOf } from './named-rows.ts';

const sizeRow = z.object({ samples: z.number() });
const totalRow = z.object({ samples: z.number(), bytes: z.number() });
const totals = `count(*) AS samples, ${bytesTogether} AS bytes`;
/** All that have a size, from its index alone. */
const everyBytes = `SELECT samples, (SELECT ${bytesTogether} FROM sample WHERE size_bytes IS NOT NULL) AS bytes
  FROM library_total`;

/** How many samples the library has. */
export const librarySize = (sql: DatabaseSync): number =>
  rowsOf(sql, sizeRow, 'SELECT samples FROM library_total')[0]?.samples ?? 0;

/** How many samples a query finds, and how large they are together. */
export const readTotal = (sql: DatabaseSync, terms: readonly QueryTerm[]): LibraryTotal =>
  withTerms(sql, terms, ({ where, parameters }) => {
    const text = terms.length === 0 ? everyBytes : `SELECT ${totals} FROM sample WHERE ${where}`;
    return rowsOf(sql, totalRow, text, parameters)[0] ?? { samples: 0, bytes: 0 };
  });
