import { availableParallelism } from 'node:os';
import type { Worker } from 'node:worker_threads';
import { fail, type Failure, FailureError } from '../../../shared/failure.ts';
import { releaseBytes } from '../../../shared/release-bytes.ts';
import { startWorker } from '../../base/workers.ts';
import type { ByteBudget } from '../byte-budget.ts';
import type { ContainerFacts } from '../container/container.ts';
import type { Expectation } from '../intake.ts';
import type { PackSpot } from '../packs/pack-index.ts';
import { newId, removeUnfinished, unfinishedPath } from '../vault-folder.ts';
import type { WholeSample } from './whole-sample.ts';

/** An order and who waits for it. */
interface Waiting {
  order: StoringOrder;
  done: PromiseWithResolvers<Stored>;
}

/** Up to this, copying costs less than handing the memory over. */
const copiedBytes = 64 * 1024;

/**
 * One worker that stores whole samples, as the vault sees it. While it has nothing to do it does not keep the process
 * alive.
 */
class StoringThread {
  readonly #worker: Worker;
  readonly #onChange: () => void;
  readonly #waiting = new Map<number, Waiting>();
  readonly #scraps = new Map<number, PromiseWithResolvers<void>>();
  #groups = 0;
  #nextScrap = 1;
  #ended: Promise<void> | null = null;

  /** `onChange` is called when it can take more, and when it has ended by itself. */
  constructor(setup: StoringSetup, onChange: () => void) {
    this.#onChange = onChange;
    this.#worker = startWorker({
      entry: './storing-worker',
      beside: import.meta.url,
      onEnd: (code) => this.#crashed(code),
    });
    this.#worker.on('message', (message: FromStorer) => this.#answered(message));
    this.#post({ kind: 'start', setup });
    this.#worker.unref();
  }

  get isAlive(): boolean {
    return this.#ended === null;
  }

  /** Groups it has not answered yet. */
  get groups(): number {
    return this.#groups;
  }

  get isIdle(): boolean {
    return this.#waiting.size + this.#scraps.size === 0;
  }

  store(group: readonly Waiting[]): void {
    for (const waiting of group) this.#waiting.set(waiting.order.number, waiting);
    this.#groups += 1;
    const { orders, transfer } = handedOver(group.map(({ order }) => order));
    this.#post({ kind: 'store', orders }, transfer);
  }

  /** Resolves when the records are gone, or the worker is. */
  async scrap(spots: readonly PackSpot[]): Promise<void> {
    if (!this.isAlive) return;
    const number = this.#nextScrap++;
    const done = Promise.withResolvers<void>();
    this.#scraps.set(number, done);
    this.#post({ kind: 'scrap', number, spots: [...spots] });
    await done.promise;
  }

  leave(pack: string): void {
    if (this.isAlive) this.#post({ kind: 'leave', pack });
  }

  /** Resolves when the worker is gone, and what it had begun with it. */
  close(): Promise<void> {
    return this.#end({ kind: 'cancelled' });
  }

  #post(message: ToStorer, transfer: ArrayBuffer[] = []): void {
    this.#worker.ref();
    this.#worker.postMessage(message, transfer);
  }

  #answered(message: FromStorer): void {
    if (message.kind === 'scrapped') {
      this.#scraps.get(message.number)?.resolve();
      this.#scraps.delete(message.number);
    } else {
      this.#groups -= 1;
      for (const answer of message.answers) this.#settle(answer);
    }
    if (this.#waiting.size + this.#scraps.size === 0) this.#worker.unref();
    this.#onChange();
  }

  #settle(answer: StoringAnswer): void {
    const waiting = this.#waiting.get(answer.number);
    this.#waiting.delete(answer.number);
    if ('stored' in answer) waiting?.done.resolve(answer.stored);
    else waiting?.done.reject(new FailureError(answer.failure));
  }

  #crashed(code: string): void {
    if (!this.isAlive) return;
    void this.#end({ kind: 'worker-ended', task: 'storing samples', code });
    this.#onChange();
  }

  #end(failure: Failure): Promise<void> {
    this.#ended ??= this.#endOnce(failure);
    return this.#ended;
  }

  async #endOnce(failure: Failure): Promise<void> {
    const unfinished = [...this.#waiting.values()];
    this.#waiting.clear();
    await this.#worker.terminate();
    await Promise.all(unfinished.flatMap(({ order: { path } }) => (path === '' ? [] : [removeUnfinished(path)])));
    for (const { done } of unfinished) done.reject(new FailureError(failure));
    for (const done of this.#scraps.values()) done.resolve();
  }
}

/** Small samples together in one piece of memory, each larger one in its own. */
function handedOver(orders: readonly StoringOrder[]): { orders: StoringOrder[]; transfer: ArrayBuffer[] } {
  const lengths = orders.map(({ sample }) => (isCopied(sample.bytes) ? sample.bytes.length : 0));
  const together = new Uint8Array(lengths.reduce((sum, length) => sum + length, 0));
  const transfer = [together.buffer];
  let at = 0;
  const moved = orders.map((order) => {
    const { bytes } = order.sample;
    if (!isCopied(bytes)) {
      transfer.push(bytes.buffer);
      return order;
    }
    const copy = together.subarray(at, (at += bytes.length));
    copy.set(bytes);
    releaseBytes(bytes);
    return { ...order, sample: { ...order.sample, bytes: copy } };
  });
  return { orders: moved, transfer };
}

const isCopied = (bytes: Uint8Array): boolean =>
  bytes.length <= copiedBytes || bytes.length !== bytes.buffer.byteLength;

interface StoringPoolOptions {
  /** Where a file is written until it is moved into its place. */
  incoming: string;
  isPacked(sizeBytes: number): boolean;
  /** For each worker that starts. */
  setup(): StoringSetup;
  budget: ByteBudget;
}

interface WrittenSample extends Stored {
  /** Its file; empty where it was packed. */
  path: string;
}

const threadsAtMost = Math.max(2, Math.min(4, availableParallelism()));
/** One that is worked on, and the next one. */
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
    this.#options.budget.take(bytes);
    this.#dispatchSoon();
    const stored = await done.promise.finally(() => this.#options.budget.giveBack(bytes));
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

/** What the vault's thread and a worker that stores whole samples say to each other. */

export interface StoringSetup {
  /** The vault's folder: a disk failure names it to the person. */
  directory: string;
  /** Where packs lie; null when every sample is a file of its own. */
  packs: string | null;
  /** A pack to continue, and where it ends. */
  unfilled: PackEnd | null;
}

export interface PackEnd {
  pack: string;
  end: number;
}

export interface StoringOrder {
  number: number;
  sample: WholeSample;
  expected: Expectation;
  /** Where its container goes when it is not packed; nothing is there yet. Empty when it is. */
  path: string;
}

interface Stored {
  facts: ContainerFacts;
  /** The vault has a file of this sample. */
  hasFile: boolean;
  /** Where it was packed; null when it is the file that was ordered. */
  spot: PackSpot | null;
}

export type StoringAnswer = { number: number; stored: Stored } | { number: number; failure: Failure };

export type ToStorer =
  /** The first one. */
  | { kind: 'start'; setup: StoringSetup }
  | { kind: 'store'; orders: StoringOrder[] }
  /** These records are no longer wanted. */
  | { kind: 'scrap'; number: number; spots: PackSpot[] }
  /** The disk failed this pack: nothing more goes into it. */
  | { kind: 'leave'; pack: string };

export type FromStorer = { kind: 'stored'; answers: StoringAnswer[] } | { kind: 'scrapped'; number: number };
