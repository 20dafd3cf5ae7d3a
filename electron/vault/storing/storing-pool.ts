import { availableParallelism } from 'node:os';
import { fail, FailureError } from '../../../shared/failure.ts';
import type { ByteRoom } from '../byte-room.ts';
import type { Expectation } from '../expectation.ts';
import type { PackSpot } from '../packs/pack-index-port.ts';
import type { Stored, StoringSetup } from './storing-messages.ts';
import { StoringThread, type Waiting } from './storing-thread.ts';
import { newId, unfinishedPath } from '../vault-folder.ts';
import type { WholeSample } from './whole-sample.ts';

export interface StoringPoolOptions {
  /** Where a file is written until it is moved into its place. */
  incoming: string;
  isPacked(sizeBytes: number): boolean;
  /** For each worker that starts. */
  setup(): StoringSetup;
  room: ByteRoom;
}

export interface WrittenSample extends Stored {
  /** Its file; empty where it was packed. */
  path: string;
}

const threadsAtMost = Math.max(2, Math.min(4, availableParallelism()));
/** One that is worked on, and the next one at hand. */
const groupsAhead = 2;
/** A message between threads costs as much as a small sample: many of them share one. */
const groupSamples = 32;
const groupBytes = 1024 * 1024;

/**
 * Workers start with the first samples that need them, are used again, and are replaced when they end by themselves.
 */
export class StoringPool {
  readonly #options: StoringPoolOptions;
  readonly #queue: Waiting[] = [];
  #threads: StoringThread[] = [];
  #nextNumber = 1;
  #willDispatch = false;
  #closed = false;

  constructor(options: StoringPoolOptions) {
    this.#options = options;
  }

  /** @throws FailureError, and then nothing of the sample is left */
  async store(sample: WholeSample, expected: Expectation): Promise<WrittenSample> {
    if (this.#closed) fail({ kind: 'cancelled' });
    const bytes = weightOf(sample);
    const path = this.#options.isPacked(sample.sizeBytes) ? '' : unfinishedPath(this.#options.incoming, newId());
    const done = Promise.withResolvers<Stored>();
    this.#queue.push({ order: { number: this.#nextNumber++, sample, expected, path }, done });
    this.#options.room.take(bytes);
    this.#dispatchSoon();
    const stored = await done.promise.finally(() => this.#options.room.giveBack(bytes));
    return { ...stored, path };
  }

  /** Makes packed samples unreadable that will not be made known. */
  async scrap(spots: readonly PackSpot[]): Promise<void> {
    if (spots.length > 0) await Promise.all(this.#threads.map((thread) => thread.scrap(spots)));
  }

  leave(pack: string): void {
    for (const thread of this.#threads) thread.leave(pack);
  }

  /** It has no worker, so that nothing it wrote to is open. */
  get isAtRest(): boolean {
    return this.#threads.length === 0;
  }

  /** Ends its workers when none of them has anything to do. The next samples have new ones. @returns whether it did */
  async rest(): Promise<boolean> {
    const idle = this.#threads;
    if (this.#queue.length > 0 || idle.some(({ isIdle }) => !isIdle)) return false;
    this.#threads = [];
    await Promise.all(idle.map((thread) => thread.close()));
    return true;
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all(this.#threads.map((thread) => thread.close()));
    for (const { done } of this.#queue.splice(0)) done.reject(new FailureError({ kind: 'cancelled' }));
  }

  /** What is added in the same turn goes in the same group. */
  #dispatchSoon(): void {
    if (this.#willDispatch) return;
    this.#willDispatch = true;
    queueMicrotask(() => {
      this.#willDispatch = false;
      this.#dispatch();
    });
  }

  #dispatch(): void {
    this.#threads = this.#threads.filter((thread) => thread.isAlive);
    while (this.#queue.length > 0 && !this.#closed) {
      const thread = this.#freeThread();
      if (thread === null) return;
      thread.store(this.#takeGroup());
    }
  }

  #freeThread(): StoringThread | null {
    const [idlest] = this.#threads.toSorted((one, other) => one.groups - other.groups);
    if (idlest?.groups === 0) return idlest;
    if (this.#threads.length < threadsAtMost) return this.#start();
    return idlest && idlest.groups < groupsAhead ? idlest : null;
  }

  #start(): StoringThread {
    const thread = new StoringThread(this.#options.setup(), () => this.#dispatch());
    this.#threads.push(thread);
    return thread;
  }

  #takeGroup(): Waiting[] {
    let count = 0;
    let bytes = 0;
    for (const { order } of this.#queue.slice(0, groupSamples)) {
      bytes += weightOf(order.sample);
      if (count > 0 && bytes > groupBytes) break;
      count += 1;
    }
    return this.#queue.splice(0, count);
  }
}

/** What a sample takes of the memory while it is worked on. */
const weightOf = ({ bytes, sizeBytes }: WholeSample): number => bytes.length + sizeBytes;
