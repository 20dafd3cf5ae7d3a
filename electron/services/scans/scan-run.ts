import type { ItemState, JobItem } from '../../../shared/domain/job.ts';
import type { Failure } from '../../../shared/failure.ts';
import { Mutex } from '../../../shared/mutex.ts';
import type { JobWork } from '../../jobs/job-runner.ts';
import type { LibraryStore } from '../../storage/library-store.ts';
import type { ScanStore, StoredResult } from '../../storage/scan-store.ts';
import type { FileScanner } from './file-scanner.ts';
import type { LocalScanner } from './local-scanner.ts';
import type { ScanLedger, ScannedItem } from './scan-ledger.ts';
import type { ScanFile } from './scan-source-of.ts';
import type { ServiceScanner } from './service-scanner.ts';

export interface ScanRunOptions {
  store: ScanStore;
  library: LibraryStore;
  ledger: ScanLedger;
  work: JobWork;
  /** null: that side is not asked. */
  local: { files: FileScanner; scanner: LocalScanner } | null;
  service: ServiceScanner | null;
}

/** Enough that neither side waits for the other. */
const filesAtOnce = 6;
/** Where a service gets none of them: engines are given many at a time, and what came of them is settled together. */
const localFilesAtOnce = 32;

/** What is settled with the next commit: each costs more than many rows. */
interface Batch {
  items: ScannedItem[];
  settled: Promise<void>;
}

/**
 * Scans the files of one job, each with every side that is asked. A file is settled when all of them have said
 * something.
 */
export class ScanRun {
  readonly #options: ScanRunOptions;
  readonly #halt = new AbortController();
  /** Of what is under way: aborted when the job is to stop, and by the first error. */
  readonly #signal: AbortSignal;
  readonly #settling = new Mutex();
  #batch: Batch | null = null;

  constructor(options: ScanRunOptions) {
    this.#options = options;
    this.#signal = AbortSignal.any([options.work.signal, this.#halt.signal]);
  }

  async run(): Promise<void> {
    const { work, service } = this.#options;
    const lines = service === null ? localFilesAtOnce : filesAtOnce;
    const line = async (): Promise<void> => {
      for (let [item] = work.take(1); item !== undefined && !this.#halt.signal.aborted; [item] = work.take(1))
        await this.#scan(item);
    };
    // The first error ends the others; it is the one to tell.
    await Promise.all(Array.from({ length: lines }, () => line().catch((error: unknown) => this.#halt.abort(error))));
    work.signal.throwIfAborted();
    this.#halt.signal.throwIfAborted();
  }

  async #scan(item: JobItem): Promise<void> {
    const { store, library, local, service, work } = this.#options;
    const row = store.file(work.id, item.position);
    const file: ScanFile = {
      sha256: item.hash,
      name: row?.name ?? item.name ?? library.nameOf(item.hash) ?? item.hash,
      stagedId: row?.stagedId ?? null,
      also: row?.also ?? [],
    };
    const sizeBytes = item.sizeBytes ?? row?.sizeBytes ?? 0;
    const sent = { item, file, sizeBytes, md5: row?.hashes?.md5 ?? item.md5 };
    const [own, other] = await bothOf([
      local === null ? null : this.#orHalt(local.files.scan(item, file, sizeBytes)),
      service === null ? null : this.#orHalt(service.scan(sent, this.#signal)),
    ]);
    const results = [own?.result ?? [], other ?? []].flat();
    await this.#settle({
      item,
      sizeBytes,
      results,
      ...outcomeOf(results),
      rules: own === null ? 'all' : this.#rules(own.rules),
      looked: own === null ? 'all' : this.#rules(own.looked),
      names: own?.names ?? null,
      hashes: row?.hashes ?? null,
    });
  }

  /** With all that are there when the commit before is over. */
  #settle(one: ScannedItem): Promise<void> {
    const batch = this.#batch ?? this.#newBatch();
    batch.items.push(one);
    return batch.settled;
  }

  #newBatch(): Batch {
    const items: ScannedItem[] = [];
    const settled = this.#settling.run(() => {
      this.#batch = null;
      return this.#options.ledger.settle(items, { journalled: true });
    });
    this.#batch = { items, settled };
    return this.#batch;
  }

  /** At once: the other side of the file may take long to end. */
  async #orHalt<T>(side: Promise<T>): Promise<T> {
    try {
      return await side;
    } catch (error) {
      this.#halt.abort(error);
      throw error;
    }
  }

  /** The whole package, unless a rule had to be left out or could not know what it asks for. */
  #rules(lookedWith: ReadonlySet<string>): ScannedItem['rules'] {
    return lookedWith.size === this.#options.local?.scanner.reported.length ? 'all' : lookedWith;
  }
}

/** Both have ended when it resolves or rejects. */
async function bothOf<A, B>([one, other]: [Promise<A> | null, Promise<B> | null]): Promise<[A | null, B | null]> {
  await Promise.allSettled([one, other]);
  return Promise.all([one, other]);
}

const forbidding = new Set<Failure['kind']>(['third-party-refused', 'forbidden']);

/** A file is done when every side has scanned it: what failed on one can be tried again. */
function outcomeOf(results: readonly StoredResult[]): {
  state: Exclude<ItemState, 'waiting'>;
  failure: Failure | null;
} {
  const failure = results.find(({ state }) => state !== 'scanned')?.failure ?? null;
  if (failure === null) return { state: 'done', failure };
  return { state: forbidding.has(failure.kind) ? 'forbidden' : 'failed', failure };
}
