import { rmSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { versionOf } from './migrations.ts';

/**
 * The schema version of a database that nobody else has open, read without changing a byte of it or leaving a file
 * beside it. 0 when there is none yet. Throws SQLite's error when the file is damaged or is no database.
 */
export function readSchemaVersion(path: string): number {
  if (sizeOf(path) === 0) return 0;
  return readingUntouched(path, (sql) => {
    // Reading the schema as well finds a file whose first page is whole and whose rest is cut off.
    sql.prepare('SELECT count(*) FROM sqlite_schema').get();
    return versionOf(sql);
  });
}

/**
 * Reads a database that nobody else has open, without changing a byte of it or leaving a file beside it. Throws
 * SQLite's error.
 */
export function readingUntouched<T>(path: string, read: (sql: DatabaseSync) => T): T {
  return sizeOf(`${path}-wal`) === 0 ? readQuietly(path, read) : readWithLog(path, read);
}

/** Without a write-ahead log the file alone is the truth: `immutable` keeps SQLite from making any other. */
function readQuietly<T>(path: string, read: (sql: DatabaseSync) => T): T {
  const url = pathToFileURL(path);
  url.search = 'mode=ro&immutable=1';
  return readAndClose(new DatabaseSync(url, { readOnly: true }), read);
}

/** After a crash the newest version may be in the log only. Reading it makes an index file, which goes again. */
function readWithLog<T>(path: string, read: (sql: DatabaseSync) => T): T {
  const index = `${path}-shm`;
  const hadIndex = statSync(index, { throwIfNoEntry: false }) !== undefined;
  try {
    return readAndClose(new DatabaseSync(path, { readOnly: true }), read);
  } finally {
    if (!hadIndex) rmSync(index, { force: true });
  }
}

function readAndClose<T>(sql: DatabaseSync, read: (sql: DatabaseSync) => T): T {
  try {
    return read(sql);
  } finally {
    sql.close();
  }
}

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
