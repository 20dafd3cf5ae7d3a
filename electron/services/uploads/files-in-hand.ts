import { FailureError } from '../../../shared/failure.ts';

/**
 * Files that are read just now. As soon as one of them is gone they are put down, so that no time goes into what nobody
 * wants any more.
 */
export class FilesInHand {
  #stagedIds: ReadonlySet<string> = new Set();
  #putDown = new AbortController();

  /**
   * Resolves too where they were put down: those that are left are to be taken up again. Rejects as `read` does, and
   * when `signal` says so.
   */
  async during(
    stagedIds: Iterable<string>,
    signal: AbortSignal,
    read: (signal: AbortSignal) => Promise<void>,
  ): Promise<void> {
    const putDown = new AbortController();
    this.#stagedIds = new Set(stagedIds);
    this.#putDown = putDown;
    try {
      await read(AbortSignal.any([signal, putDown.signal]));
    } catch (error) {
      signal.throwIfAborted();
      if (!putDown.signal.aborted || !isCancelled(error)) throw error;
    } finally {
      this.#stagedIds = new Set();
    }
  }

  gone(stagedIds: readonly string[]): void {
    if (stagedIds.some((id) => this.#stagedIds.has(id))) this.#putDown.abort(new FailureError({ kind: 'cancelled' }));
  }
}

const isCancelled = (error: unknown): boolean => error instanceof FailureError && error.failure.kind === 'cancelled';
