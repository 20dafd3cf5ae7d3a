import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { z } from 'zod';
import type { AddedFile } from '../../../shared/domain/addition.ts';
import { LibraryStore } from '../library/library-store.ts';
import { migrate, migrations, versionOf } from '../migrations/migrations.ts';
import { ScanStore } from '../scans/scan-store.ts';
import { databaseForEachTest } from '../testing/database-of-tests.fixture.ts';
import type { TestDatabase } from '../testing/database.fixture.ts';
import { foundByWords } from '../testing/found-by-words.fixture.ts';
import { scanHashesOf, sha256Of } from '../testing/scan.fixture.ts';
import { AdditionStore } from './addition-store.ts';
import { SqliteJobStore } from './job-store.ts';

let database: TestDatabase;
let library: LibraryStore;
let store: AdditionStore;
const reopen = databaseForEachTest((opened) => {
  database = opened;
  library = new LibraryStore(database.db, database.journal);
  store = new AdditionStore(database.db);
});

const time = '2030-01-01T00:00:00.000Z';
const noteOf = (bytes: number, name: string, path = '') => ({
  hashes: scanHashesOf(bytes),
  sizeBytes: 9,
  name,
  path,
  outcome: 'done',
});
const given = (name: string) => ({
  name,
  path: '',
  stagedId: name.padEnd(32, '0'),
  place: { kind: 'container' },
  sizeBytes: 5,
});
const fileOf = (rank: string, change: Partial<AddedFile> = {}): AddedFile => ({
  rank,
  name: 'a',
  path: '',
  sizeBytes: 5,
  md5: null,
  sha1: null,
  sha256: null,
  mime: null,
  state: 'stored',
  failure: null,
  archive: null,
  remarks: [],
  ...change,
});
const newJob = (): number => {
  const jobs = new SqliteJobStore(database.db);
  const id = jobs.create({ task: { kind: 'library-add', opensArchives: true }, workspaceId: null, created: time });
  jobs.change(id, { state: 'running' });
  return id;
};
const window = { toSee: false, offset: 0, limit: 10 };

test.each([1, 4, 12, 18, 19, 20])('a database of version %i can keep local files and their names', (version) => {
  reopen((folder) => {
    const path = join(folder, 'vitrine.db');
    const sql = new DatabaseSync(path);
    for (const { name } of sql
      .prepare(
        `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'
          AND name NOT LIKE 'sample_text_%' AND name NOT LIKE '%_text_%'`,
      )
      .all())
      sql.exec(`DROP TABLE IF EXISTS "${String(name)}"`);
    sql.exec('PRAGMA user_version = 0');
    migrate(sql, migrations.slice(0, version));
    sql
      .prepare(
        `INSERT INTO sample (md5, sha256, size_bytes, verified, in_vault, first_seen, last_seen)
          VALUES (?, ?, 9, 1, 1, ?, ?)`,
      )
      .run(scanHashesOf(1).md5, sha256Of(1), time, time);
    sql.close();
  });
  expect(versionOf(database.db.sql)).toBe(migrations.length);
  library.recordAdditions([noteOf(1, 'invoice.exe', 'mail.zip!')]);
  expect(library.sample(sha256Of(1))).toMatchObject({
    row: { name: 'invoice.exe', vault: 'held' },
    names: [{ name: 'invoice.exe', path: 'mail.zip!' }],
  });
});

test('a sample is found by every added name, shows the newest, and its record takes precedence', () => {
  library.recordAdditions([noteOf(1, 'first.exe')]);
  library.recordAdditions([noteOf(1, 'second\u202egpj.exe', 'a/b')]);
  expect([library.nameOf(sha256Of(1)), library.sample(sha256Of(1))?.row.name]).toEqual([
    'second\u202egpj.exe',
    'second\u202egpj.exe',
  ]);
  for (const word of ['first', 'second']) expect(foundByWords(database.db, word)).toHaveLength(1);
  expect(new ScanStore(database.db).namesOf(sha256Of(1)).toSorted()).toEqual(['first.exe', 'second\u202egpj.exe']);
  database.db.sql
    .prepare("INSERT INTO record (workspace_id, md5, name, read_at, body) VALUES ('lab', ?, 'theirs.exe', ?, '{}')")
    .run(scanHashesOf(1).md5, time);
  library.recordAdditions([noteOf(1, 'third.exe')]);
  expect([library.nameOf(sha256Of(1)), library.sample(sha256Of(1))?.row.name]).toEqual(['theirs.exe', 'theirs.exe']);
});

test('names are forgotten with the sample, and stay when only its bytes are removed', () => {
  library.recordAdditions([noteOf(1, 'first.exe')]);
  library.forget([sha256Of(1)], 'bytes');
  expect(library.sample(sha256Of(1))).toMatchObject({ row: { name: 'first.exe', vault: 'none' } });
  library.forget([sha256Of(1)], 'all');
  expect(
    database.db.query(z.object({ rows: z.number() }), 'SELECT count(*) AS rows FROM sample_name').get()?.rows,
  ).toBe(0);
  expect(foundByWords(database.db, 'first')).toEqual([]);
});

test('a file that could not be added is a journal row and no sample', () => {
  library.recordAdditions([
    { hashes: null, sizeBytes: null, name: 'gone.exe', path: '', outcome: 'file-gone', detail: { job: 3 } },
  ]);
  expect(library.count().samples).toBe(0);
  const row = database.db
    .query(
      z.object({ operation: z.string(), outcome: z.string(), detail: z.string() }),
      'SELECT operation, outcome, detail FROM journal',
    )
    .get();
  expect(row).toEqual({ operation: 'add', outcome: 'file-gone', detail: '{"name":"gone.exe","job":3}' });
});

test('files keep their order, members follow their archive, and the filter returns only noteworthy files', () => {
  const id = newJob();
  expect(store.add(id, [given('a'), given('b')])).toBe(2);
  expect(store.waiting(id, 9).map(({ rank, stagedId }) => [rank, stagedId[0]])).toEqual([
    ['000001.', 'a'],
    ['000002.', 'b'],
  ]);
  expect(store.waitingBytes(id)).toBe(10);
  const locked = { state: 'locked' as const, members: 1, remarks: [{ kind: 'no-directory' as const }], failure: null };
  store.settle(id, [
    fileOf('000001.000002.', { name: 'n', state: 'failed', failure: { kind: 'archive-password', name: 'n' } }),
    fileOf('000001.000001.', { name: 'm' }),
  ]);
  store.settle(id, [fileOf('000001.', { archive: locked })]);
  expect(store.page(id, window)).toMatchObject({
    total: 4,
    files: [
      { name: 'a', state: 'stored', archive: locked },
      { name: 'm' },
      { name: 'n', failure: { kind: 'archive-password' } },
      { name: 'b', state: 'waiting' },
    ],
  });
  expect(store.page(id, { ...window, toSee: true })).toMatchObject({ total: 2, files: [{ name: 'a' }, { name: 'n' }] });
  expect(store.counts(id)).toEqual({
    states: { failed: 1, empty: 0, waiting: 1, stored: 2, 'already-here': 0, opened: 0 },
    closed: 1,
  });
  expect([...store.membersOf(id, '000001.').keys()]).toEqual(['000001.000001.', '000001.000002.']);
  expect(store.waiting(id, 9).map(({ rank }) => rank)).toEqual(['000002.']);
  expect(store.everyStaged().map(({ stagedId }) => stagedId[0])).toEqual(['b']);
  expect([store.forget(id).map((stagedId) => stagedId[0]), store.page(id, window).total]).toEqual([['b'], 0]);
});

test('files of removed drafts and jobs are deleted, and a damaged row is shown as unreadable', () => {
  const [id, draft] = [
    newJob(),
    new SqliteJobStore(database.db).create({
      task: { kind: 'library-add', opensArchives: true },
      workspaceId: null,
      created: time,
    }),
  ];
  for (const job of [id, draft, 99]) store.add(job, [given('a')]);
  store.dropOrphans();
  expect([id, draft, 99].map((job) => store.given(job))).toEqual([1, 0, 0]);
  database.db.sql.exec("UPDATE added_file SET state = 'odd', remarks = '{', md5 = 'x', failure = '{'");
  expect(store.page(id, window).files).toMatchObject([
    { name: 'a', state: 'failed', failure: { kind: 'file-unreadable', code: 'ROW_DAMAGED' } },
  ]);
});
