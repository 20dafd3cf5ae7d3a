import { systemErrorCode, writeFailure } from '../../../shared/disk-failure.ts';
import { fail } from '../../../shared/failure.ts';
import { syncFile } from '../../base/files.ts';

/**
 * Brings what was committed without waiting to the disk, beside the host's thread. SQLite's own sync would keep that
 * thread for as long as the disk takes, dozens of times a second in a bulk download. The write-ahead log is the one
 * file that a commit writes (https://sqlite.org/wal.html), and no lock of SQLite lies on it that closing it could lose.
 */
export class WalSync {
  readonly #path: string;
  readonly #shownPath: string;
  #last: Promise<unknown> = Promise.resolve();
  #next: Promise<void> | null = null;

  constructor(databasePath: string) {
    this.#path = `${databasePath}-wal`;
    this.#shownPath = databasePath;
  }

  /** Resolves when all that was committed before the call is on the disk. @throws FailureError as a write does */
  sync(): Promise<void> {
    if (this.#next) return this.#next;
    const next = this.#last.then(() => {
      this.#next = null;
      return this.#syncOnce();
    });
    this.#next = next;
    // The caller gets the error; the next one tries again.
    this.#last = next.catch(() => {});
    return next;
  }

  async #syncOnce(): Promise<void> {
    try {
      await syncFile(this.#path);
    } catch (error) {
      const code = systemErrorCode(error);
      // Checkpointed and removed: then it is in the database already, and synced.
      if (code === 'ENOENT') return;
      if (code === null) throw error;
      fail(writeFailure(code, this.#shownPath), error);
    }
  }
}
