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
  return sizeOf(`${path}-wal`) === 0 ? readQuietly(path) : readWithLog(path);
}

/** Without a write-ahead log the file alone is the truth: `immutable` keeps SQLite from making any other. */
function readQuietly(path: string): number {
  const url = pathToFileURL(path);
  url.search = 'mode=ro&immutable=1';
  return versionAndClose(new DatabaseSync(url, { readOnly: true }));
}

/** After a crash the newest version may be in the log only. Reading it makes an index file, which goes again. */
function readWithLog(path: string): number {
  const index = `${path}-shm`;
  const hadIndex = statSync(index, { throwIfNoEntry: false }) !== undefined;
  try {
    return versionAndClose(new DatabaseSync(path, { readOnly: true }));
  } finally {
    if (!hadIndex) rmSync(index, { force: true });
  }
}

function versionAndClose(sql: DatabaseSync): number {
  try {
    // Reading the schema as well finds a file whose first page is whole and whose rest is cut off.
    sql.prepare('SELECT count(*) FROM sqlite_schema').get();
    return versionOf(sql);
  } finally {
    sql.close();
  }
}

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
