import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { FailureError } from '../../shared/failure.ts';
import { makeDataDirectory } from './make-folder.ts';
import { translateSqliteError } from './sqlite-error.ts';

export interface DataLock {
  release(): void;
}

/**
 * Holds a data directory for this process, making it first (0700). The lock is an exclusive SQLite transaction on
 * a database of its own, so that the readers of our own workers are not shut out, and no PID file, so that the
 * system lets go of it however the process dies. POSIX drops such a lock when *any* descriptor of that file is
 * closed by its holder: nothing in the host may open `lock.db` as a file while it runs.
 * Fails with `data-in-use`, `not-writable` or `disk-full`.
 */
export function holdDataDirectory(directory: string): DataLock {
  makeDataDirectory(directory);
  try {
    const lock = new DatabaseSync(join(directory, 'lock.db'), { timeout: 0 });
    return { release: heldBy(lock) };
  } catch (error) {
    throw inUse(translateSqliteError(error, directory));
  }
}

/** @returns the way to let go of it */
function heldBy(lock: DatabaseSync): () => void {
  try {
    // The journal in memory: the lock file stays empty and leaves nothing beside it.
    lock.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    return () => lock.close();
  } catch (error) {
    lock.close();
    throw error;
  }
}

/** A lock file that was damaged says nothing about the data; but it cannot be held. */
function inUse(error: Error): Error {
  if (!(error instanceof FailureError) || error.failure.kind !== 'data-damaged') return error;
  const { path, code } = error.failure;
  return new FailureError({ kind: 'not-writable', path: join(path, 'lock.db'), code }, { cause: error });
}
