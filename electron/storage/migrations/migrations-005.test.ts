import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { SqliteJobStore } from '../jobs/job-store.ts';
import { LibraryStore } from '../library/library-store.ts';
import { ScanStore } from '../scans/scan-store.ts';
import { makeTestFolder, openTestDatabase, type TestFolder } from '../testing/database.fixture.ts';
import { beginScan, noteOf, resultOf, sha256Of } from '../testing/scan.fixture.ts';
import { migrate, migrations, versionOf } from './migrations.ts';

let folder: TestFolder;
beforeEach(() => {
  folder = makeTestFolder();
});
afterEach(() => folder.remove());

const time = '2030-01-01T00:00:00.000Z';

test('a database of version 4 keeps its data and accepts scans and tags', () => {
  const sql = new DatabaseSync(join(folder.path, 'vitrine.db'), { enableForeignKeyConstraints: true });
  migrate(sql, migrations.slice(0, 4));
  sql
    .prepare(
      `INSERT INTO sample (md5, sha256, size_bytes, verified, in_vault, first_seen, last_seen)
        VALUES (?, ?, 7, 1, 1, ?, ?)`,
    )
    .run('a'.repeat(32), sha256Of(1), time, time);
  sql.prepare("INSERT INTO mute (workspace_id, rule, reason, created) VALUES ('lab', 'Noisy', 'noise', ?)").run(time);
  sql.close();
  const { db, journal } = openTestDatabase(folder.path);
  expect(versionOf(db.sql)).toBe(migrations.length);
  const [library, scans] = [new LibraryStore(db, journal), new ScanStore(db)];
  expect(library.vaultPage(0, 9)).toMatchObject([{ sha256: sha256Of(1), sizeBytes: 7 }]);
  expect(library.find(sha256Of(1))).toMatchObject({ inVault: true, tags: [] });
  expect([scans.stagedFiles(), scans.lastHunt('lab'), scans.pace('wasm'), scans.hitsOf('lab', sha256Of(1))]).toEqual([
    [],
    null,
    null,
    [],
  ]);
  scans.record(beginScan(new SqliteJobStore(db), 'scan', 1), [noteOf(1, resultOf('local', ['Noisy', 'Other']))]);
  expect(scans.hitsOf('lab', sha256Of(1)).map(({ rule, mute }) => [rule, mute?.reason])).toEqual([
    ['Noisy', 'noise'],
    ['Other', undefined],
  ]);
  db.close();
});
