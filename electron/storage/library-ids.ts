import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { type Parameters, rowsOf } from './named-rows.ts';

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
