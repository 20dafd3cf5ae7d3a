import { open } from 'node:fs/promises';
import { backup, DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { FailureError } from '../../shared/failure.ts';
import { translateSqliteError } from './sqlite-error.ts';

const busyTimeoutMs = 5_000;
/** Some milliseconds of a thread that others wait for too. */
const pagesAStep = 1024;
const pageRow = z.object({ page_size: z.number().int() });

/**
 * Copies a database that is being written to, as it is at one moment, to a path where there is none. SQLite copies it:
 * an own descriptor of the file would let go of the locks that this process has on it when it is closed
 * (https://sqlite.org/howtocorrupt.html, 2.2). Fails as the disk and the database do. What `onBytes` throws ends the
 * copy.
 */
export async function copyDatabase(source: string, to: string, onBytes: (bytes: number) => void): Promise<void> {
  try {
    await copyPages(source, to, onBytes);
  } catch (error) {
    const meant = translateSqliteError(error, to);
    throw meant instanceof FailureError && meant.failure.kind === 'data-damaged'
      ? translateSqliteError(error, source)
      : meant;
  }
}

async function copyPages(source: string, to: string, onBytes: (bytes: number) => void): Promise<void> {
  // SQLite would make it for everyone to read.
  await (await open(to, 'wx', 0o600)).close();
  const sql = new DatabaseSync(source, { readOnly: true, timeout: busyTimeoutMs });
  try {
    const pageBytes = pageRow.parse(sql.prepare('PRAGMA page_size').get()).page_size;
    let told = 0;
    // One read transaction over all steps: else each write of the desk would have it begin anew.
    sql.exec('BEGIN; SELECT count(*) FROM sqlite_schema');
    await backup(sql, to, {
      rate: pagesAStep,
      progress: ({ totalPages, remainingPages }) => {
        const copied = (totalPages - remainingPages) * pageBytes;
        onBytes(copied - told);
        told = copied;
      },
    });
  } finally {
    sql.close();
  }
}
