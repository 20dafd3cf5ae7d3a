import { FailureError } from '../../../shared/failure.ts';

/** Does pieces of work one after the other, in the order in which they came; one that fails holds up nobody. */
export class Turns {
  #last: Promise<void> = Promise.resolve();

  /** Rejects at once with `cancelled` when it is given up before its turn. */
  async take<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const before = this.#last;
    const { promise: over, resolve: end } = Promise.withResolvers<void>();
    this.#last = before.then(() => over);
    try {
      await unlessAborted(before, signal);
      return await work();
    } finally {
      end();
    }
  }
}

function unlessAborted(turn: Promise<void>, signal: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const cancel = (): void => reject(new FailureError({ kind: 'cancelled' }));
  signal.addEventListener('abort', cancel, { once: true });
  void turn.then(resolve);
  return promise.finally(() => signal.removeEventListener('abort', cancel));
}
