import type { ItemState } from '../../../../shared/domain/job.ts';
import type { Failure, FailureKind } from '../../../../shared/failure.ts';
import type { ItemOutcome, JobWork } from '../../../jobs/job-runner.ts';
import type { DownloadNote, LibraryStore } from '../../../storage/library-store.ts';
import type { Expected } from '../../../vault/intake.ts';
import type { ArrivedSample } from '../../../vault/receiver.ts';
import type { StoredSample, Vault, VaultBatch, WholeSample } from '../../../vault/vault.ts';
import type { KeptSample } from '../fetch-into-vault.ts';

interface LedgerOptions {
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
  /** Samples given to the batch, whatever became of them. */
  adding: number;
  /** Those that were verified, by MD5. */
  added: Map<string, Wanted>;
  settled: Settled[];
}

/** One commit costs waits for the disk, so outcomes share one; few enough that the host's thread is free again soon. */
const outcomesAtOnce = 16;
/** Commits that wait for the disk, which one wait of it serves: more hold memory and are no faster. */
const mostCommits = 32;
const waitMs = 250;

/** Bytes of a sample that has its outcome. */
export class KeptAlready extends Error {
  readonly stored: StoredSample;

  constructor(stored: StoredSample) {
    super('the sample was already stored');
    this.stored = stored;
  }
}

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
   * Verifies and keeps the sample that the bytes are, whichever of the list it is. Rejects with what is wrong with
   * them, which settles nothing; with `KeptAlready` where an earlier entry was the same sample.
   */
  async keepWhole(wanted: WantedList, sample: WholeSample): Promise<StoredSample | null> {
    const group = this.#group;
    let kept: StoredSample | null = null;
    const adding = group.batch.add(sample, wanted.expected, (stored) => {
      group.added.set(stored.md5, this.#claim(wanted, stored));
      kept = stored;
    });
    group.adding += 1;
    this.#grown();
    await adding;
    return kept;
  }

  /** The same for a sample that is too large to be held: it is durable when this resolves. */
  async keepStream(wanted: WantedList, chunks: AsyncIterable<Uint8Array>): Promise<void> {
    const receiver = this.#options.vault.receive();
    try {
      for await (const chunk of chunks) await receiver.write(chunk);
      const arrived = await receiver.arrive(wanted.expected);
      this.#settleArrived(wanted, arrived);
    } catch (error) {
      await receiver.abort();
      throw error;
    }
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

  #settleArrived(wanted: WantedList, arrived: ArrivedSample): void {
    try {
      const one = this.#claim(wanted, arrived.stored);
      this.#settle({ wanted: one, verdict: doneWith(arrived.stored), isRecorded: false, arrived });
    } catch (error) {
      arrived.told(false);
      throw error;
    }
  }

  /** Of several entries with the same bytes one counts. */
  #claim(wanted: WantedList, stored: StoredSample): Wanted {
    const one = wanted.byMd5.get(stored.md5);
    if (one === undefined || this.#settled.has(one)) throw new KeptAlready(stored);
    this.#settled.add(one);
    return one;
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
    return { batch: this.#options.vault.batch(), adding: 0, added: new Map(), settled: [] };
  }

  #grown(): void {
    if (sizeOf(this.#group) >= outcomesAtOnce) this.#commitGroup();
    else this.#timer ??= setTimeout(() => this.#commitGroup(), waitMs);
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
    return {
      state: 'mismatch',
      failure: { kind: 'two-samples-one-md5', md5, sha256s: [...namesakes, kept.sha256] },
      kept,
    };
  }

  #noteOf({ wanted: { md5 }, verdict: { state, failure, kept: keptThen } }: Settled): DownloadNote {
    const { workspaceId, work, library } = this.#options;
    // What was here already may have been forgotten since it was found.
    const kept =
      state === 'already-here' && keptThen !== null && library.find(keptThen.sha256)?.inVault !== true
        ? null
        : keptThen;
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

const sizeOf = ({ adding, settled }: Group): number => adding + settled.length;

const keptAs = (wanted: Wanted | undefined, kept: KeptSample): Settled[] =>
  wanted ? [{ wanted, verdict: doneWith(kept), isRecorded: false }] : [];

const doneWith = (kept: KeptSample): Verdict => ({ state: 'done', failure: null, kept });

function outcomesOf({ md5, positions }: Wanted, { state, failure, kept }: Verdict): ItemOutcome[] {
  return positions.map((position) => ({
    position,
    state,
    md5,
    sha256: kept?.sha256 ?? null,
    sizeBytes: kept?.sizeBytes ?? null,
    failure,
  }));
}

/** What became of a sample. `kept` are the bytes that are here now. */
export interface Verdict {
  state: Exclude<ItemState, 'waiting'>;
  failure: Failure | null;
  kept: KeptSample | null;
}

/** The list as it is cannot be had: one or some of its hashes may be why, or its length. */
const refusingKinds: ReadonlySet<FailureKind> = new Set<FailureKind>([
  'forbidden',
  'forbidden-or-unknown',
  'unknown-hash',
  'request-refused',
  'too-large-for-service',
  'service-failed',
  'html-reply',
  'empty-reply',
  'unreadable-reply',
  'text-around-json',
  'not-an-archive',
  'reply-too-large',
  'archive-limit',
]);

/** Met in the middle of an entry, they say nothing of its sample: the archive came no further. */
const endingKinds: ReadonlySet<FailureKind> = new Set<FailureKind>([
  'connection-lost',
  'timed-out',
  'archive-truncated',
  'archive-limit',
]);

const stateOfKind: Partial<Record<FailureKind, Verdict['state']>> = {
  'unknown-hash': 'unknown',
  forbidden: 'forbidden',
  'forbidden-or-unknown': 'forbidden',
  'wrong-bytes': 'mismatch',
  'sha256-contradicts': 'mismatch',
  'wrong-record': 'mismatch',
  'two-samples-one-md5': 'mismatch',
};

export const isRefusing = ({ kind }: Failure): boolean => refusingKinds.has(kind);
export const isEnding = ({ kind }: Failure): boolean => endingKinds.has(kind);

/** A clear answer about what was asked for: the service is at work. */
export const isAboutHashes = ({ kind }: Failure): boolean =>
  kind === 'forbidden' || kind === 'forbidden-or-unknown' || kind === 'unknown-hash';

/** The outcome of one sample that a failure means. */
export function verdictOf(failure: Failure): Verdict {
  return { state: stateOfKind[failure.kind] ?? 'failed', failure, kept: null };
}

/**
 * A sample a bulk download is after, and every item of the job that means it: an MD5 and a SHA-256 may be one sample.
 */
export interface Wanted {
  md5: string;
  /** As the person gave it, of the first item. */
  hash: string;
  positions: number[];
  /** What a record said it is; it must be that, or the record is asked for anew. */
  recordedSha256: string | null;
  /**
   * No archive gives it: other bytes came than a record says that may be out of date, or more than an archive may hold.
   */
  asksAlone: boolean;
}

/** What one archive is asked for. */
export interface WantedList {
  byMd5: ReadonlyMap<string, Wanted>;
  /** The same list for every entry: a group of entries carries it to its worker once. */
  expected: readonly Expected[];
}

export const wantedList = (wanted: readonly Wanted[]): WantedList => ({
  byMd5: new Map(wanted.map((one) => [one.md5, one])),
  expected: wanted.map(({ md5, recordedSha256 }) => ({ md5, sha256: recordedSha256 })),
});

const digests = /(?<![0-9a-f])[0-9a-f]{32}(?![0-9a-f])/g;

/**
 * The sample that an entry's name holds the MD5 of, in whatever folder and with whatever extension. A label only: the
 * bytes decide.
 */
export function namedBy({ byMd5 }: WantedList, name: string): Wanted | undefined {
  const [found] = (name.toLowerCase().match(digests) ?? []).flatMap((md5) => byMd5.get(md5) ?? []);
  return found;
}
