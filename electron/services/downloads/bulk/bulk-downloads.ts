import { setImmediate as nextTurn } from 'node:timers/promises';
import { hashKindOf } from '../../../../shared/domain/hash.ts';
import type { JobItem } from '../../../../shared/domain/job.ts';
import type { Settings } from '../../../../shared/domain/settings.ts';
import { fail } from '../../../../shared/failure.ts';
import { Mutex } from '../../../../shared/mutex.ts';
import type { BulkVerdict } from '../../../../shared/operations/samples.ts';
import type { Connect } from '../../../api/connections.ts';
import { systemTiming, type Timing } from '../../../api/limits.ts';
import { createRepositoryApi, type RepositoryApi } from '../../../api/repository-api.ts';
import type { JobRunner, JobWork } from '../../../jobs/job-runner.ts';
import type { WorkspaceSlots } from '../../../jobs/workspace-slots.ts';
import type { LibraryStore } from '../../../storage/library/library-store.ts';
import type { Vault } from '../../../vault/vault.ts';
import { soundCopyOf } from '../fetch-into-vault.ts';
import { BatchFetcher } from './batch-fetcher.ts';
import { BatchRecorder, type RequestedItem } from './batch-recorder.ts';

interface BatchPlannerOptions {
  work: JobWork;
  signal: AbortSignal;
  workspaceId: string;
  library: LibraryStore;
  vault: Vault;
  recorder: BatchRecorder;
  api: Pick<RepositoryApi, 'bulkAddressBytes'>;
  addressBytes: number;
  /** Hashes in a list, at most. */
  length: number;
}

/** Items read ahead of the lists made of them. */
const itemsAtOnce = 200;

/**
 * Makes of a job's items the lists that the repository is asked for: each as long as an address may be. What the vault
 * has is settled on the way and never asked for; items that mean one sample become one.
 */
class BatchPlanner {
  readonly #options: BatchPlannerOptions;
  /** Not settled yet, so that a second item of the same sample joins the first. */
  readonly #open = new Map<string, RequestedItem>();
  #ahead: JobItem[] = [];
  #held: RequestedItem | null = null;
  readonly #mutex = new Mutex();

  constructor(options: BatchPlannerOptions) {
    this.#options = options;
  }

  /** The next list; empty when there is none. Several may ask at a time: they are served one after the other. */
  next(): Promise<RequestedItem[]> {
    return this.#mutex.run(() => this.#make());
  }

  async #make(): Promise<RequestedItem[]> {
    const { api, addressBytes, length, signal } = this.#options;
    const list: RequestedItem[] = [];
    for (;;) {
      signal.throwIfAborted();
      const next = this.#held ?? (await this.#nextRequested());
      this.#held = null;
      if (next === null) return list;
      const grown = [...list, next].map(({ md5 }) => md5);
      if (list.length > 0 && (list.length >= length || api.bulkAddressBytes(grown) > addressBytes)) {
        this.#held = next;
        return list;
      }
      list.push(next);
    }
  }

  /** null when no item is left. */
  async #nextRequested(): Promise<RequestedItem | null> {
    for (;;) {
      const item = this.#ahead.shift() ?? (await this.#refill());
      if (item === null) return null;
      const requested = this.#requestedOf(item);
      if (requested !== null && !(await this.#isHere(requested))) return requested;
    }
  }

  async #refill(): Promise<JobItem | null> {
    await nextTurn();
    await this.#options.recorder.waitForSpace();
    this.#forgetSettled();
    this.#ahead = this.#options.work.take(itemsAtOnce);
    return this.#ahead.shift() ?? null;
  }

  /** null for an item that joined another, or that no repository can be requestMd5 for. */
  #requestedOf({ position, hash, md5 }: JobItem): RequestedItem | null {
    const { library, workspaceId, work } = this.#options;
    const requestMd5 = md5 ?? library.md5Of(hash);
    if (requestMd5 === null) {
      work.settle([{ position, state: 'needs-md5', failure: { kind: 'needs-md5', hash } }]);
      return null;
    }
    const same = this.#open.get(requestMd5);
    if (same && !this.#options.recorder.isSettled(same)) {
      same.positions.push(position);
      return null;
    }
    const requested = {
      md5: requestMd5,
      hash,
      positions: [position],
      recordedSha256: library.recorded(workspaceId, requestMd5)?.sha256 ?? null,
      isSingle: false,
    };
    this.#open.set(requestMd5, requested);
    return requested;
  }

  async #isHere(item: RequestedItem): Promise<boolean> {
    const kept = await soundCopyOf(this.#options, item.md5, item.recordedSha256);
    if (kept === null) return false;
    this.#options.recorder.settle(item, { state: 'already-here', failure: null, kept });
    return true;
  }

  #forgetSettled(): void {
    for (const [md5, item] of this.#open) if (this.#options.recorder.isSettled(item)) this.#open.delete(md5);
  }
}

interface BulkDownloadsOptions {
  connect: Connect;
  vault: Vault;
  library: LibraryStore;
  slots: WorkspaceSlots;
  settings(): Pick<Settings, 'bulkUrlBytes' | 'bulkConnections' | 'exportPassword'>;
  timing?: Timing;
}

/** Hashes resolved in one turn of the event loop: about ten milliseconds. */
const hashesATurn = 100;
/** What repositories protect archives with, and what those that unpack uploads try. */
const usualPasswords = ['infected', 'malware', 'virus', ''];

/**
 * From any number of hashes to verified samples in the vault, with an outcome for each (docs/services.md,
 * "bulkdownload").
 */
export class BulkDownloads {
  readonly #options: BulkDownloadsOptions;
  /** How many hashes the lists of a job may have after its pause, where that was found. */
  readonly #lengths = new Map<number, number>();

  constructor(options: BulkDownloadsOptions) {
    this.#options = options;
  }

  /** What would become of each hash. Asks no service. */
  async check(hashes: readonly string[]): Promise<BulkVerdict[]> {
    const outcomes: BulkVerdict[] = [];
    for (const [index, hash] of hashes.entries()) {
      if (index % hashesATurn === hashesATurn - 1) await nextTurn();
      outcomes.push(this.#outcomeOf(hash));
    }
    return outcomes;
  }

  /** Fills a draft. @returns how many items it has then */
  addTo(jobs: Pick<JobRunner, 'addHashes'>, id: number, hashes: readonly string[]): Promise<number> {
    return jobs.addHashes(id, hashes, (hash) => this.#itemOf(hash));
  }

  /** Runs a job until each of its items is done. Rejects with the error that halts it. */
  async run(work: JobWork): Promise<void> {
    const workspaceId = work.workspaceId ?? fail({ kind: 'workspace-missing', id: '' });
    const halt = new AbortController();
    const signal = AbortSignal.any([work.signal, halt.signal]);
    const recorder = new BatchRecorder({ ...this.#options, work, workspaceId, halt: (error) => halt.abort(error) });
    try {
      await this.#runWith({ work, workspaceId, signal, recorder, halt });
    } finally {
      await recorder.close();
    }
    halt.signal.throwIfAborted();
  }

  /** The first error ends the others; it is the one to report, and not that they were ended. */
  async #runWith({ work, workspaceId, signal, recorder, halt }: Run): Promise<void> {
    const { connect, vault, library, slots, timing = systemTiming } = this.#options;
    const { bulkUrlBytes, bulkConnections, exportPassword } = this.#options.settings();
    const api = createRepositoryApi(await connect(workspaceId, 'repository'), { timing });
    const shared = { work, workspaceId, signal, recorder, vault, library, api };
    const length = this.#lengths.get(work.id) ?? Number.POSITIVE_INFINITY;
    this.#lengths.delete(work.id);
    const lists = new BatchPlanner({ ...shared, addressBytes: bulkUrlBytes, length });
    const fetcher = new BatchFetcher({
      ...shared,
      timing,
      single: { connect, library, workspaceId },
      passwords: [exportPassword, ...usualPasswords],
    });
    const fetchAll = async (): Promise<void> => {
      for (let list = await lists.next(); list.length > 0; list = await lists.next()) {
        const batch = list;
        await slots.use(workspaceId, signal, () => fetcher.fetch(batch));
      }
    };
    const lines = Array.from({ length: bulkConnections }, () =>
      fetchAll().catch((error: unknown) => void (fetcher.pause(error) || halt.abort(error))),
    );
    await Promise.all(lines);
    const next = fetcher.nextLength(length);
    if (Number.isFinite(next)) this.#lengths.set(work.id, next);
    fetcher.requireWork();
    fetcher.settleRest();
  }

  #outcomeOf(hash: string): BulkVerdict {
    const { library } = this.#options;
    const known = library.find(hash);
    if (known?.inVault) return 'already-here';
    return hashKindOf(hash) === 'md5' || (known?.md5 ?? null) !== null ? 'fetch' : 'needs-md5';
  }

  #itemOf(hash: string): { hash: string; md5: string | null; state?: 'needs-md5' } {
    const md5 = this.#options.library.md5Of(hash);
    return md5 === null ? { hash, md5, state: 'needs-md5' } : { hash, md5 };
  }
}

interface Run {
  work: JobWork;
  workspaceId: string;
  signal: AbortSignal;
  recorder: BatchRecorder;
  halt: AbortController;
}
