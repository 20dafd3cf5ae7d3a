import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { platform } from 'node:process';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { fail, type Failure, FailureError } from '../../../shared/failure.ts';
import { migrations } from '../migrations/migrations.ts';
import { makeTestFolder, type TestFolder } from '../testing/database.fixture.ts';
import { type Database, openDatabase } from './database.ts';

let folder: TestFolder;
const opened: Database[] = [];
const children: ChildProcess[] = [];

beforeEach(() => {
  folder = makeTestFolder();
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  for (const db of opened.splice(0)) db.close();
  folder.remove();
});

function open(path = folder.path, steps?: readonly string[]): Database {
  const db = openDatabase(path, steps);
  opened.push(db);
  return db;
}

function failureOf(work: () => unknown): Failure {
  try {
    work();
  } catch (error) {
    if (error instanceof FailureError) return error.failure;
    throw error;
  }
  return expect.fail('it succeeded');
}

/** A separate process that opens the data directory, prints that it did, and stays. */
async function holder(): Promise<ChildProcess> {
  const script = `import { openDatabase } from ${JSON.stringify(new URL('./database.ts', import.meta.url).href)};
    const db = openDatabase(${JSON.stringify(folder.path)});
    db.sql.exec("INSERT INTO setting VALUES ('kept', '1')");
    process.stdout.write('held'); setInterval(() => db.path, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module-typescript', '--eval', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  if (child.stdout) await once(child.stdout, 'data');
  return child;
}

const everyFile = (): Map<string, string> =>
  new Map(
    readdirSync(folder.path)
      .toSorted()
      .map((name) => [name, readFileSync(join(folder.path, name), 'hex')]),
  );
const numberRow = z.object({ a: z.number() });

test('a new directory is private to its owner and has a WAL database with foreign keys', () => {
  const path = join(folder.path, 'deep', 'data');
  const db = open(path);
  expect(statSync(path).mode & 0o777).toBe(0o700);
  expect(db.path).toBe(join(path, 'vitrine.db'));
  expect(db.sql.prepare('PRAGMA journal_mode').get()).toMatchObject({ journal_mode: 'wal' });
  expect(db.sql.prepare('PRAGMA foreign_keys').get()).toMatchObject({ foreign_keys: 1 });
  expect(db.sql.prepare('PRAGMA user_version').get()).toMatchObject({ user_version: migrations.length });
});

test.skipIf(platform === 'win32')(
  'files in a directory readable by others become private, also those left by older versions or a crash',
  () => {
    const path = join(folder.path, 'theirs');
    mkdirSync(path);
    chmodSync(path, 0o755);
    const modes = (): Record<string, number> =>
      Object.fromEntries(readdirSync(path).map((name) => [name, statSync(join(path, name)).mode & 0o777]));
    const own = { 'lock.db': 0o600, 'vitrine.db': 0o600, 'vitrine.db-shm': 0o600, 'vitrine.db-wal': 0o600 };
    const first = open(path);
    expect(modes()).toEqual(own);
    const log = readFileSync(`${first.path}-wal`);
    first.close();
    writeFileSync(`${first.path}-wal`, log);
    for (const name of readdirSync(path)) chmodSync(join(path, name), 0o644);
    open(path);
    expect(modes()).toEqual(own);
  },
);

test('another process is refused while one holds the directory, and admitted once that one is killed', async () => {
  const child = await holder();
  expect(failureOf(() => open())).toEqual({ kind: 'data-in-use', path: folder.path });
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(open().sql.prepare('SELECT value FROM setting').get()).toMatchObject({ value: '1' });
});

test('the same process is refused too, and admitted after closing', () => {
  const db = open();
  expect(failureOf(() => open()).kind).toBe('data-in-use');
  db.close();
  db.close();
  expect(open().path).toBe(db.path);
});

test('a reader with its own connection reads beside the writer', () => {
  const db = open();
  const reader = new DatabaseSync(db.path, { readOnly: true });
  db.transaction(() => {
    db.sql.exec("INSERT INTO setting VALUES ('a', '1')");
    expect(reader.prepare('SELECT count(*) AS a FROM setting').get()).toMatchObject({ a: 0 });
  });
  expect(reader.prepare('SELECT count(*) AS a FROM setting').get()).toMatchObject({ a: 1 });
  reader.close();
});

test('a newer schema is refused without changing a byte of any file', () => {
  open().close();
  const newer = new DatabaseSync(join(folder.path, 'vitrine.db'));
  newer.exec('PRAGMA user_version = 99');
  newer.close();
  const before = everyFile();
  expect(failureOf(() => open())).toEqual({
    kind: 'data-newer',
    path: join(folder.path, 'vitrine.db'),
    found: 99,
    supported: migrations.length,
  });
  expect(everyFile()).toEqual(before);
});

test('a newer schema left in the write-ahead log by a crash is detected, and nothing is changed', () => {
  open().close();
  const path = join(folder.path, 'vitrine.db');
  const newer = new DatabaseSync(path);
  newer.exec('PRAGMA user_version = 99');
  const crashed = [path, `${path}-wal`].map((name) => readFileSync(name));
  newer.close();
  for (const [index, bytes] of crashed.entries()) writeFileSync(index === 0 ? path : `${path}-wal`, bytes);
  const before = everyFile();
  expect(failureOf(() => open())).toMatchObject({ kind: 'data-newer', found: 99 });
  expect(everyFile()).toEqual(before);
});

test('a refused directory is released', () => {
  open().close();
  const path = join(folder.path, 'vitrine.db');
  const newer = new DatabaseSync(path);
  newer.exec('PRAGMA user_version = 99');
  newer.close();
  expect(failureOf(() => open()).kind).toBe('data-newer');
  rmSync(path);
  expect(open().path).toBe(path);
});

test('a directory that cannot be created is not writable, with the reason', () => {
  const file = join(folder.path, 'a-file');
  writeFileSync(file, '');
  expect(failureOf(() => open(join(file, 'data')))).toEqual({
    kind: 'not-writable',
    path: join(file, 'data'),
    code: 'ENOTDIR',
  });
  expect(failureOf(() => open(file))).toEqual({ kind: 'not-writable', path: file, code: 'EEXIST' });
});

test('a folder in the place of a data file is a named failure', () => {
  mkdirSync(join(folder.path, 'vitrine.db'));
  expect(failureOf(() => open())).toMatchObject({ kind: 'disk-failed', code: 'SQLITE_IOERR' });
  const other = join(folder.path, 'other');
  mkdirSync(join(other, 'lock.db'), { recursive: true });
  expect(failureOf(() => open(other))).toEqual({ kind: 'not-writable', path: other, code: 'SQLITE_CANTOPEN' });
});

test('a file that is no database is damaged and left unchanged', () => {
  const path = join(folder.path, 'vitrine.db');
  writeFileSync(path, 'not a database, '.repeat(1_000));
  const before = readFileSync(path);
  expect(failureOf(() => open())).toEqual({ kind: 'data-damaged', path, code: 'SQLITE_NOTADB' });
  expect(readFileSync(path)).toEqual(before);
});

test('a truncated database is damaged and left unchanged', () => {
  open().close();
  const path = join(folder.path, 'vitrine.db');
  truncateSync(path, 8_192);
  const before = readFileSync(path);
  expect(failureOf(() => open())).toEqual({ kind: 'data-damaged', path, code: 'SQLITE_CORRUPT' });
  expect(readFileSync(path)).toEqual(before);
});

test('damage found by a later statement is named as well', () => {
  const whole = open();
  const page = whole.query(numberRow, `SELECT rootpage AS a FROM sqlite_schema WHERE name = 'sample'`).get()?.a ?? 0;
  whole.close();
  const path = join(folder.path, 'vitrine.db');
  const bytes = readFileSync(path);
  bytes.fill(0xff, (page - 1) * 4_096, page * 4_096);
  writeFileSync(path, bytes);
  const db = open();
  expect(failureOf(() => db.query(z.unknown(), 'SELECT * FROM sample').all())).toMatchObject({ kind: 'data-damaged' });
});

test('any statement names a full disk, and the whole transaction is undone', () => {
  const db = open();
  db.sql.exec('CREATE TABLE t (a)');
  const full = db.sql.prepare('PRAGMA page_count').get()?.page_count;
  db.sql.exec(`PRAGMA max_page_count = ${String(full)}`);
  const insert = db.command('INSERT INTO t VALUES (?)');
  expect(
    failureOf(() =>
      db.transaction(() => {
        insert.run('small');
        insert.run('x'.repeat(100_000));
      }),
    ),
  ).toEqual({ kind: 'disk-full', path: db.path });
  expect(db.query(numberRow, 'SELECT count(*) AS a FROM t').get()).toEqual({ a: 0 });
  db.sql.exec('PRAGMA max_page_count = 100000');
  db.transaction(() => insert.run('x'.repeat(100_000)));
});

test('a nested transaction is undone alone, and the outer one continues', () => {
  const db = open();
  db.sql.exec('CREATE TABLE t (a)');
  const insert = db.command('INSERT INTO t VALUES (?)');
  db.transaction(() => {
    insert.run(1);
    expect(() =>
      db.transaction(() => {
        insert.run(2);
        db.transaction(() => insert.run(3));
        throw new Error('no');
      }),
    ).toThrow('no');
    db.transaction(() => insert.run(4));
  });
  expect(db.query(numberRow, 'SELECT a FROM t').all()).toEqual([{ a: 1 }, { a: 4 }]);
});

test('deferred writes run at the end of the transaction, latest per key, unless their step is undone', () => {
  const db = open();
  db.sql.exec('CREATE TABLE t (a TEXT)');
  const insert = db.command('INSERT INTO t VALUES (?)');
  const last = (key: string, text: string): void => db.writeLast(key, () => void insert.run(text));
  db.transaction(() => {
    last('one', 'an earlier one');
    last('two', 'second');
    last('one', 'first');
    expect(
      failureOf(() =>
        db.transaction(() => {
          last('one', 'of a step that is undone');
          throw new FailureError({ kind: 'cancelled' });
        }),
      ),
    ).toEqual({ kind: 'cancelled' });
    insert.run('before them');
  });
  last('one', 'at once');
  expect(
    failureOf(() =>
      db.transaction(() => {
        insert.run('undone');
        db.writeLast('one', () => fail({ kind: 'cancelled' }));
      }),
    ),
  ).toEqual({ kind: 'cancelled' });
  db.transaction(() => insert.run('afterwards'));
  expect(
    db.sql
      .prepare('SELECT a FROM t')
      .all()
      .map(({ a }) => a),
  ).toEqual(['before them', 'first', 'second', 'at once', 'afterwards']);
});

test('at most ten thousand writes wait for the end of a transaction', () => {
  const db = open();
  const made: number[] = [];
  db.transaction(() => {
    for (let at = 0; at < 10_000; at += 1) db.writeLast(String(at % 9_000), () => void made.push(at));
    expect(made).toHaveLength(9_000);
    db.writeLast('one more', () => void made.push(-1));
    expect(made).toHaveLength(9_000);
  });
  expect(made.slice(-2)).toEqual([8_999, -1]);
  expect(made.slice(0, 2)).toEqual([9_000, 9_001]);
});

test('a transaction still running after it returned is refused and undone', () => {
  const db = open();
  db.sql.exec('CREATE TABLE t (a)');
  expect(() => db.transaction(async () => db.command('INSERT INTO t VALUES (1)').run())).toThrow(TypeError);
  expect(db.query(numberRow, 'SELECT a FROM t').all()).toEqual([]);
});

test('a transaction passes a defect on unchanged', () => {
  const db = open();
  expect(() => db.transaction(() => db.sql.exec('no SQL'))).toThrow(/syntax error/);
});

test('a transaction without a disk wait is visible at once, and the next one waits again', async () => {
  const db = open();
  db.sql.exec('CREATE TABLE t (a INTEGER)');
  const insert = db.command('INSERT INTO t VALUES (?)');
  const waits = (): unknown => db.sql.prepare('PRAGMA synchronous').get()?.synchronous;

  db.transaction(() => insert.run(1), 'soon');
  expect(
    failureOf(() =>
      db.transaction(() => {
        insert.run(2);
        throw new FailureError({ kind: 'cancelled' });
      }, 'soon'),
    ),
  ).toEqual({ kind: 'cancelled' });
  await db.synced();

  const other = new DatabaseSync(db.path);
  expect(other.prepare('SELECT a FROM t').all()).toEqual([{ a: 1 }]);
  other.close();
  const full = 2;
  expect(waits()).toBe(full);
});

test('transactions that need no disk wait do not wait, and the log is copied separately', () => {
  const db = open();
  const levels = z.object({ synchronous: z.number(), wal_autocheckpoint: z.number() });
  const now = () =>
    levels.parse({
      ...db.sql.prepare('PRAGMA synchronous').get(),
      ...db.sql.prepare('PRAGMA wal_autocheckpoint').get(),
    });
  const usual = { synchronous: 2, wal_autocheckpoint: 16_384 };
  for (let time = 0; time < 3; time += 1) {
    expect(db.transaction(now, 'soon')).toEqual({ synchronous: 1, wal_autocheckpoint: 16_384 });
    expect(db.transaction(now)).toEqual(usual);
  }
});

test('a sync requested during another runs after it, also when the log is gone', async () => {
  const db = open();
  db.transaction(() => db.sql.exec('CREATE TABLE t (a INTEGER)'), 'soon');
  const synced = [db.synced(), db.synced()];
  db.sql.exec('PRAGMA journal_mode = DELETE');
  await expect(Promise.all([...synced, db.synced()])).resolves.toHaveLength(3);
});

test('the log of many commits is copied into the database meanwhile and does not grow with them', async () => {
  const db = open();
  db.sql.exec('CREATE TABLE t (a TEXT)');
  const insert = db.command('INSERT INTO t VALUES (?)');
  const pages = z.object({ log: z.number(), checkpointed: z.number() });
  let longest = 0;
  await expect
    .poll(
      () => {
        for (let commit = 0; commit < 24; commit += 1) db.transaction(() => insert.run('x'.repeat(20_000)), 'soon');
        const other = new DatabaseSync(db.path, { readOnly: true });
        const { log, checkpointed } = pages.parse(other.prepare('PRAGMA wal_checkpoint(NOOP)').get());
        other.close();
        longest = Math.max(longest, log);
        // These commits restart a log that was wholly copied before them.
        return checkpointed > 0 || log < longest;
      },
      { timeout: 20_000 },
    )
    .toBe(true);
});

test.runIf(existsSync('/proc/self/fd'))('savepoints within a transaction create no file', () => {
  const db = open();
  db.sql.exec('CREATE TABLE page (id INTEGER PRIMARY KEY, text TEXT)');
  const put = db.command('INSERT OR REPLACE INTO page VALUES (?, ?)');
  const putAll = (letter: string): void => {
    for (let id = 0; id < 100; id += 1) put.run(id, letter.repeat(4000));
  };
  putAll('a');
  const over = new Error('over');
  db.transaction(() => {
    const undone = (): void =>
      db.transaction(() => {
        putAll('b');
        expect(temporaryFiles()).toEqual([]);
        throw over;
      });
    expect(undone).toThrow(over);
  });
  expect(
    db.query(z.object({ text: z.string() }), 'SELECT DISTINCT substr(text, 1, 1) AS text FROM page').all(),
  ).toEqual([{ text: 'a' }]);
});

/** Of this process. SQLite removes each as it makes it, and the system names it still. */
const temporaryFiles = (): string[] =>
  readdirSync('/proc/self/fd')
    .map((file) => `/proc/self/fd/${file}`)
    .filter((path) => existsSync(path) && readlinkSync(path).includes('/etilqs_'));
