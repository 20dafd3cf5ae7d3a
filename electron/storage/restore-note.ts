import { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import type { Database } from './database.ts';
import type { Journal } from './journal-store.ts';
import { translateSqliteError } from './sqlite-error.ts';
import { atOnce } from './statement.ts';
import { readJson } from './stored-json.ts';

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
  try {
    const sql = new DatabaseSync(path);
    try {
      if (sql.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'setting'").get() === undefined)
        return;
      atOnce(sql, () =>
        sql.prepare('INSERT OR REPLACE INTO setting (name, value) VALUES (?, ?)').run(name, JSON.stringify(note)),
      );
    } finally {
      sql.close();
    }
  } catch (error) {
    throw translateSqliteError(error, path);
  }
}

/** The row of a restore that was not told yet, once. Fails as the database does. */
export function tellRestore(db: Database, journal: Journal): void {
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
