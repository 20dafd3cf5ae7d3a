import { setImmediate as nextTurn } from 'node:timers/promises';
import type { JobItem } from '../../../shared/domain/job.ts';
import { fail, FailureError } from '../../../shared/failure.ts';
import type { ItemOutcome, JobWork } from '../../jobs/job-runner.ts';
import type { LibraryStore } from '../../storage/library/library-store.ts';
import { SampleInspector } from '../../vault/inspection/sample-inspector.ts';
import type { Vault } from '../../vault/vault.ts';

interface VaultCheckOptions {
  work: JobWork;
  inspector: SampleInspector;
  vault: Pick<Vault, 'sourcesOf' | 'unreadable'>;
  library: Pick<LibraryStore, 'find' | 'isExpectedInVault' | 'setDamage' | 'together'>;
}

const itemsATurn = 256;
/** A message to the thread costs as much as a small sample: many of them share one. The last may make it longer. */
const batchItems = 50;
const batchBytes = 8 * 1024 * 1024;
/** Settled together: each commit costs more than many rows. */
const settledATurn = 256;
const settleEveryMs = 500;

/** One run of a check: each sample is read to its end, and what came of it noted before it is settled. */
export class VaultCheck {
  readonly #options: VaultCheckOptions;
  readonly #outcomes: ItemOutcome[] = [];
  #settledAt = performance.now();

  constructor(options: VaultCheckOptions) {
    this.#options = options;
  }

  /** Rejects when it is to stop, or when its thread ended. */
  async run(): Promise<void> {
    const { work } = this.#options;
    try {
      for (let items = work.take(itemsATurn); items.length > 0; items = work.take(itemsATurn)) {
        for (const batch of batchesOf(items)) await this.#check(batch);
      }
    } finally {
      // Also when it is stopped: what was read is not read again.
      this.#settle();
    }
    work.signal.throwIfAborted();
  }

  async #check(items: readonly JobItem[]): Promise<void> {
    const { work, inspector, vault, library } = this.#options;
    for (const item of items.slice(-1)) this.#show(item);
    const reasons = await inspector.verify(vault.sourcesOf(items.map(({ hash }) => hash)), work.signal);
    // Of a vault whose folder is gone each is missing, and the listener notes it: then nothing of the batch is noted,
    // and nothing settled.
    const outcomes = library.together(() => items.map((item, index) => this.#outcomeOf(item, reasons[index] ?? null)));
    this.#outcomes.push(...outcomes);
    work.moved(bytesOf(items));
    if (this.#outcomes.length >= settledATurn || performance.now() - this.#settledAt > settleEveryMs) this.#settle();
  }

  #settle(): void {
    this.#options.work.settle(this.#outcomes.splice(0));
    this.#settledAt = performance.now();
  }

  /** The one that takes longest is the last of its batch. */
  #show({ position, hash, sizeBytes }: JobItem): void {
    this.#options.work.active(position, {
      position,
      hash,
      phase: 'verifying',
      receivedBytes: 0,
      totalBytes: sizeBytes,
    });
  }

  /**
   * Missing or altered samples are noted by the vault's listener. A disk that cannot read one sample may read the next;
   * a folder that is gone holds none.
   */
  #outcomeOf({ position, hash }: JobItem, reason: string | null): ItemOutcome {
    if (reason === null) {
      this.#noteSound(hash);
      return { position, state: 'done' };
    }
    // It was forgotten since: it is not missing.
    if (!this.#options.library.isExpectedInVault(hash)) return { position, state: 'done' };
    const failure = this.#options.vault.unreadable(hash, reason);
    if (failure.kind === 'folder-gone') fail(failure);
    if (failure.kind === 'vault-damaged') return { position, state: 'mismatch', failure };
    return { position, state: failure.kind === 'not-in-vault' ? 'vanished' : 'failed', failure };
  }

  /** A sample that was called missing or altered was put back, by whatever means. */
  #noteSound(sha256: string): void {
    const { library } = this.#options;
    if (library.find(sha256)?.inVault === false) library.setDamage(sha256, null);
  }
}

const bytesOf = (items: readonly JobItem[]): number => items.reduce((sum, { sizeBytes }) => sum + (sizeBytes ?? 0), 0);

function* batchesOf(items: readonly JobItem[]): Generator<JobItem[], void, void> {
  let batch: JobItem[] = [];
  for (const item of items) {
    batch.push(item);
    if (batch.length < batchItems && bytesOf(batch) < batchBytes) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

interface LostSamplesOptions {
  vault: Pick<Vault, 'list' | 'sourcesOf' | 'hashesOf'>;
  library: Pick<LibraryStore, 'find' | 'foundInVault'>;
  signal: AbortSignal;
}

type Kept = NonNullable<Awaited<ReturnType<Vault['hashesOf']>>>;

/** Looked for in the library before the thread is free again: some milliseconds' worth. */
const samplesATurn = 100;

/**
 * Samples that the vault has and the library does not expect there: a crash or an older database left them. Those that
 * are whole when they are read are known again; what is damaged stays where it is, and unknown.
 */
export async function bringBackLost(options: LostSamplesOptions): Promise<void> {
  const inspector = new SampleInspector();
  try {
    for await (const some of inTurns(options.vault.list())) await bringBack(options, inspector, some);
  } finally {
    await inspector.close();
  }
}

async function bringBack(
  { vault, library, signal }: LostSamplesOptions,
  inspector: SampleInspector,
  sha256s: readonly string[],
): Promise<void> {
  const lost = sha256s.filter((sha256) => library.find(sha256)?.inVault !== true);
  await nextTurn();
  if (lost.length === 0) return;
  const reasons = await inspector.verify(vault.sourcesOf(lost), signal);
  const whole: Kept[] = [];
  for (const sha256 of lost.filter((_, index) => reasons[index] === null)) whole.push(...(await keptOf(vault, sha256)));
  library.foundInVault(whole.map(({ md5, sha1, sha256, sizeBytes }) => ({ hashes: { md5, sha1, sha256 }, sizeBytes })));
}

/** Nothing of one that was removed in between. */
async function keptOf(vault: Pick<Vault, 'hashesOf'>, sha256: string): Promise<Kept[]> {
  try {
    const kept = await vault.hashesOf(sha256);
    return kept ? [kept] : [];
  } catch (error) {
    if (error instanceof FailureError && error.failure.kind === 'vault-damaged') return [];
    throw error;
  }
}

async function* inTurns(all: AsyncIterable<string>): AsyncGenerator<string[], void, void> {
  let some: string[] = [];
  for await (const one of all) {
    some.push(one);
    if (some.length < samplesATurn) continue;
    yield some;
    some = [];
  }
  if (some.length > 0) yield some;
}
