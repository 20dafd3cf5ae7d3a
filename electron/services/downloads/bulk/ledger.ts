import { ownFailure } from '../../../jobs/halting-failures.ts';
import type { ItemOutcome, JobWork } from '../../../jobs/job-runner.ts';
import type { DownloadNote, LibraryStore } from '../../../storage/library-store.ts';
import type { ArrivedSample, Vault, VaultBatch, WholeSample } from '../../../vault/vault.ts';
import type { KeptSample } from '../sound-copy.ts';
import { isEnding, type Verdict, verdictOf } from './verdict.ts';
import type { Wanted } from './wanted.ts';

export interface LedgerOptions {
  vault: Vault;
  library: LibraryStore;
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
  /** Bytes that wait for it. */
  arrived?: ArrivedSample;
}

/** What is committed together: the samples of one batch of the vault, and outcomes without bytes of their own. */
interface Group {
  batch: VaultBatch;
  added: Map<string, Wanted>;
  settled: Settled[];
}

/** One commit costs waits for the disk, so outcomes share one; few enough that the host's thread is free again soon. */
const outcomesAtOnce = 16;
/** Commits that wait for the disk, which one wait of it serves: more hold memory and are no faster. */
const mostCommits = 32;
const waitMs = 250;

/**
 * Where a run's outcomes become durable: bytes, library, journal and items in one transaction. What is not in it
 * yet when the program ends was not done, and is asked for again.
 */
export class Ledger {
  readonly #options: LedgerOptions;
  readonly #settled = new WeakSet<Wanted>();
  #group: Group;
  /** Several wait for the disk at a time; `room` bounds how many. */
  readonly #commits = new Set<Promise<void>>();
  #timer: NodeJS.Timeout | null = null;

  constructor(options: LedgerOptions) {
    this.#options = options;
    this.#group = this.#newGroup();
  }

  isSettled(wanted: Wanted): boolean {
    return this.#settled.has(wanted);
  }

  /** Resolves when more may come: a disk that is slower than the service must not fill the memory. */
  async room(): Promise<void> {
    while (this.#commits.size >= mostCommits) await Promise.race(this.#commits);
  }

  /**
   * Verifies and keeps a sample; whatever becomes of it is settled, but for what may be otherwise when it is asked for
   * by itself: then `asksAlone` is set. Rejects with what halts the run.
   */
  async keepWhole(wanted: Wanted, sample: WholeSample): Promise<void> {
    const group = this.#group;
    const adding = group.batch.add(sample, { md5: wanted.md5, sha256: wanted.recordedSha256 });
    group.added.set(wanted.md5, wanted);
    this.#grown();
    await this.#orOutcome(wanted, async () => {
      await adding;
      this.#settled.add(wanted);
    });
  }

  /**
   * The same for a sample that is too large to be held: it is durable when this resolves. Rejects too, and settles
   * nothing, when the archive ends before the sample does.
   */
  async keepStream(wanted: Wanted, chunks: AsyncIterable<Uint8Array>): Promise<void> {
    const receiver = this.#options.vault.receive();
    await this.#orOutcome(wanted, async () => {
      try {
        for await (const chunk of chunks) await receiver.write(chunk);
        const arrived = await receiver.arrive({ md5: wanted.md5, sha256: wanted.recordedSha256 });
        this.#settle({ wanted, verdict: doneWith(arrived.stored), isRecorded: false, arrived });
      } catch (error) {
        await receiver.abort();
        throw error;
      }
    });
    await this.flush();
  }

  /** `isRecorded`: whoever found the verdict wrote library and journal too. */
  settle(wanted: Wanted, verdict: Verdict, isRecorded = false): void {
    this.#settle({ wanted, verdict, isRecorded });
  }

  /** Resolves when all that was settled before is durable, or the run is halted because it cannot be. */
  async flush(): Promise<void> {
    this.#commitGroup();
    await Promise.all(this.#commits);
  }

  async close(): Promise<void> {
    await this.flush();
    await this.#group.batch.abort();
  }

  #settle(settled: Settled): void {
    this.#settled.add(settled.wanted);
    this.#group.settled.push(settled);
    this.#grown();
  }

  #commitGroup(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    const group = this.#group;
    if (sizeOf(group) === 0) return;
    this.#group = this.#newGroup();
    const commit: Promise<void> = this.#commit(group)
      .catch((error: unknown) => this.#options.halt(error))
      .finally(() => this.#commits.delete(commit));
    this.#commits.add(commit);
  }

  #newGroup(): Group {
    return { batch: this.#options.vault.batch(), added: new Map(), settled: [] };
  }

  #grown(): void {
    if (sizeOf(this.#group) >= outcomesAtOnce) this.#commitGroup();
    else this.#timer ??= setTimeout(() => this.#commitGroup(), waitMs);
  }

  async #orOutcome(wanted: Wanted, keep: () => Promise<void>): Promise<void> {
    try {
      await keep();
    } catch (error) {
      const failure = ownFailure(error);
      // The record was read some time ago: whether the bytes are wrong is decided by what the service says of them now.
      wanted.asksAlone = failure.kind === 'sha256-contradicts' || failure.kind === 'archive-limit';
      if (isEnding(failure)) throw error;
      if (!wanted.asksAlone) this.settle(wanted, verdictOf(failure));
    }
  }

  async #commit({ batch, added, settled }: Group): Promise<void> {
    try {
      await batch.commit((kept) => {
        this.#record([...settled, ...kept.flatMap((one) => keptAs(added.get(one.md5), one))]);
        for (const { arrived } of settled) arrived?.told(true);
      });
    } finally {
      for (const { arrived } of settled) arrived?.told(false);
      await batch.abort();
    }
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

  #noteOf({ wanted: { md5 }, verdict: { state, failure, kept: keptThen } }: Settled): DownloadNote {
    const { workspaceId, work, library } = this.#options;
    // What was here already may have been forgotten since it was found.
    const kept = state === 'already-here' && keptThen !== null && library.find(keptThen.sha256)?.inVault !== true ? null : keptThen;
    return {
      workspaceId,
      md5,
      hashes: kept && { md5: kept.md5, sha1: kept.sha1, sha256: kept.sha256 },
      sizeBytes: kept?.sizeBytes ?? null,
      outcome: failure?.kind ?? state,
      detail: { job: work.id, ...(kept && { sizeBytes: kept.sizeBytes }) },
    };
  }
}

const sizeOf = ({ added, settled }: Group): number => added.size + settled.length;

const keptAs = (wanted: Wanted | undefined, kept: KeptSample): Settled[] => (wanted ? [{ wanted, verdict: doneWith(kept), isRecorded: false }] : []);

const doneWith = (kept: KeptSample): Verdict => ({ state: 'done', failure: null, kept });

function outcomesOf({ md5, positions }: Wanted, { state, failure, kept }: Verdict): ItemOutcome[] {
  return positions.map((position) => ({ position, state, md5, sha256: kept?.sha256 ?? null, sizeBytes: kept?.sizeBytes ?? null, failure }));
}
