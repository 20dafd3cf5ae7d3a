import { setImmediate as nextTurn } from 'node:timers/promises';
import type { LibraryStore } from '../../storage/library/library-store.ts';
import type { Vault } from '../../vault/vault.ts';

export interface ForgettingOptions {
  store: Pick<LibraryStore, 'forget' | 'forgetComments' | 'bytesToDrop' | 'dropped'>;
  vault: Pick<Vault, 'remove'>;
}

export interface ForgetStep {
  hashes: readonly string[];
  what: 'bytes' | 'all';
  /** In the transaction in which the library forgets: of how many there was something to forget. */
  alongside(forgotten: number): void;
  /** Throws where no more is to be begun. */
  requireOpen(): void;
}

/** Forgotten before the thread is free again, at most. */
export const forgottenATurn = 10;
const commentsATurn = 200;
/** Removed by the vault before what is left is looked for again. */
const droppedATurn = 100;

/**
 * Forgets samples, some at a time. Which bytes are to go the library keeps in mind: what a crash cuts off is finished
 * later.
 */
export class Forgetting {
  readonly #options: ForgettingOptions;

  constructor(options: ForgettingOptions) {
    this.#options = options;
  }

  /**
   * The library forgets first: a row whose bytes went first would promise what is not there. All of a step is tried.
   * @throws FailureError as the vault does
   */
  async step({ hashes, what, alongside, requireOpen }: ForgetStep): Promise<void> {
    if (what === 'all') await this.#forgetComments(hashes, requireOpen);
    requireOpen();
    await this.#drop(this.#options.store.forget(hashes, what, alongside));
  }

  /**
   * What was forgotten before, and could not be removed from the vault then, is removed. @throws FailureError as the
   * vault does
   */
  async finish(requireOpen: () => void): Promise<void> {
    const { store } = this.#options;
    for (let left = store.bytesToDrop(droppedATurn); left.length > 0; left = store.bytesToDrop(droppedATurn)) {
      await this.#drop(left);
      requireOpen();
    }
  }

  /**
   * First, and some at a time: a record may have twenty thousand. Cut off here, those that are gone come again with the
   * next record.
   */
  async #forgetComments(hashes: readonly string[], requireOpen: () => void): Promise<void> {
    for (const hash of hashes) {
      while (this.#options.store.forgetComments(hash, commentsATurn)) {
        await nextTurn();
        requireOpen();
      }
    }
  }

  /**
   * To be called in the very turn in which they were read from the library: the vault spares what arrives from then on.
   */
  async #drop(sha256s: readonly string[]): Promise<void> {
    const { store, vault } = this.#options;
    const removals = await Promise.allSettled(sha256s.map((sha256) => vault.remove(sha256)));
    store.dropped(sha256s.filter((_, index) => removals[index]?.status === 'fulfilled'));
    for (const removal of removals) if (removal.status === 'rejected') throw removal.reason;
  }
}
