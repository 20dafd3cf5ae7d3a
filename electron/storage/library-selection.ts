import type { DatabaseSync } from 'node:sqlite';
import type { LibrarySelection } from '../../shared/domain/library.ts';
import { withTerms } from './library-conditions.ts';
import { idsOf } from './library-ids.ts';
import type { KeptLists } from './library-kept-lists.ts';
import type { Parameters } from './named-rows.ts';
import type { SelectionRequest } from './reading-messages.ts';

/** `next`: behind which number there are more; null: there are none. */
export interface SelectionPage {
  ids: number[];
  next: number | null;
}

/**
 * The numbers of the next samples behind one, rising. What a query finds is found with the first page: what is done to samples on
 * the way does not change which come. A hash means every sample that has it.
 */
export function selectionPage(sql: DatabaseSync, lists: KeptLists, { selection, after, limit }: SelectionRequest): SelectionPage {
  const all = selection.kind === 'named' ? named(sql, selection.hashes) : queried(sql, lists, selection, after);
  const from = firstBehind(all, after);
  const page = [...all.subarray(from, from + limit)];
  return { ids: page, next: from + limit < all.length ? (page.at(-1) ?? null) : null };
}

const named = (sql: DatabaseSync, hashes: readonly string[]): Float64Array => idsWhere(sql, hasHash, { hashes: JSON.stringify(hashes) });

function queried(sql: DatabaseSync, lists: KeptLists, { terms, except }: Extract<LibrarySelection, { kind: 'query' }>, after: number): Float64Array {
  const key = JSON.stringify(['selection', terms, except]);
  const kept = after === 0 ? null : lists.get(key);
  if (kept) return kept.ids;
  const found = withTerms(sql, terms, ({ where, parameters }) =>
    except.length === 0 ? idsWhere(sql, where, parameters) : idsWhere(sql, `${where} AND NOT (${hasHash})`, { ...parameters, hashes: JSON.stringify(except) }));
  return lists.keep(key, { ids: found, total: found.length }).ids;
}

const hasHash = `md5 IN (SELECT value FROM json_each(:hashes)) OR ifnull(sha1 IN (SELECT value FROM json_each(:hashes)), false)
  OR ifnull(sha256 IN (SELECT value FROM json_each(:hashes)), false)`;

const idsWhere = (sql: DatabaseSync, where: string, parameters: Parameters): Float64Array =>
  Float64Array.from(idsOf(sql, `SELECT sample.id FROM sample WHERE ${where} ORDER BY sample.id`, parameters));

function firstBehind(rising: Float64Array, after: number): number {
  let [low, high] = [0, rising.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((rising[middle] ?? 0) <= after) low = middle + 1;
    else high = middle;
  }
  return low;
}
