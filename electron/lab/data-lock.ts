import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { makeDataDirectory } from '../storage/make-folder.ts';
import { overSqlite } from './sqlite-failure.ts';

export interface DataLock {
  release(): void;
}

/** A lab that is told to end lets running downloads end first; its successor waits that long and a little more. */
const predecessorEndsWithinMs = 3_000;

/**
 * Holds the lab's data directory for this process, making it first. An exclusive SQLite lock and not a PID file: the
 * system lets go of it when the process dies, however it dies. The metadata database is another file, so that
 * `token add` works beside a running lab. Fails with `data-in-use` or `not-writable`.
 */
export async function holdDataDirectory(directory: string): Promise<DataLock> {
  makeDataDirectory(directory);
  return overSqlite(directory, () => {
    const database = new DatabaseSync(join(directory, 'lab.lock'), { timeout: predecessorEndsWithinMs });
    try {
      database.exec('BEGIN EXCLUSIVE');
    } catch (error) {
      database.close();
      throw error;
    }
    return { release: () => database.close() };
  });
}
