import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeTestFolder, type TestFolder } from '../testing/database.fixture.ts';
import { migrate, migrations } from './migrations.ts';

let folder: TestFolder;
let path: string;
beforeEach(() => {
  folder = makeTestFolder();
  path = join(folder.path, 'a.db');
});
afterEach(() => folder.remove());

function over<T>(work: (sql: DatabaseSync) => T): T {
  const sql = new DatabaseSync(path);
  try {
    return work(sql);
  } finally {
    sql.close();
  }
}

const one = 'CREATE TABLE t (a); INSERT INTO t VALUES (1)';
const two = "ALTER TABLE t ADD COLUMN b; UPDATE t SET b = 'two'";
const stateOf = (sql: DatabaseSync): unknown => [
  sql.prepare('PRAGMA user_version').get()?.user_version,
  { ...sql.prepare('SELECT * FROM t').get() },
];

const schemaOf = (sql: DatabaseSync): unknown[] =>
  sql
    .prepare('SELECT type, name, sql FROM sqlite_schema ORDER BY type, name')
    .all()
    .map((row) => ({ ...row }));

test('migrations are all SQL files of their folder, in the order of their names', () => {
  const files = globSync('*.sql', { cwd: import.meta.dirname }).toSorted();
  expect(files.map((name) => Number(name.slice(0, 3)))).toEqual(files.map((_, index) => index + 1));
  expect(migrations).toEqual(files.map((name) => readFileSync(join(import.meta.dirname, name), 'utf8')));
});

test.each(migrations.map((_, version) => version))(
  'a database of version %i gets the schema of a new one',
  (version) => {
    const fresh = new DatabaseSync(':memory:');
    migrate(fresh);
    over((sql) => migrate(sql, migrations.slice(0, version)));
    over((sql) => {
      migrate(sql);
      expect(sql.prepare('PRAGMA user_version').get()?.user_version).toBe(migrations.length);
      expect(schemaOf(sql)).toEqual(schemaOf(fresh));
    });
    fresh.close();
  },
);

test('an old version is migrated with its rows, and only by its missing steps', () => {
  over((sql) => migrate(sql, [one]));
  over((sql) => migrate(sql, [one, two]));
  expect(over(stateOf)).toEqual([2, { a: 1, b: 'two' }]);
  over((sql) => migrate(sql, [one, two]));
});

test('a failed step leaves the previous version whole', () => {
  expect(() => over((sql) => migrate(sql, [one, `${two}; no SQL`]))).toThrow(/syntax error/);
  expect(over(stateOf)).toEqual([1, { a: 1 }]);
});

test('a process killed during a step leaves the previous version, which can be migrated', () => {
  const script = `import { DatabaseSync } from 'node:sqlite';
    import { migrate, migrations } from ${JSON.stringify(new URL('./migrations.ts', import.meta.url).href)};
    const sql = new DatabaseSync(${JSON.stringify(path)});
    sql.exec('PRAGMA journal_mode = WAL; PRAGMA cache_spill = 1');
    sql.function('die', () => process.kill(process.pid, 'SIGKILL'));
    migrate(sql, [${JSON.stringify(one)}, ${JSON.stringify(`${two}; SELECT die(); UPDATE t SET b = 'three'`)}]);`;
  const { signal } = spawnSync(process.execPath, ['--input-type=module-typescript', '--eval', script]);
  expect(signal).toBe('SIGKILL');
  expect(over(stateOf)).toEqual([1, { a: 1 }]);
  over((sql) => migrate(sql, [one, two]));
  expect(over(stateOf)).toEqual([2, { a: 1, b: 'two' }]);
});

test('words of an older version are found together with those in the smaller pages added since', () => {
  const words = (sql: DatabaseSync): unknown[] =>
    sql
      .prepare("SELECT rowid FROM sample_text WHERE sample_text MATCH 'invo*' ORDER BY rowid")
      .all()
      .map(({ rowid }) => rowid);
  const put = (sql: DatabaseSync, first: number): void => {
    sql.exec('BEGIN');
    for (let id = first; id < first + 500; id += 1)
      sql.prepare('INSERT OR REPLACE INTO sample_text (rowid, name) VALUES (?, ?)').run(id, `invoice ${id}`);
    sql.exec('COMMIT');
  };
  const before = migrations.slice(0, 11);
  over((sql) => {
    migrate(sql, before);
    put(sql, 1);
  });
  over((sql) => {
    migrate(sql);
    put(sql, 401);
    const kept = sql
      .prepare("SELECT k, v FROM sample_text_config WHERE k LIKE '%merge' ORDER BY k")
      .all()
      .map((row) => ({ ...row }));
    expect(kept).toEqual([
      { k: 'automerge', v: 4 },
      { k: 'usermerge', v: 4 },
    ]);
    expect(words(sql)).toEqual(Array.from({ length: 900 }, (_, index) => index + 1));
    // Of the segment that was written last; its number is in the upper bits of the page's.
    const longest = sql
      .prepare(
        `SELECT max(length(block)) AS bytes FROM sample_text_data
          WHERE id >> 37 = (SELECT max(segid) FROM sample_text_idx)`,
      )
      .get()?.bytes;
    expect(longest).toBeGreaterThan(400);
    expect(longest).toBeLessThan(600);
  });
});
