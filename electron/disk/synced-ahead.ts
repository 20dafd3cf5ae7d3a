import { fdatasync, fsync } from 'node:fs';
import { promisify } from 'node:util';

/** Written before the disk is asked to begin: what it has then taken need not be waited for at the end. */
const syncEveryBytes = 16 * 1024 * 1024;
const syncData = promisify(fdatasync);
const syncAll = promisify(fsync);

/**
 * Makes one file durable, most of it while it is still being written: every 16 MiB a sync begins in the background. Its
 * failure is the file's: an error told once is not told again by a later sync.
 */
export class SyncedAhead {
  #unsyncedBytes = 0;
  #syncing: Promise<void> | null = null;
  #error: Error | null = null;

  /** So much more was written to the open file. */
  wrote(file: number, bytes: number): void {
    this.#unsyncedBytes += bytes;
    if (this.#unsyncedBytes >= syncEveryBytes && this.#syncing === null) this.#begin(file);
  }

  /** Waits for the disk: all that was written is on it then. @throws the system's error, of an earlier sync too */
  async finish(file: number): Promise<void> {
    await this.idle();
    if (this.#error) throw this.#error;
    await syncAll(file);
  }

  /** Resolves when nothing is under way, so that the file can be closed. */
  async idle(): Promise<void> {
    await this.#syncing;
  }

  #begin(file: number): void {
    this.#unsyncedBytes = 0;
    this.#syncing = syncData(file)
      .catch((error: unknown) => {
        this.#error ??= error instanceof Error ? error : new Error('fdatasync', { cause: error });
      })
      .finally(() => {
        this.#syncing = null;
      });
  }
}
