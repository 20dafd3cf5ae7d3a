import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { LibraryStore } from '../library/library-store.ts';
import { PackageStore } from '../packages/package-store.ts';
import { MuteStore } from '../scans/mute-store.ts';
import { makeTestFolder, openTestDatabase, type TestFolder } from '../testing/database.fixture.ts';
import { foundPackage } from '../testing/package.fixture.ts';
import { migrate, migrations, versionOf } from './migrations.ts';

let folder: TestFolder;
beforeEach(() => {
  folder = makeTestFolder();
});
afterEach(() => folder.remove());

test('a database of version 3 keeps its data and accepts packages and mutes', () => {
  const sql = new DatabaseSync(join(folder.path, 'vitrine.db'), { enableForeignKeyConstraints: true });
  migrate(sql, migrations.slice(0, 3));
  sql
    .prepare('INSERT INTO record (workspace_id, md5, name, read_at, body) VALUES (?, ?, ?, ?, ?)')
    .run('lab', 'a'.repeat(32), 'kept', '2030-01-01T00:00:00.000Z', '{}');
  sql.close();
  const { db, journal } = openTestDatabase(folder.path);
  expect(versionOf(db.sql)).toBe(migrations.length);
  expect(new LibraryStore(db, journal).count()).toMatchObject({ samples: 0 });
  expect(db.sql.prepare('SELECT name FROM record').all()).toEqual([{ name: 'kept' }]);
  const [packages, mutes] = [new PackageStore(db, journal), new MuteStore(db, journal)];
  expect([packages.list('lab'), packages.scheduled(), mutes.list('lab')]).toEqual([[], [], []]);
  packages.recordFile('lab', foundPackage(1));
  expect(packages.list('lab')).toHaveLength(1);
  db.close();
});
