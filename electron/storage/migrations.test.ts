import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeTestFolder, type TestFolder } from './desk.fixture.ts';
import { migrate } from './migrations.ts';

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
const stateOf = (sql: DatabaseSync): unknown => [sql.prepare('PRAGMA user_version').get()?.user_version, { ...sql.prepare('SELECT * FROM t').get() }];

test('an old version is brought up to date, with its rows, and only by the steps it lacks', () => {
  over((sql) => migrate(sql, [one]));
  over((sql) => migrate(sql, [one, two]));
  expect(over(stateOf)).toEqual([2, { a: 1, b: 'two' }]);
  over((sql) => migrate(sql, [one, two]));
});

test('a step that fails leaves the version before it, whole', () => {
  expect(() => over((sql) => migrate(sql, [one, `${two}; no SQL`]))).toThrow(/syntax error/);
  expect(over(stateOf)).toEqual([1, { a: 1 }]);
});

test('a process killed in the middle of a step leaves the version before it, which can be migrated', () => {
  const script = `import { DatabaseSync } from 'node:sqlite';
    import { migrate } from ${JSON.stringify(new URL('./migrations.ts', import.meta.url).href)};
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
