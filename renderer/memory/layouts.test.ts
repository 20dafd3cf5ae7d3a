import { Dexie } from 'dexie';
import { expect, test, vi } from 'vitest';
import { LibraryLayouts, usualLayout } from './layouts.ts';

let databases = 0;
const freshName = (): string => `layouts-${(databases += 1)}`;

test('a later page restores the columns', async () => {
  const name = freshName();
  await new LibraryLayouts(name).change({ order: ['name', 'hash'], hidden: ['hits'] });
  const later = new LibraryLayouts(name);
  expect(later.snapshot()).toEqual(usualLayout);
  await later.load();
  expect(later.snapshot()).toEqual({ ...usualLayout, order: ['name', 'hash'], hidden: ['hits'] });
});

test('a change made before the earlier layout was read is kept', async () => {
  const name = freshName();
  await new LibraryLayouts(name).change({ inspectorWidth: 300 });
  const later = new LibraryLayouts(name);
  const loading = later.load();
  void later.change({ inspectorWidth: 400 });
  await loading;
  expect(later.snapshot().inspectorWidth).toBe(400);
});

test('an unreadable layout stored by another program gives the default one', async () => {
  const name = freshName();
  const database = new Dexie(name);
  database.version(1).stores({ layouts: 'key' });
  await database.table('layouts').put({ key: 'library', layout: { order: 'name', inspectorWidth: 9000 } });
  database.close();
  const layouts = new LibraryLayouts(name);
  await layouts.load();
  expect(layouts.snapshot()).toEqual(usualLayout);
});

test('a browser without a database keeps the layout until the page closes', async () => {
  const open = vi.spyOn(indexedDB, 'open').mockImplementation(() => {
    throw new DOMException('no', 'SecurityError');
  });
  const layouts = new LibraryLayouts(freshName());
  await layouts.change({ showsInspector: false });
  expect(layouts.snapshot().showsInspector).toBe(false);
  open.mockRestore();
});
