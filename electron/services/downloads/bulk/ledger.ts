import type { EventHub } from '../../../event-hub.ts';
import type { ItemOutcome, JobWork } from '../../../jobs/job-runner.ts';
import type { DownloadNote, LibraryStore } from '../../../storage/library-store.ts';
import type { Vault, VaultBatch, WholeSample } from '../../../vault/vault.ts';
import type { KeptSample } from '../sound-copy.ts';
import { ownFailure, type Verdict, verdictOf } from './verdict.ts';
import type { Wanted } from './wanted.ts';

export interface LedgerOptions {
  vault: Vault;
  library: LibraryStore;
  events: EventHub;
  work: JobWork;
  workspaceId: string;
  /** Ends the run when nothing more can be recorded. */
  halt(error: unknown): void;
}

interface Settled {
  wanted: Wanted;
  verdict: Verdict;
  /** The library and the journal have it already. */
  isRecorded: boolean;
  /** Its bytes are in the batch: it is settled for good only by the commit that has them. */
  isInBatch: boolean;
}

/** One commit costs a wait for the disk, so outcomes share one; few enough that the host's thread is free again soon. */
const outcomesAtOnce = 64;
const waitMs = 250;
const tellEveryMs = 500;

/**
 * Where a run's outcomes become durable: bytes, library, journal and items in one transaction. What is not in it
 * yet when the program ends was not done, and is asked for again.
 */
export class Ledger {
  readonly #options: LedgerOptions;
  readonly #batch: VaultBatch;
  readonly #settled = new WeakSet<Wanted>();
  /** In the batch, and not verified yet. */
  readonly #adding = new Map<string, Wanted>();
  #uncommitted: Settled[] = [];
  #committing: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | null = null;
  #toldAt = Number.NEGATIVE_INFINITY;

  constructor(options: LedgerOptions) {
    this.#options = options;
    this.#batch = options.vault.batch();
  }

  isSettled(wanted: Wanted): boolean {
    return this.#settled.has(wanted);
  }

  /**
   * Verifies and keeps a sample; whatever becomes of it is settled, except that it contradicts its record: then
   * `doubtsRecord` is set. Rejects with what halts the run.
   */
  async keepWhole(wanted: Wanted, sample: WholeSample): Promise<void> {
    this.#adding.set(wanted.md5, wanted);
    try {
      await this.#orOutcome(wanted, true, () => this.#batch.add(sample, { md5: wanted.md5, sha256: wanted.recordedSha256 }));
    } finally {
      this.#adding.delete(wanted.md5);
    }
  }

  /** The same for a sample that is too large to be held: it is durable when this resolves. */
  async keepStream(wanted: Wanted, chunks: AsyncIterable<Uint8Array>): Promise<void> {
    const receiver = this.#options.vault.receive();
    await this.#orOutcome(wanted, false, async () => {
      try {
        for await (const chunk of chunks) await receiver.write(chunk);
        return await receiver.finish({ md5: wanted.md5, sha256: wanted.recordedSha256 });
      } catch (error) {
        await receiver.abort();
        throw error;
      }
    });
    await this.flush();
  }

  /** `isRecorded`: whoever found the verdict wrote library and journal too. */
  settle(wanted: Wanted, verdict: Verdict, isRecorded = false): void {
    this.#put({ wanted, verdict, isRecorded, isInBatch: false });
  }

  #put(settled: Settled): void {
    this.#settled.add(settled.wanted);
    this.#uncommitted.push(settled);
    if (this.#uncommitted.length >= outcomesAtOnce) void this.flush();
    else this.#timer ??= setTimeout(() => void this.flush(), waitMs);
  }

  /** Resolves when all that was settled before is durable, or the run is halted because it cannot be. */
  flush(): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    this.#committing = this.#committing.then(() => this.#commit()).catch((error: unknown) => this.#options.halt(error));
    return this.#committing;
  }

  async close(): Promise<void> {
    await this.flush();
    await this.#batch.abort();
    this.#tell();
  }

  async #orOutcome(wanted: Wanted, isInBatch: boolean, keep: () => Promise<KeptSample>): Promise<void> {
    try {
      const kept = await keep();
      if (!this.isSettled(wanted)) this.#put({ wanted, verdict: doneWith(kept), isRecorded: false, isInBatch });
    } catch (error) {
      const failure = ownFailure(error);
      // The record was read some time ago: whether the bytes are wrong is decided by what the service says of them now.
      if (failure.kind === 'sha256-contradicts') wanted.doubtsRecord = true;
      else this.settle(wanted, verdictOf(failure));
    }
  }

  async #commit(): Promise<void> {
    if (this.#uncommitted.length === 0) return;
    await this.#batch.commit((kept) => this.#record(this.#takeDurable(kept)));
    if (performance.now() - this.#toldAt > tellEveryMs) this.#tell();
  }

  /** What this commit makes durable, also of samples that nobody has heard of yet; the others wait for the next one. */
  #takeDurable(kept: readonly KeptSample[]): Settled[] {
    const durable = new Set(kept.map(({ sha256 }) => sha256));
    const isDurable = ({ isInBatch, verdict }: Settled): boolean => !isInBatch || durable.has(verdict.kept?.sha256 ?? '');
    for (const one of kept) {
      const wanted = this.#adding.get(one.md5);
      if (wanted && !this.isSettled(wanted)) this.#put({ wanted, verdict: doneWith(one), isRecorded: false, isInBatch: true });
    }
    const taken = this.#uncommitted.filter(isDurable);
    this.#uncommitted = this.#uncommitted.filter((settled) => !isDurable(settled));
    return taken;
  }

  #record(settled: readonly Settled[]): void {
    const told = settled.map((one) => (one.isRecorded ? one : { ...one, verdict: this.#toldApart(one) }));
    this.#options.library.recordDownloads(told.filter(({ isRecorded }) => !isRecorded).map((one) => this.#noteOf(one)));
    this.#options.work.settle(told.flatMap(({ wanted, verdict }) => outcomesOf(wanted, verdict)));
  }

  /** One MD5 with two SHA-256s is never merged: both are kept apart, and it is said. */
  #toldApart({ wanted: { md5 }, verdict }: Settled): Verdict {
    const { state, kept } = verdict;
    if (state !== 'done' || kept === null) return verdict;
    const namesakes = this.#options.library.sha256sOfMd5(md5).filter((sha256) => sha256 !== kept.sha256);
    if (namesakes.length === 0) return verdict;
    return { state: 'mismatch', failure: { kind: 'two-samples-one-md5', md5, sha256s: [...namesakes, kept.sha256] }, kept };
  }

  #noteOf({ wanted: { md5 }, verdict: { state, failure, kept } }: Settled): DownloadNote {
    const { workspaceId, work } = this.#options;
    return {
      workspaceId,
      md5,
      hashes: kept && { md5: kept.md5, sha1: kept.sha1, sha256: kept.sha256 },
      sizeBytes: kept?.sizeBytes ?? null,
      outcome: failure?.kind ?? state,
      detail: { job: work.id, ...(kept && { sizeBytes: kept.sizeBytes }) },
    };
  }

  #tell(): void {
    this.#toldAt = performance.now();
    this.#options.events.emit({ name: 'library.changed', payload: {} });
  }
}

const doneWith = (kept: KeptSample): Verdict => ({ state: 'done', failure: null, kept });

function outcomesOf({ md5, positions }: Wanted, { state, failure, kept }: Verdict): ItemOutcome[] {
  return positions.map((position) => ({ position, state, md5, sha256: kept?.sha256 ?? null, sizeBytes: kept?.sizeBytes ?? null, failure }));
}
