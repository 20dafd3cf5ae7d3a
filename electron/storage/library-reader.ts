import type { VaultAnswer, VaultRequest } from './reading-messages.ts';
import type { ReadingThread } from './reading-thread.ts';

export type { VaultAnswer, VaultRequest } from './reading-messages.ts';

/** Reads lists of the library that may be long. */
export class LibraryReader {
  readonly #thread: ReadingThread;

  constructor(thread: ReadingThread) {
    this.#thread = thread;
  }

  /** Samples in the vault that have every word of `find`, seen last first. Fails with `worker-ended`, `cancelled`, or as the database does. */
  inVault(request: VaultRequest): Promise<VaultAnswer> {
    return this.#thread.ask({ kind: 'vault', request }, (answer) => (answer.kind === 'vault' ? answer.answer : null));
  }
}
