import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { SampleRecord } from '../../../shared/domain/sample.ts';
import { IndexUpkeep } from '../library/library-index.ts';
import { makeTestFolder, openTestDatabase, recordWith, type TestFolder } from '../testing/database.fixture.ts';
import { scanHashesOf, sha256Of } from '../testing/scan.fixture.ts';
import { migrate, migrations } from './migrations.ts';

let folder: TestFolder;
beforeEach(() => {
  folder = makeTestFolder();
});
afterEach(() => folder.remove());

const time = '2030-01-01T00:00:00.000Z';

/** A database of version 28 with a sample for each record and these values, which version 28 stored. */
function stocked(samples: readonly { record: SampleRecord | null; values: readonly [string, string][] }[]): void {
  const sql = new DatabaseSync(join(folder.path, 'vitrine.db'), { enableForeignKeyConstraints: true });
  migrate(sql, migrations.slice(0, 28));
  for (const [index, { record, values }] of samples.entries()) {
    const { md5 } = scanHashesOf(index + 1);
    const { lastInsertRowid } = sql
      .prepare('INSERT INTO sample (md5, sha256, first_seen, last_seen) VALUES (?1, ?2, ?3, ?3)')
      .run(md5, sha256Of(index + 1), time);
    if (record !== null)
      sql
        .prepare("INSERT INTO record (workspace_id, md5, read_at, body) VALUES ('lab', ?, ?, ?)")
        .run(md5, time, JSON.stringify(record));
    for (const [field, value] of values) {
      sql.prepare('INSERT OR IGNORE INTO known_value (field, value) VALUES (?, ?)').run(field, value);
      sql
        .prepare('INSERT INTO sample_value SELECT id, ? FROM known_value WHERE field = ? AND value = ?')
        .run(lastInsertRowid, field, value);
    }
  }
  sql.prepare("INSERT INTO sample_name VALUES (?, '(---)', '', ?)").run(sha256Of(samples.length), time);
  sql.close();
}

const none = { score: null, link: null };
const samples = [
  {
    record: recordWith({
      sandbox: { state: '0', link: null },
      virusTotal: { state: 'unknown', ...none },
      tags: ['a,b'],
    }),
    values: [
      ['sandbox', '0'],
      ['vt', 'unknown'],
    ],
  },
  {
    record: recordWith({ sandbox: { state: '0', link: 'http://s/' }, signer: 'Acme\u200b', favorite: true }),
    values: [
      ['sandbox', '0'],
      ['signer', 'acme\u200b'],
    ],
  },
  { record: recordWith({ sandbox: { state: 'other', link: null } }), values: [['sandbox', 'other']] },
  { record: null, values: [] },
] satisfies Parameters<typeof stocked>[0];

/** What each sample is found by. */
const statedIn = (sql: DatabaseSync): string[] =>
  sql
    .prepare(
      `SELECT sample_id || ' ' || field || ':' || value AS stated FROM sample_value
        JOIN known_value ON known_value.id = value_id ORDER BY 1`,
    )
    .all()
    .map(({ stated }) => String(stated));

const atOnce = [
  '1 sandbox:0',
  '1 sandbox:found',
  '1 vt:not found',
  '1 vt:unknown',
  '2 sandbox:0',
  '2 sandbox:found',
  '2 signer:acme\u200b',
  '3 sandbox:other',
];
const inTheEnd = [
  ...atOnce.filter((one) => !one.includes('\u200b')),
  '1 tag:a,b',
  '2 favorite:yes',
  '2 sandbox:http://s/',
  '2 signer:acme\\u200b',
  '4 name:(---)',
].toSorted();

test('the words of codes are found as soon as the database is migrated, and the rest after its upkeep', () => {
  stocked(samples);
  const { db } = openTestDatabase(folder.path);
  expect(statedIn(db.sql)).toEqual(atOnce);
  // A step each, as after a restart.
  expect([0, 1, 2, 3].map(() => new IndexUpkeep(db).step(1))).toEqual([true, true, true, false]);
  expect(statedIn(db.sql)).toEqual(inTheEnd);
  expect(new IndexUpkeep(db).step(1)).toBe(false);
  expect(statedIn(db.sql)).toEqual(inTheEnd);
  db.close();
});

test('a new database has no values to read again', () => {
  const { db } = openTestDatabase(folder.path);
  expect(new IndexUpkeep(db).step(1)).toBe(false);
  db.close();
});
