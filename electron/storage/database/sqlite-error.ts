import { type Failure, FailureError } from '../../../shared/failure.ts';

/** Primary result codes of SQLite (https://sqlite.org/rescode.html) that mean something to the person. */
const named = new Map<number, (path: string) => Failure>([
  [5, (path) => ({ kind: 'data-in-use', path })],
  [8, (path) => ({ kind: 'not-writable', path, code: 'SQLITE_READONLY' })],
  [10, (path) => ({ kind: 'disk-failed', path, code: 'SQLITE_IOERR' })],
  [11, (path) => ({ kind: 'data-damaged', path, code: 'SQLITE_CORRUPT' })],
  [13, (path) => ({ kind: 'disk-full', path })],
  [14, (path) => ({ kind: 'not-writable', path, code: 'SQLITE_CANTOPEN' })],
  [24, (path) => ({ kind: 'data-damaged', path, code: 'SQLITE_FORMAT' })],
  [26, (path) => ({ kind: 'data-damaged', path, code: 'SQLITE_NOTADB' })],
]);

/**
 * SQLITE_IOERR_SHMSIZE: the index beside the write-ahead log could not grow, which is how a full disk shows when a
 * database is opened.
 */
const noSpaceForIndex = 4874;

/** The failure that an error of SQLite means; a failure passes, and so does a defect such as a syntax error. */
export function translateSqliteError(error: unknown, path: string): Error {
  const code = codeOf(error) ?? 0;
  const failure: Failure | undefined =
    code === noSpaceForIndex ? { kind: 'disk-full', path } : named.get(code & 0xff)?.(path);
  if (failure) return new FailureError(failure, { cause: error });
  return error instanceof Error ? error : new TypeError('a value that is not an error was thrown', { cause: error });
}

/** Runs what speaks to SQLite; its errors come out as failures that name the database. */
export function overSqlite<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw translateSqliteError(error, path);
  }
}

/** SQLite's extended result code as node:sqlite keeps it; the primary code is its low byte. */
function codeOf(error: unknown): number | null {
  return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' ? error.errcode : null;
}
