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
 * The numbers of the next samples behind one, rising. What a query finds is found with the first page: what is done to
 * samples on the way does not change which come. A hash means one sample, as it does for the library's store.
 */
export function selectionPage(
  sql: DatabaseSync,
  lists: KeptLists,
  { selection, after, limit }: SelectionRequest,
): SelectionPage {
  const all = selection.kind === 'named' ? named(sql, selection.hashes) : queried(sql, lists, selection, after);
  const from = firstBehind(all, after);
  const page = [...all.subarray(from, from + limit)];
  return { ids: page, next: from + limit < all.length ? (page.at(-1) ?? null) : null };
}

const named = (sql: DatabaseSync, hashes: readonly string[]): Float64Array =>
  idsWhere(sql, hasHash, { hashes: JSON.stringify(hashes) });

function queried(
  sql: DatabaseSync,
  lists: KeptLists,
  { terms, except }: Extract<LibrarySelection, { kind: 'query' }>,
  after: number,
): Float64Array {
  const key = JSON.stringify(['selection', terms, except]);
  const kept = after === 0 ? null : lists.get(key);
  if (kept) return kept.ids;
  const found = withTerms(sql, terms, ({ where, parameters }) =>
    except.length === 0
      ? idsWhere(sql, where, parameters)
      : idsWhere(sql, `${where} AND NOT (${hasHash})`, { ...parameters, hashes: JSON.stringify(except) }),
  );
  return lists.keep(key, { ids: found, total: found.length }).ids;
}

/**
 * Of several with one MD5 the row that has no SHA-256: it goes by that MD5. Else the one that is shown when several
 * share a hash.
 */
const best = 'ORDER BY sha256 IS NOT NULL, in_vault DESC, verified DESC, last_seen DESC, id DESC LIMIT 1';
const idOfHash = `CASE length(value) WHEN 64 THEN (SELECT id FROM sample WHERE sha256 = value)
  WHEN 40 THEN (SELECT id FROM sample WHERE sha1 = value ${best})
    ELSE (SELECT id FROM sample WHERE md5 = value ${best}) END`;
const hasHash = `sample.id IN (SELECT id FROM (SELECT ${idOfHash} AS id FROM json_each(:hashes)) WHERE id IS NOT NULL)`;

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
