import { readLibraryQuery } from '../../../shared/domain/library-query.ts';
import type { LibraryRow } from '../../../shared/domain/library.ts';
import type { QueryTerm } from '../../../shared/domain/query-fields.ts';
import { rankOf } from '../../../shared/domain/ranking.ts';
import { type Result, success } from '../../../shared/failure.ts';

const mostFound = 8;
/** Of those that are called so: the latest are compared by their names. */
const mostCompared = 200;

type Rows = Result<readonly LibraryRow[]>;
/** The first samples that all the terms hold for, seen last first. */
export type ListSamples = (terms: QueryTerm[], limit: number) => Promise<Rows>;

/**
 * In the words of the library's queries: those that are called so, the best name first, then those in which the words
 * stand elsewhere. What cannot be read finds nothing.
 */
export async function findSamples(find: string, list: ListSamples): Promise<Rows> {
  const read = readLibraryQuery(find, new Date());
  if (read.kind === 'problem') return success([]);
  const named = await findNamed(read.terms, list);
  return named.ok && named.value.length < mostFound ? filledUp(named.value, await list(read.terms, mostFound)) : named;
}

async function findNamed(terms: readonly QueryTerm[], list: ListSamples): Promise<Rows> {
  const inNames = terms.map(soughtInNames);
  const words = inNames.flatMap((term) => (term.field === 'name' && !term.negated ? [term.value] : [])).join(' ');
  if (words === '') return success([]);
  const found = await list(inNames, mostCompared);
  return found.ok ? success(bestNamed(words, found.value).slice(0, mostFound)) : found;
}

const soughtInNames = (term: QueryTerm): QueryTerm =>
  term.field === 'text' && !term.negated ? { ...term, field: 'name' } : term;

/** Some are found by a name that another service gave: their own may not be meant at all. */
function bestNamed(words: string, rows: readonly LibraryRow[]): LibraryRow[] {
  const rankOfRow = ({ name }: LibraryRow): number => rankOf(words, { title: name ?? '' }) ?? Number.MAX_VALUE;
  return rows
    .map((row) => ({ row, rank: rankOfRow(row) }))
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ row }) => row);
}

function filledUp(first: readonly LibraryRow[], rest: Rows): Rows {
  if (!rest.ok) return rest;
  const known = new Set(first.map(({ hash }) => hash));
  return success([...first, ...rest.value.filter(({ hash }) => !known.has(hash))].slice(0, mostFound));
}
