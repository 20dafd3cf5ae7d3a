import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fail } from '../../../shared/failure.ts';
import { overSqlite } from '../database/sqlite-error.ts';

/** How long a reader waits for a database that is busy for a moment, such as with its recovery after a crash. */
const patienceMs = 5_000;

/**
 * All that `read` reads is of one moment. Opened for each reading: no connection is left that keeps the log from being
 * written back, or the file from being moved.
 */
export function reading<T>(path: string, read: (sql: DatabaseSync) => T): T {
  return overSqlite(path, () => {
    const sql = readingConnection(path);
    try {
      // Cache for the rows of a large job: an order other than theirs reads them from all over the file.
      sql.exec('PRAGMA cache_size = -65536; PRAGMA temp_store = MEMORY; BEGIN');
      return read(sql);
    } finally {
      sql.close();
    }
  });
}

/**
 * For who reads a little again and again: each statement is of a moment of its own. To be closed. Fails with
 * `data-gone`.
 */
export function readingConnection(path: string): DatabaseSync {
  // For a missing folder SQLite only reports that it cannot open the file.
  if (!existsSync(dirname(path))) fail({ kind: 'data-gone', path: dirname(path) });
  return overSqlite(path, () => new DatabaseSync(path, { readOnly: true, timeout: patienceMs }));
}

/** `reading` for a job. Fails with `job-missing`. */
export const readingJob = <T>(path: string, id: number, read: (sql: DatabaseSync) => T): T =>
  reading(path, (sql) => {
    if (sql.prepare('SELECT 1 FROM job WHERE id = ? AND hidden = 0').get(id) === undefined)
      fail({ kind: 'job-missing', id });
    return read(sql);
  });
