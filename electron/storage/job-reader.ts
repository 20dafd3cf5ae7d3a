import type { Worker } from 'node:worker_threads';
import type { ItemFilter, JobItem } from '../../shared/domain/job.ts';
import { FailureError } from '../../shared/failure.ts';
import { startWorker } from '../threads/worker-start.ts';
import type { FromReader, ItemsAnswer, ItemsRequest, Question, ToReader } from './job-reader-messages.ts';

export type { ItemsAnswer, ItemsRequest } from './job-reader-messages.ts';

const itemsAPage = 1000;

interface Asked {
  resolve(answer: ItemsAnswer): void;
  reject(error: Error): void;
}

/**
 * Reads the items of jobs in a thread of its own: any order and any filter over half a million items takes longer than
 * the host's thread may be kept. The thread starts with the first question; one that crashed is started again.
 */
export class JobReader {
  readonly #path: string;
  readonly #asked = new Map<number, Asked>();
  #worker: Worker | null = null;
  #nextNumber = 1;
  #isClosed = false;

  /** `path`: the database file. */
  constructor(path: string) {
    this.#path = path;
  }

  /** Fails with `job-missing`, with `worker-ended`, or as the database does. */
  items(request: ItemsRequest): Promise<ItemsAnswer> {
    return this.#ask({ kind: 'items', request });
  }

  /** All items that match, by position, some at a time. An item that changes meanwhile is given as it is by then. */
  async *itemsForExport(id: number, filter: ItemFilter): AsyncGenerator<JobItem[], void, undefined> {
    for (let after = 0; ; ) {
      const { items } = await this.#ask({ kind: 'page', request: { id, filter, after, limit: itemsAPage } });
      if (items.length > 0) yield items;
      if (items.length < itemsAPage) return;
      after = items.at(-1)?.position ?? after;
    }
  }

  /** What is asked still fails with `cancelled`. Resolves when the thread is gone. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const worker = this.#worker;
    this.#end(new FailureError({ kind: 'cancelled' }));
    await worker?.terminate();
  }

  #ask(question: Question): Promise<ItemsAnswer> {
    const { promise, resolve, reject } = Promise.withResolvers<ItemsAnswer>();
    if (this.#isClosed) {
      reject(new FailureError({ kind: 'cancelled' }));
      return promise;
    }
    const number = this.#nextNumber++;
    this.#asked.set(number, { resolve, reject });
    const worker = (this.#worker ??= this.#start());
    worker.ref();
    worker.postMessage({ number, ...question } satisfies ToReader);
    return promise;
  }

  #start(): Worker {
    const worker: Worker = startWorker({
      entry: './job-reader-worker',
      beside: import.meta.url,
      onEnd: (code) => this.#crashed(worker, code),
      workerData: { path: this.#path },
    });
    worker.on('message', (message: FromReader) => this.#answered(worker, message));
    return worker;
  }

  #answered(worker: Worker, message: FromReader): void {
    const asked = this.#asked.get(message.number);
    this.#asked.delete(message.number);
    if (this.#asked.size === 0) worker.unref();
    if (message.kind === 'items') asked?.resolve({ items: message.items, total: message.total });
    else if (message.kind === 'failed') asked?.reject(new FailureError(message.failure));
    else asked?.reject(new Error(message.text));
  }

  #crashed(worker: Worker, code: string): void {
    if (this.#worker === worker) this.#end(new FailureError({ kind: 'worker-ended', task: 'reading the items of a job', code }));
  }

  #end(error: FailureError): void {
    this.#worker = null;
    const asked = [...this.#asked.values()];
    this.#asked.clear();
    for (const { reject } of asked) reject(error);
  }
}
