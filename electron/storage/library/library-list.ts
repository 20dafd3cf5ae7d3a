import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import type { LibrarySort, LibrarySortBy, LibraryTotal } from '../../../shared/domain/library.ts';
import type { QueryTerm } from '../../../shared/domain/query-fields.ts';
import { idsOf, rowsOf } from '../database/statement.ts';
import type { LibraryAnswer, LibraryRequest } from '../reading/reading-thread.ts';
import { type LibraryCondition, withTerms } from './library-query.ts';
import { bytesTogether, libraryColumns, libraryRowOf, storedLibraryRow } from './sample-table.ts';

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
      ORDER BY ${source === null ? part.sorted : part.inIndex} LIMIT :limit`;
    if (found.length < beginning)
      found.push(
        ...rowsOf(sql, idRow, text, { ...condition.parameters, limit: beginning - found.length }).map(({ id }) => id),
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

/** Rows of a list that lie side by side in it. */
interface OrderPart {
  /** Which rows they are. */
  where: string;
  /** The order as an index of `source` has it. */
  inIndex: string;
  /** The same, kept from being taken for the order of an index. */
  sorted: string;
  /** The table by its index in this order; null where there is none. */
  source: string | null;
}

interface Key {
  expression: string;
  /** Which rows have a value; null: all. */
  has: string | null;
  index: string | null;
}

const textKey = (column: string): Key => ({
  expression: `${column} COLLATE NOCASE`,
  has: `${column} IS NOT NULL`,
  index: null,
});
const counted = (column: string): Key => ({ expression: column, has: `${column} > 0`, index: `sample_by_${column}` });

/** Without a hit, a comment, a tag or bytes in the vault a row has no value to be ordered by. */
const orderKeys: Record<LibrarySortBy, Key> = {
  hash: { expression: 'ifnull(sample.sha256, sample.md5)', has: null, index: null },
  name: textKey('name'),
  size: { expression: 'size_bytes', has: 'size_bytes IS NOT NULL', index: 'sample_by_size' },
  type: textKey('type'),
  tags: { expression: 'tags COLLATE NOCASE', has: "tags <> ','", index: null },
  tlp: { expression: 'tlp', has: 'tlp IS NOT NULL', index: 'sample_by_tlp' },
  threat: textKey('threat'),
  severity: { expression: 'severity', has: 'severity IS NOT NULL', index: 'sample_by_severity' },
  hits: counted('hits'),
  comments: counted('comments'),
  firstSeen: { expression: 'first_seen', has: null, index: 'sample_by_first_seen' },
  lastSeen: { expression: 'last_seen', has: null, index: 'sample_by_last_seen' },
  vault: {
    expression: "CASE damage WHEN 'altered' THEN 1 WHEN 'missing' THEN 2 ELSE 0 END",
    has: '(in_vault = 1 OR damage IS NOT NULL)',
    index: null,
  },
};

/** Rows with a value, then those without, each by its age where they are equal: every row has its place. */
function orderParts({ by, descending }: LibrarySort): OrderPart[] {
  const { expression, has, index } = orderKeys[by];
  const way = descending ? 'DESC' : 'ASC';
  const part = (where: string, key: string, source: string | null): OrderPart => ({
    where,
    source,
    inIndex: `${key}sample.id ${way}`,
    sorted: `${key === '' ? '' : '+'}${key}+sample.id ${way}`,
  });
  const valued = part(has ?? 'true', `${expression} ${way}, `, index === null ? null : `sample INDEXED BY ${index}`);
  return has === null ? [valued] : [valued, part(`NOT (${has})`, '', 'sample NOT INDEXED')];
}

/** Numbers of samples in the order of a list. */
export interface KeptList {
  ids: Float64Array;
  /** How many the list has in all; more than there are `ids` where only its beginning was read. */
  total: number;
}

const mostLists = 4;
const mostIds = 8_000_000;

/** The lists that were asked for last, at most four, and eight million numbers or one list. */
export class KeptLists<List extends Pick<KeptList, 'ids'> = KeptList> {
  readonly #lists = new Map<string, List>();

  get(key: string): List | null {
    const list = this.#lists.get(key);
    if (list === undefined) return null;
    this.keep(key, list);
    return list;
  }

  keep(key: string, list: List): List {
    this.#lists.delete(key);
    this.#lists.set(key, list);
    for (const oldest of this.#lists.keys()) if (this.#isTooMuch()) this.#lists.delete(oldest);
    return list;
  }

  #isTooMuch(): boolean {
    const ids = [...this.#lists.values()].reduce((sum, list) => sum + list.ids.length, 0);
    return this.#lists.size > mostLists || (this.#lists.size > 1 && ids > mostIds);
  }
}

const sizeRow = z.object({ samples: z.number() });
const sumRow = z.object({ samples: z.number(), bytes: z.number() });
const sums = `count(*) AS samples, ${bytesTogether} AS bytes`;
/** All that have a size, from its index alone. */
const everyBytes = `SELECT samples, (SELECT ${bytesTogether} FROM sample WHERE size_bytes IS NOT NULL) AS bytes
  FROM library_total`;

/** How many samples the library has. */
const librarySize = (sql: DatabaseSync): number =>
  rowsOf(sql, sizeRow, 'SELECT samples FROM library_total')[0]?.samples ?? 0;

/** How many samples a query finds, and how large they are together. */
export const readTotal = (sql: DatabaseSync, terms: readonly QueryTerm[]): LibraryTotal =>
  withTerms(sql, terms, ({ where, parameters }) => {
    const text = terms.length === 0 ? everyBytes : `SELECT ${sums} FROM sample WHERE ${where}`;
    return rowsOf(sql, sumRow, text, parameters)[0] ?? { samples: 0, bytes: 0 };
  });
