import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * Gives whoever asks a turn of the host's loop that nobody else has who asked here, in the order of asking: work that
 * is short by itself is long when forty do it at once.
 */
export class OneATurn {
  #last: Promise<void> = Promise.resolve();

  /** Resolves in a turn of the loop of one's own. */
  next(): Promise<void> {
    this.#last = this.#last.then(() => nextTurn());
    return this.#last;
  }
}
