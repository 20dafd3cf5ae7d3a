import { expect, test } from 'vitest';
import { latestFirst, type SavedView } from '../../../shared/domain/library.ts';
import { databaseForEachTest } from '../testing/database-of-tests.fixture.ts';
import type { TestDatabase } from '../testing/database.fixture.ts';
import { SavedViewStore } from './saved-view-store.ts';

let database: TestDatabase;
let views: SavedViewStore;
databaseForEachTest((opened) => {
  database = opened;
  views = new SavedViewStore(database.db);
});

const save = (name: string, given: Partial<SavedView> = {}): SavedView =>
  views.save({ id: null, name, query: `tag:${name}`, sort: latestFirst, columns: null, ...given });
const names = (): string =>
  views
    .list()
    .map(({ name }) => name)
    .join('');

test('a view is stored unchanged at the end, and keeps its number and place when edited', () => {
  const [a, b] = [save('a', { columns: ['hash', 'tags'], sort: { by: 'size', descending: false } }), save('b')];
  expect(views.list()).toEqual([
    { id: a.id, name: 'a', query: 'tag:a', sort: { by: 'size', descending: false }, columns: ['hash', 'tags'] },
    b,
  ]);
  expect(views.save({ ...a, name: 'A', columns: null })).toEqual({ ...a, name: 'A', columns: null });
  expect([names(), views.list()[0]?.columns]).toEqual(['Ab', null]);
  expect(() => views.save({ ...a, id: 99 })).toThrow(
    expect.objectContaining({ failure: { kind: 'view-missing', id: 99 } }),
  );
});

test('a name in use is refused for a new and a renamed view, and nothing changes', () => {
  const [a, b] = [save('a'), save('b')];
  const taken = expect.objectContaining({ failure: { kind: 'view-name-taken' } });
  expect(() => save('a')).toThrow(taken);
  expect(() => views.save({ ...b, name: 'a', query: 'tag:c' })).toThrow(taken);
  expect(views.list()).toEqual([a, b]);
});

test('one of two views with the same old name can be changed', () => {
  const [a, b] = [save('a'), save('b')];
  database.db.command("UPDATE saved_view SET name = 'a' WHERE id = ?").run(b.id);
  expect(views.save({ ...a, query: 'tag:c' }).query).toBe('tag:c');
});

test('a view is moved before another or to the end', () => {
  const ids = ['a', 'b', 'c', 'd'].map((name) => save(name).id);
  const [a = 0, b = 0, c = 0, d = 0] = ids;
  for (const [id, before, order] of [
    [d, a, 'dabc'],
    [d, c, 'abdc'],
    [a, null, 'bdca'],
    [b, b, 'bdca'],
    [b, d, 'bdca'],
    [c, d, 'bcda'],
    [a, null, 'bcda'],
  ] as const) {
    views.move(id, before);
    expect([id, before, names()]).toEqual([id, before, order]);
  }
  save('e');
  expect(names()).toBe('bcdae');
  for (const [id, before] of [
    [99, null],
    [99, a],
    [a, 99],
  ] as const) {
    expect(() => views.move(id, before)).toThrow(
      expect.objectContaining({ failure: { kind: 'view-missing', id: 99 } }),
    );
  }
});

test('a removed view is gone, and its number is never reused', () => {
  const [a, b] = [save('a'), save('b')];
  views.remove(b.id);
  views.remove(99);
  expect([names(), save('c').id]).toEqual(['a', b.id + 1]);
  expect(views.list()[0]).toEqual(a);
});

test('a hundred views are kept, and an unreadable one does not stop the list', () => {
  for (let number = 0; number < 100; number += 1) save(`x${number}`);
  expect(() => save('y')).toThrow(expect.objectContaining({ failure: { kind: 'too-many-views', limit: 100 } }));
  database.db.command("UPDATE saved_view SET sort = '{' WHERE id = 2").run();
  database.db.command("UPDATE saved_view SET columns = '7' WHERE id = 3").run();
  expect(views.list().length).toBe(98);
});

test('renaming a view changes nothing else, even after other edits', () => {
  const [a, b] = [save('a'), save('b')];
  const now = views.save({ ...a, query: 'tag:c', columns: ['name'] });
  expect(views.rename(a.id, 'Renamed')).toEqual({ ...now, name: 'Renamed' });
  expect(views.list()).toEqual([{ ...now, name: 'Renamed' }, b]);
  expect(() => views.rename(a.id, 'b')).toThrow(expect.objectContaining({ failure: { kind: 'view-name-taken' } }));
  expect(() => views.rename(99, 'c')).toThrow(expect.objectContaining({ failure: { kind: 'view-missing', id: 99 } }));
  expect(views.list()).toEqual([{ ...now, name: 'Renamed' }, b]);
});
