import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { LibraryStore } from '../library/library-store.ts';
import { makeTestFolder, openTestDatabase, recordWith, type TestFolder } from '../testing/database.fixture.ts';
import { scanHashesOf, sha256Of } from '../testing/scan.fixture.ts';
import { migrate, migrations } from './migrations.ts';

let folder: TestFolder;
beforeEach(() => {
  folder = makeTestFolder();
});
afterEach(() => folder.remove());

const time = '2030-01-01T00:00:00.000Z';
const { md5 } = scanHashesOf(1);
const records: [workspace: string, md5: string, sha256: string | null, body: string][] = [
  ['lab', md5, sha256Of(1), JSON.stringify(recordWith({ signer: 'Acme', urls: [{ name: 'a', url: 'http://B/' }] }))],
  ['w-1', md5, null, JSON.stringify(recordWith({ signer: 'ACME ', mime: 'application/pdf' }))],
  // Of other bytes with the same MD5; of no sample; unreadable.
  ['w-2', md5, sha256Of(3), JSON.stringify(recordWith({ signer: 'Other' }))],
  ['lab', scanHashesOf(9).md5, null, JSON.stringify(recordWith({ signer: 'No one' }))],
  ['lab', scanHashesOf(8).md5, null, '{'],
];

test('what stored records state is found after the migration, as if they were fetched again', () => {
  const sql = new DatabaseSync(join(folder.path, 'vitrine.db'), { enableForeignKeyConstraints: true });
  migrate(sql, migrations.slice(0, 27));
  sql
    .prepare('INSERT INTO sample (md5, sha256, first_seen, last_seen) VALUES (?1, ?2, ?3, ?3)')
    .run(md5, sha256Of(1), time);
  for (const [workspace, of, sha256, body] of records)
    sql
      .prepare('INSERT INTO record (workspace_id, md5, sha256, read_at, body) VALUES (?, ?, ?, ?, ?)')
      .run(workspace, of, sha256, time, body);
  sql.close();
  const { db, journal } = openTestDatabase(folder.path);
  const stated = (): unknown[] =>
    db.sql
      .prepare(
        `SELECT field, value FROM sample_value JOIN known_value ON known_value.id = value_id
          JOIN sample ON sample.id = sample_id WHERE md5 = ? ORDER BY field, value`,
      )
      .all(md5)
      .map(({ field, value }) => `${String(field)}:${String(value)}`);
  const migrated = stated();
  expect(migrated).toEqual(['mime:application/pdf', 'signer:acme', 'url:a', 'url:a: http://b/', 'url:http://b/']);
  expect(db.sql.prepare('SELECT count(*) AS n FROM known_value').get()).toEqual({ n: 5 });
  new LibraryStore(db, journal).changeSamples([sha256Of(1)], { add: ['x'], remove: [] });
  expect(stated()).toEqual(migrated);
  db.close();
});
