import { open } from 'node:fs/promises';
import { backup, DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { FailureError } from '../../../shared/failure.ts';
import type { Database } from '../database/database.ts';
import { translateSqliteError } from '../database/sqlite-error.ts';
import { atOnce } from '../database/statement.ts';
import { readJson } from '../database/stored-json.ts';
import type { Journal } from '../journal/journal.ts';

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
    let reported = 0;
    // One read transaction spans all steps: otherwise each write of the program would restart the copy.
    sql.exec('BEGIN; SELECT count(*) FROM sqlite_schema');
    await backup(sql, to, {
      rate: pagesAStep,
      progress: ({ totalPages, remainingPages }) => {
        const copied = (totalPages - remainingPages) * pageBytes;
        onBytes(copied - reported);
        reported = copied;
      },
    });
  } finally {
    sql.close();
  }
}

/** Cancels backups in the copy, which no one wants to resume; pauses other jobs. */
const pauseAll = `UPDATE job SET state = 'cancelled', ended = created WHERE state IN ('waiting', 'running', 'paused')
  AND json_extract(task, '$.kind') = 'backup';
  UPDATE job SET state = 'paused' WHERE state IN ('waiting', 'running')`;

/**
 * Pauses what was under way in the copy of a database of any version: the program it is of may have ended it since.
 * What it is to be brought up to is done when it is opened. Fails as the database does.
 */
export function putJobsAtRest(path: string): void {
  changeCopy(path, 'job', (sql) => atOnce(sql, () => sql.exec(pauseAll)));
}

/** Changes the copy of a database if it has that table: an older version may not. Fails as the database does. */
function changeCopy(path: string, table: string, change: (sql: DatabaseSync) => void): void {
  try {
    const sql = new DatabaseSync(path);
    try {
      const found = sql.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?").get(table);
      if (found !== undefined) change(sql);
    } finally {
      sql.close();
    }
  } catch (error) {
    throw translateSqliteError(error, path);
  }
}

/** Among the settings, which every version of the database has and where a name that is none means nothing. */
const name = 'restored-from';
const restoreNote = z.object({ folder: z.string(), made: z.string(), restored: z.string() });
const noteRow = z.object({ value: z.string() });

/** The folder of the backup, when that was begun, and when it was restored: UTC, ISO 8601. */
export type RestoreNote = z.infer<typeof restoreNote>;

/**
 * Left in the copy of a database of any version: its row of the journal is written when the copy is opened, for only
 * then are the keys there that seal it. Fails as the database does.
 */
export function leaveRestoreNote(path: string, note: RestoreNote): void {
  changeCopy(path, 'setting', (sql) =>
    atOnce(sql, () =>
      sql.prepare('INSERT OR REPLACE INTO setting (name, value) VALUES (?, ?)').run(name, JSON.stringify(note)),
    ),
  );
}

/** Writes the journal row of a restore that has none yet, once. Fails as the database does. */
export function recordRestore(db: Database, journal: Journal): void {
  const left = db.query(noteRow, 'DELETE FROM setting WHERE name = ? RETURNING value');
  db.transaction(() => {
    const row = left.get(name);
    if (row === null) return;
    journal.append({
      workspaceId: null,
      operation: 'restore',
      hash: null,
      outcome: 'done',
      detail: restoreNote.safeParse(readJson(row.value)).data ?? {},
    });
  });
}
