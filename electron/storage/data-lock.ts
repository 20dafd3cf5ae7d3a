import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { FailureError } from '../../shared/failure.ts';
import { makeDataDirectory } from './make-folder.ts';
import { closeToOthers, makePrivateFile } from './private-file.ts';
import { translateSqliteError } from './sqlite-error.ts';

export interface DataLock {
  release(): void;
}

export interface LockOptions {
  /** The file in the directory that bears the lock. Nothing else is kept in it. */
  fileName: string;
  /** How long a holder that is ending is waited for; the thread stands still meanwhile. */
  waitMs: number;
}

/**
 * Holds a data directory for this process, making it first (0700). The lock is an exclusive SQLite transaction on
 * a database of its own, so that other connections to the data itself are not shut out, and no PID file, so that the
 * system lets go of it however the process dies. POSIX drops such a lock when *any* descriptor of that file is
 * closed by its holder: the process that holds it must never open it as a file.
 * Fails with `data-in-use`, `not-writable` or `disk-full`.
 */
export function holdDataDirectory(directory: string, { fileName, waitMs }: LockOptions): DataLock {
  makeDataDirectory(directory);
  const path = join(directory, fileName);
  makePrivateFile(path, directory);
  closeToOthers(path);
  try {
    const lock = new DatabaseSync(path, { timeout: waitMs });
    return { release: heldBy(lock) };
  } catch (error) {
    throw inUse(translateSqliteError(error, directory), fileName);
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
function inUse(error: Error, fileName: string): Error {
  if (!(error instanceof FailureError) || error.failure.kind !== 'data-damaged') return error;
  const { path, code } = error.failure;
  return new FailureError({ kind: 'not-writable', path: join(path, fileName), code }, { cause: error });
}
