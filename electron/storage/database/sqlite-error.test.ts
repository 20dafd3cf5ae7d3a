import { expect, test } from 'vitest';
import { translateSqliteError } from './sqlite-error.ts';

const sqliteError = (errcode: number): Error =>
  Object.assign(new Error('what SQLite says'), { code: 'ERR_SQLITE_ERROR', errcode });

test.each([
  ['SQLITE_FULL', 13, 'disk-full'],
  ['SQLITE_IOERR_SHMSIZE, no room for the index of the write-ahead log', 4874, 'disk-full'],
  ['SQLITE_IOERR_WRITE', 778, 'disk-failed'],
  ['SQLITE_CORRUPT_VTAB', 267, 'data-damaged'],
])('the SQLite error %s becomes its failure', (_, code, kind) => {
  expect(translateSqliteError(sqliteError(code), '/data/vitrine.db')).toMatchObject({
    failure: { kind, path: '/data/vitrine.db' },
  });
});

test('a Vitrine failure passes unchanged', () => {
  const error = sqliteError(1);
  expect(translateSqliteError(error, '/data/vitrine.db')).toBe(error);
});
