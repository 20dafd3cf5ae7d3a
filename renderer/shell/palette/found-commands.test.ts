import { expect, test } from 'vitest';
import type { LibraryRow } from '../../../shared/domain/library.ts';
import type { QueryTerm } from '../../../shared/domain/query-fields.ts';
import { failed, success } from '../../../shared/failure.ts';
import { rowOf } from '../../features/library/library-row.fixture.ts';
import { findSamples, type ListSamples } from './found-commands.ts';

/** Lists as the host does, latest first: a text is in a name or a tag. Notes what it was asked for. */
function libraryOf(rows: readonly LibraryRow[]) {
  const asked: [string, number][] = [];
  const holds = (term: QueryTerm, { name, tags }: LibraryRow): boolean => {
    if (term.field !== 'text' && term.field !== 'name') return true;
    const isNamed = (name ?? '').includes(term.value);
    return (isNamed || (term.field === 'text' && tags.includes(term.value))) !== term.negated;
  };
  const list: ListSamples = (terms, limit) => {
    asked.push([terms.map(({ field }) => field).join(' '), limit]);
    return Promise.resolve(success(rows.filter((row) => terms.every((term) => holds(term, row))).slice(0, limit)));
  };
  return { list, asked };
}

async function namesFound(find: string, list: ListSamples): Promise<(string | null)[]> {
  const found = await findSamples(find, list);
  if (!found.ok) throw new Error(found.failure.kind);
  return found.value.map(({ name }) => name);
}

const tagged = Array.from({ length: 10 }, (_, at) => rowOf(at + 1, { name: `tagged-${at}`, tags: ['loader-610453'] }));

test('name matches come before tag matches, however new, and the best name first', async () => {
  const { list } = libraryOf([
    ...tagged,
    rowOf(20, { name: 'old-loader-610453.pdf' }),
    rowOf(21, { name: 'loader-610453.pdf', tags: ['loader-610453'] }),
  ]);
  expect(await namesFound('loader-610453', list)).toEqual([
    'loader-610453.pdf',
    'old-loader-610453.pdf',
    ...tagged.slice(0, 6).map(({ name }) => name),
  ]);
});

test('the exact name comes first among many similar ones, and the rest is not fetched', async () => {
  const { list, asked } = libraryOf([
    ...Array.from({ length: 30 }, (_, at) => rowOf(at + 1, { name: `loader ${at}` })),
    rowOf(40, { name: 'loader' }),
  ]);
  expect(await namesFound('loader', list)).toEqual(['loader', ...Array.from({ length: 7 }, (_, at) => `loader ${at}`)]);
  expect(asked).toEqual([['name', 200]]);
});

test('every word is required, and other conditions apply to both searches', async () => {
  const { list, asked } = libraryOf([
    rowOf(1, { name: 'dark loader' }),
    rowOf(2, { name: 'loader of old' }),
    rowOf(3, { name: 'loader' }),
  ]);
  expect(await namesFound('loader tag:x -old', list)).toEqual(['loader', 'dark loader']);
  expect(asked).toEqual([
    ['name tag text', 200],
    ['text tag text', 8],
  ]);
});

test('a query without words is sent unchanged, and an invalid one finds nothing', async () => {
  const { list, asked } = libraryOf([rowOf(1)]);
  expect(await namesFound('tag:x', list)).toEqual(['sample-1.exe']);
  expect(asked).toEqual([['tag', 8]]);
  expect(await namesFound('tag:', list)).toEqual([]);
  expect(asked).toHaveLength(1);
});

test.each([[1], [2]])('the failure of request %i fails the whole search', async (failing) => {
  let asked = 0;
  const list: ListSamples = () =>
    Promise.resolve((asked += 1) === failing ? failed({ kind: 'cancelled' }) : success([]));
  expect(await findSamples('loader', list)).toEqual(failed({ kind: 'cancelled' }));
});
