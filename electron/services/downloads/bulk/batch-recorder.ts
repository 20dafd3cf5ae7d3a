import type { ItemState } from '../../../../shared/domain/job.ts';
import type { Failure, FailureKind } from '../../../../shared/failure.ts';
import type { ItemOutcome, JobWork } from '../../../jobs/job-runner.ts';
import type { DownloadNote } from '../../../storage/library/library-notes.ts';
import type { LibraryStore } from '../../../storage/library/library-store.ts';
import type { Expected } from '../../../vault/intake.ts';
import type { ArrivedSample } from '../../../vault/receiver.ts';
import type { StoredSample, Vault, VaultBatch, WholeSample } from '../../../vault/vault.ts';
import type { KeptSample } from '../fetch-into-vault.ts';

interface BatchRecorderOptions {
  vault: Vault;
  library: LibraryStore;
  work: JobWork;
  workspaceId: string;
  /** Ends the run when nothing more can be recorded. */
  halt(error: unknown): void;
}

interface Settled {
  item: RequestedItem;
  outcome: Outcome;
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
  added: Map<string, RequestedItem>;
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
export class BatchRecorder {
  readonly #options: BatchRecorderOptions;
  readonly #settled = new WeakSet<RequestedItem>();
  #group: Group;
  /** Several wait for the disk at a time; `room` bounds how many. */
  readonly #commits = new Set<Promise<void>>();
  #timer: NodeJS.Timeout | null = null;

  constructor(options: BatchRecorderOptions) {
    this.#options = options;
    this.#group = this.#newGroup();
  }

  isSettled(item: RequestedItem): boolean {
    return this.#settled.has(item);
  }

  /** Resolves when more may come: a disk that is slower than the service must not fill the memory. */
  async waitForSpace(): Promise<void> {
    while (this.#commits.size >= mostCommits) await Promise.race(this.#commits);
  }

  /**
   * Verifies and keeps the sample that the bytes are, whichever of the list it is. Rejects with what is wrong with
   * them, which settles nothing; with `KeptAlready` where an earlier entry was the same sample.
   */
  async keepWhole(batch: RequestedBatch, sample: WholeSample): Promise<StoredSample | null> {
    const group = this.#group;
    let kept: StoredSample | null = null;
    const adding = group.batch.add(sample, batch.expected, (stored) => {
      group.added.set(stored.md5, this.#claim(batch, stored));
      kept = stored;
    });
    group.adding += 1;
    this.#grown();
    await adding;
    return kept;
  }

  /** The same for a sample that is too large to be held: it is durable when this resolves. */
  async keepStream(batch: RequestedBatch, chunks: AsyncIterable<Uint8Array>): Promise<void> {
    const receiver = this.#options.vault.receive();
    try {
      for await (const chunk of chunks) await receiver.write(chunk);
      const arrived = await receiver.arrive(batch.expected);
      this.#settleArrived(batch, arrived);
    } catch (error) {
      await receiver.abort();
      throw error;
    }
    await this.flush();
  }

  /** `isRecorded`: the finder of the outcome wrote library and journal too. */
  settle(item: RequestedItem, outcome: Outcome, isRecorded = false): void {
    this.#settle({ item, outcome, isRecorded });
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

  #settleArrived(batch: RequestedBatch, arrived: ArrivedSample): void {
    try {
      const one = this.#claim(batch, arrived.stored);
      this.#settle({ item: one, outcome: doneWith(arrived.stored), isRecorded: false, arrived });
    } catch (error) {
      arrived.announced(false);
      throw error;
    }
  }

  /** Of several entries with the same bytes one counts. */
  #claim(batch: RequestedBatch, stored: StoredSample): RequestedItem {
    const one = batch.byMd5.get(stored.md5);
    if (one === undefined || this.#settled.has(one)) throw new KeptAlready(stored);
    this.#settled.add(one);
    return one;
  }

  #settle(settled: Settled): void {
    this.#settled.add(settled.item);
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
        for (const { arrived } of settled) arrived?.announced(true);
      });
    } finally {
      for (const { arrived } of settled) arrived?.announced(false);
      await batch.abort();
    }
  }

  #record(settled: readonly Settled[]): void {
    const distinguished = settled.map((one) => (one.isRecorded ? one : { ...one, outcome: this.#distinguish(one) }));
    this.#options.library.recordDownloads(
      distinguished.filter(({ isRecorded }) => !isRecorded).map((one) => this.#noteOf(one)),
    );
    this.#options.work.settle(distinguished.flatMap(({ item, outcome }) => outcomesOf(item, outcome)));
  }

  /** One MD5 with two SHA-256s is never merged: both are kept apart, and it is said. */
  #distinguish({ item: { md5 }, outcome }: Settled): Outcome {
    const { state, kept } = outcome;
    if (state !== 'done' || kept === null) return outcome;
    const namesakes = this.#options.library.sha256sOfMd5(md5).filter((sha256) => sha256 !== kept.sha256);
    if (namesakes.length === 0) return outcome;
    return {
      state: 'mismatch',
      failure: { kind: 'two-samples-one-md5', md5, sha256s: [...namesakes, kept.sha256] },
      kept,
    };
  }

  #noteOf({ item: { md5 }, outcome: { state, failure, kept: keptThen } }: Settled): DownloadNote {
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

const keptAs = (item: RequestedItem | undefined, kept: KeptSample): Settled[] =>
  item ? [{ item, outcome: doneWith(kept), isRecorded: false }] : [];

const doneWith = (kept: KeptSample): Outcome => ({ state: 'done', failure: null, kept });

function outcomesOf({ md5, positions }: RequestedItem, { state, failure, kept }: Outcome): ItemOutcome[] {
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
export interface Outcome {
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
  'encoding-unusable',
  'archive-limit',
]);

/** Met in the middle of an entry, they say nothing of its sample: the archive came no further. */
const endingKinds: ReadonlySet<FailureKind> = new Set<FailureKind>([
  'connection-lost',
  'timed-out',
  'archive-truncated',
  'archive-limit',
  'encoding-unusable',
]);

const stateOfKind: Partial<Record<FailureKind, Outcome['state']>> = {
  'unknown-hash': 'unknown',
  'unknown-behind-warning': 'unknown',
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
export function outcomeOf(failure: Failure): Outcome {
  return { state: stateOfKind[failure.kind] ?? 'failed', failure, kept: null };
}

/**
 * A sample a bulk download is after, and every item of the job that means it: an MD5 and a SHA-256 may be one sample.
 */
export interface RequestedItem {
  md5: string;
  /** As the person gave it, of the first item. */
  hash: string;
  positions: number[];
  /** The SHA-256 of its record; the bytes must have it, or the record is fetched again. */
  recordedSha256: string | null;
  /**
   * No archive gives it: its bytes differ from a record that may be out of date, or are more than an archive may hold.
   */
  isSingle: boolean;
}

/** What one archive is asked for. */
export interface RequestedBatch {
  byMd5: ReadonlyMap<string, RequestedItem>;
  /** The same list for every entry: a group of entries carries it to its worker once. */
  expected: readonly Expected[];
}

export const requestedBatch = (items: readonly RequestedItem[]): RequestedBatch => ({
  byMd5: new Map(items.map((one) => [one.md5, one])),
  expected: items.map(({ md5, recordedSha256 }) => ({ md5, sha256: recordedSha256 })),
});

const digests = /(?<![0-9a-f])[0-9a-f]{32}(?![0-9a-f])/g;

/**
 * The sample that an entry's name holds the MD5 of, in whatever folder and with whatever extension. A label only: the
 * bytes decide.
 */
export function namedBy({ byMd5 }: RequestedBatch, name: string): RequestedItem | undefined {
  const [found] = (name.toLowerCase().match(digests) ?? []).flatMap((md5) => byMd5.get(md5) ?? []);
  return found;
}
