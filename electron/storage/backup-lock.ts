import { FailureError } from '../../shared/failure.ts';
import { type DataLock, holdDataDirectory } from './data-lock.ts';

const waitMs = 5_000;

/**
 * Holds a backup for one writer, also among copies of the same desk. Fails with `storage-busy`, `not-writable`,
 * `disk-full`.
 */
export function holdBackup(folder: string): DataLock {
  try {
    return holdDataDirectory(folder, { fileName: 'lock.db', waitMs });
  } catch (error) {
    throw error instanceof FailureError && error.failure.kind === 'data-in-use'
      ? new FailureError({ kind: 'storage-busy' }, { cause: error })
      : error;
  }
}
