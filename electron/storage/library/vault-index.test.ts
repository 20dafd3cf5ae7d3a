import { expect, test } from 'vitest';
import { databaseForEachTest } from '../testing/database-of-tests.fixture.ts';
import type { TestDatabase } from '../testing/database.fixture.ts';
import { type PackPlace, SqlitePackIndex } from './vault-index.ts';

let database: TestDatabase;
let index: SqlitePackIndex;
databaseForEachTest((opened) => {
  database = opened;
  index = new SqlitePackIndex(database.db);
});

const name = (digit: string): string => digit.repeat(64);
const place = (digit: string, at: number, pack = 'one.pack'): PackPlace => ({
  sha256: name(digit),
  pack,
  at,
  length: 100,
});

test('a place is found, replaced by a newer one, and forgotten', async () => {
  await index.add([place('a', 16)], () => {});
  expect(index.place(name('a'))).toEqual(place('a', 16));
  await index.add([place('a', 500, 'two.pack')], () => {});
  expect(index.place(name('a'))).toEqual(place('a', 500, 'two.pack'));
  index.remove(name('a'));
  index.remove(name('a'));
  expect(index.place(name('a'))).toBeNull();
});

test('many places are found at once, without the unknown ones', async () => {
  await index.add([place('a', 16), place('b', 200)], () => {});
  expect(index.places([name('b'), name('c'), name('a')])).toEqual(
    expect.arrayContaining([place('a', 16), place('b', 200)]),
  );
  expect(index.places([name('b'), name('c'), name('a')])).toHaveLength(2);
  expect(index.places([])).toEqual([]);
});

test('a pack ends at the end of its last sample', async () => {
  await index.add([place('a', 900), place('b', 16), place('c', 16, 'two.pack')], () => {});
  expect(index.endOf('one.pack')).toBe(1000);
  expect(index.endOf('three.pack')).toBeNull();
  index.remove(name('a'));
  expect(index.endOf('one.pack')).toBe(116);
});

test('names are listed in order, a limited number at a time', async () => {
  await index.add([place('c', 16), place('a', 200), place('b', 400)], () => {});
  expect(index.list('', 2)).toEqual([name('a'), name('b')]);
  expect(index.list(name('b'), 2)).toEqual([name('c')]);
  expect(index.list(name('c'), 2)).toEqual([]);
});

test('places and their accompanying changes are stored together or not at all', async () => {
  const note = (): void =>
    void database.journal.append({ workspaceId: null, operation: 'download', hash: null, outcome: 'done' });
  const refused = (): void => {
    note();
    throw new Error('refused');
  };
  expect(() => index.add([place('a', 16)], refused)).toThrow('refused');
  expect(index.list('', 10)).toEqual([]);
  expect(database.journal.verify()).toMatchObject({ rows: 0 });
  await index.add([place('a', 16)], note);
  expect(index.list('', 10)).toEqual([name('a')]);
});
