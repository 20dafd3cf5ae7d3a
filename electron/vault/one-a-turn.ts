import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * Lets one piece of work on the host's thread begin in each turn of the event loop. Commits that waited for the same
 * sync would else all run in one go, and nothing of the page's would be answered meanwhile.
 */
export class OneATurn {
  #last: Promise<void> = Promise.resolve();

  /** Resolves in a turn of one's own. */
  wait(): Promise<void> {
    this.#last = this.#last.then(() => nextTurn());
    return this.#last;
  }
}
