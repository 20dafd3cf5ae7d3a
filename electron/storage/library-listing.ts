import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { type LibraryCondition, withTerms } from './library-conditions.ts';
import type { KeptList, KeptLists } from './library-kept-lists.ts';
import { type OrderPart, orderParts } from './library-orders.ts';
import { libraryColumns, libraryRowOf, storedLibraryRow } from './library-row.ts';
import { librarySize } from './library-totals.ts';
import type { LibraryAnswer, LibraryRequest } from './reading-thread.ts';
import { idsOf, rowsOf } from './statement.ts';

/** So many rows are found at once: the windows that are looked at first are among them. */
const beginning = 1000;
const totalRow = z.object({ total: z.number() });
const idRow = z.object({ id: z.number() });

/**
 * One window of a list. What the list has, and in which order, was found when its `moment` was named first: its
 * beginning then, the rest when a window behind the beginning was asked for first, without moving a row of the
 * beginning. A row that was forgotten since is left out of its window, which is then so much shorter; others show what
 * is known of them now.
 */
export function readList(sql: DatabaseSync, lists: KeptLists, request: LibraryRequest): LibraryAnswer {
  const { ids: found, total } = listFor(sql, lists, request);
  const window = found.subarray(request.offset, request.offset + request.limit);
  return { rows: rowsWith(sql, window).map(libraryRowOf), total };
}

function listFor(
  sql: DatabaseSync,
  lists: KeptLists,
  { terms, sort, moment, offset, limit }: LibraryRequest,
): KeptList {
  const key = JSON.stringify([terms, sort, moment]);
  const kept = lists.get(key);
  const isEnough = (list: KeptList): boolean => list.ids.length >= Math.min(offset + limit, list.total);
  if (kept && isEnough(kept)) return kept;
  return withTerms(sql, terms, (condition) => {
    const list = kept ?? beginningOf(sql, condition, orderParts(sort));
    return lists.keep(key, isEnough(list) ? list : wholeOf(sql, condition, orderParts(sort), list));
  });
}

function beginningOf(sql: DatabaseSync, condition: LibraryCondition, parts: readonly OrderPart[]): KeptList {
  const samples = librarySize(sql);
  const isAll = condition.where === 'true';
  const total = isAll ? samples : totalOf(sql, condition);
  // Either the rows are read in their order until there are enough of them, or all that are found are put in order.
  const inOrder = isAll || total * total > beginning * samples;
  const found: number[] = [];
  for (const part of parts) {
    const source = inOrder ? part.source : null;
    const text = `SELECT sample.id FROM ${source ?? 'sample'} WHERE ${part.where} AND ${condition.where}
      ORDER BY ${source === null ? part.sorted : part.inIndex} LIMIT :room`;
    if (found.length < beginning)
      found.push(
        ...rowsOf(sql, idRow, text, { ...condition.parameters, room: beginning - found.length }).map(({ id }) => id),
      );
  }
  return { ids: Float64Array.from(found), total };
}

const totalOf = (sql: DatabaseSync, { where, parameters }: LibraryCondition): number =>
  rowsOf(sql, totalRow, `SELECT count(*) AS total FROM sample WHERE ${where}`, parameters)[0]?.total ?? 0;

function wholeOf(
  sql: DatabaseSync,
  condition: LibraryCondition,
  parts: readonly OrderPart[],
  begun: KeptList,
): KeptList {
  const first = new Set(begun.ids);
  const rest = parts.flatMap((part) => allOf(sql, condition, part)).filter((id) => !first.has(id));
  const whole = new Float64Array(first.size + rest.length);
  whole.set(begun.ids);
  whole.set(rest, first.size);
  return { ids: whole, total: whole.length };
}

const allOf = (sql: DatabaseSync, { where, parameters }: LibraryCondition, part: OrderPart): number[] =>
  idsOf(sql, `SELECT sample.id FROM sample WHERE ${part.where} AND ${where} ORDER BY ${part.sorted}`, parameters);

const rowsWith = (sql: DatabaseSync, wanted: Float64Array) =>
  rowsOf(
    sql,
    storedLibraryRow,
    `SELECT ${libraryColumns} FROM json_each(:wanted) AS wanted CROSS JOIN sample ON sample.id = wanted.value
      ORDER BY wanted.key`,
    { wanted: JSON.stringify([...wanted]) },
  );
