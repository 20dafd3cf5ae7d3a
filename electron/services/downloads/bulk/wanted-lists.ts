import { setImmediate as nextTurn } from 'node:timers/promises';
import type { JobItem } from '../../../../shared/domain/job.ts';
import { Mutex } from '../../../../shared/mutex.ts';
import type { RepositoryApi } from '../../../api/repository-api.ts';
import type { JobWork } from '../../../jobs/job-runner.ts';
import type { LibraryStore } from '../../../storage/library-store.ts';
import type { Vault } from '../../../vault/vault.ts';
import { soundCopyOf } from '../sound-copy.ts';
import type { Ledger } from './ledger.ts';
import type { Wanted } from './wanted.ts';

export interface WantedListsOptions {
  work: JobWork;
  signal: AbortSignal;
  workspaceId: string;
  library: LibraryStore;
  vault: Vault;
  ledger: Ledger;
  api: Pick<RepositoryApi, 'bulkAddressBytes'>;
  addressBytes: number;
}

/** Items read ahead of the lists made of them. */
const itemsAtOnce = 200;

/**
 * Makes of a job's items the lists that the repository is asked for: each as long as an address may be. What the vault
 * has is settled on the way and never asked for; items that mean one sample become one.
 */
export class WantedLists {
  readonly #options: WantedListsOptions;
  /** Not settled yet, so that a second item of the same sample joins the first. */
  readonly #open = new Map<string, Wanted>();
  #ahead: JobItem[] = [];
  #held: Wanted | null = null;
  readonly #mutex = new Mutex();

  constructor(options: WantedListsOptions) {
    this.#options = options;
  }

  /** The next list; empty when there is none. Several may ask at a time: they are served one after the other. */
  next(): Promise<Wanted[]> {
    return this.#mutex.run(() => this.#make());
  }

  async #make(): Promise<Wanted[]> {
    const { api, addressBytes, signal } = this.#options;
    const list: Wanted[] = [];
    for (;;) {
      signal.throwIfAborted();
      const wanted = this.#held ?? (await this.#nextWanted());
      this.#held = null;
      if (wanted === null) return list;
      const grown = [...list, wanted].map(({ md5 }) => md5);
      if (list.length > 0 && api.bulkAddressBytes(grown) > addressBytes) {
        this.#held = wanted;
        return list;
      }
      list.push(wanted);
    }
  }

  /** null when no item is left. */
  async #nextWanted(): Promise<Wanted | null> {
    for (;;) {
      const item = this.#ahead.shift() ?? (await this.#refill());
      if (item === null) return null;
      const wanted = this.#wantedOf(item);
      if (wanted !== null && !(await this.#isHere(wanted))) return wanted;
    }
  }

  async #refill(): Promise<JobItem | null> {
    await nextTurn();
    await this.#options.ledger.room();
    this.#forgetSettled();
    this.#ahead = this.#options.work.take(itemsAtOnce);
    return this.#ahead.shift() ?? null;
  }

  /** null for an item that joined another, or that no repository can be asked for. */
  #wantedOf({ position, hash, md5 }: JobItem): Wanted | null {
    const { library, workspaceId, work } = this.#options;
    const asked = md5 ?? library.md5Of(hash);
    if (asked === null) {
      work.settle([{ position, state: 'needs-md5', failure: { kind: 'needs-md5', hash } }]);
      return null;
    }
    const same = this.#open.get(asked);
    if (same && !this.#options.ledger.isSettled(same)) {
      same.positions.push(position);
      return null;
    }
    const wanted = {
      md5: asked,
      hash,
      positions: [position],
      recordedSha256: library.recorded(workspaceId, asked)?.sha256 ?? null,
      asksAlone: false,
    };
    this.#open.set(asked, wanted);
    return wanted;
  }

  async #isHere(wanted: Wanted): Promise<boolean> {
    const kept = await soundCopyOf(this.#options, wanted.md5, wanted.recordedSha256);
    if (kept === null) return false;
    this.#options.ledger.settle(wanted, { state: 'already-here', failure: null, kept });
    return true;
  }

  #forgetSettled(): void {
    for (const [md5, wanted] of this.#open) if (this.#options.ledger.isSettled(wanted)) this.#open.delete(md5);
  }
}
