import { DatabaseSync } from 'node:sqlite';
import { translateSqliteError } from './sqlite-error.ts';
import { atOnce } from './statement.ts';

/** Of a backup nobody wants to go on with that is in one. */
const pauseAll = `UPDATE job SET state = 'cancelled', ended = created WHERE state IN ('waiting', 'running', 'paused')
  AND json_extract(task, '$.kind') = 'backup';
  UPDATE job SET state = 'paused' WHERE state IN ('waiting', 'running')`;

/**
 * Pauses what was under way in the copy of a database of any version: the desk it is of may have ended it since. What
 * it is to be brought up to is done when it is opened. Fails as the database does.
 */
export function putJobsAtRest(path: string): void {
  try {
    const sql = new DatabaseSync(path);
    try {
      if (sql.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'job'").get() !== undefined)
        atOnce(sql, () => sql.exec(pauseAll));
    } finally {
      sql.close();
    }
  } catch (error) {
    throw translateSqliteError(error, path);
  }
}
