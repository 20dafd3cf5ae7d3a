import type { DatabaseSync } from 'node:sqlite';

/**
 * All of `work` or nothing of it. The write lock is taken first, so what `work` reads holds until it is done. Throws
 * SQLite's error, or what `work` throws.
 */
export function atOnce<T>(sql: DatabaseSync, work: () => T): T {
  sql.exec('BEGIN IMMEDIATE');
  try {
    const value = work();
    sql.exec('COMMIT');
    return value;
  } catch (error) {
    // SQLite ends the transaction itself on some errors, such as a full disk.
    if (sql.isTransaction) sql.exec('ROLLBACK');
    throw error;
  }
}
