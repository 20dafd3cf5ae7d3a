import type { Worker } from 'node:worker_threads';
import { type Failure, FailureError } from '../../../shared/failure.ts';
import { releaseBytes } from '../../../shared/release-bytes.ts';
import { startWorker } from '../../base/workers.ts';
import type { PackSpot } from '../packs/pack-index-port.ts';
import { removeUnfinished } from '../vault-folder.ts';
import type { FromStorer, Stored, StoringAnswer, StoringOrder, StoringSetup, ToStorer } from './storing-messages.ts';

/** An order and who waits for it. */
export interface Waiting {
  order: StoringOrder;
  done: PromiseWithResolvers<Stored>;
}

/** Up to this, copying costs less than handing the memory over. */
const copiedBytes = 64 * 1024;

/**
 * One worker that stores whole samples, as the vault sees it. While it has nothing to do it does not keep the process
 * alive.
 */
export class StoringThread {
  readonly #worker: Worker;
  readonly #onChange: () => void;
  readonly #waiting = new Map<number, Waiting>();
  readonly #scraps = new Map<number, PromiseWithResolvers<void>>();
  #groups = 0;
  #nextScrap = 1;
  #ended: Promise<void> | null = null;

  /** `onChange` is told when it can take more, and when it has ended by itself. */
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
