import { expect, test } from 'vitest';
import { StoredTable } from './stored-table.ts';

interface Row {
  key: string;
  text: string;
}

const row = (text: string): Row => ({ key: 'a', text });

test('calls made before the database library is loaded run in their order', async () => {
  const rows = new StoredTable<Row, string>({ database: 'in-order', table: 'rows', keys: 'key' });
  const kept = rows.try((table) => table.put(row('first')));
  const keptAgain = rows.try((table) => table.put(row('second')));
  const read = rows.try((table) => table.get('a'));
  expect(await Promise.all([kept, keptAgain, read])).toEqual(['a', 'a', row('second')]);
});

test('nothing is stored when the database library fails to load, and the next call loads it again', async () => {
  let isThere = false;
  const rows = new StoredTable<Row, string>({ database: 'had-later', table: 'rows', keys: 'key' }, () =>
    isThere ? import('dexie') : Promise.reject(new TypeError('Failed to fetch dynamically imported module')),
  );
  expect(await rows.try((table) => table.put(row('lost')))).toBeNull();
  isThere = true;
  expect(await rows.try((table) => table.put(row('kept')))).toBe('a');
  expect(await rows.try((table) => table.get('a'))).toEqual(row('kept'));
});
