import type { Worker } from 'node:worker_threads';
import { FailureError, type Failure } from '../../../shared/failure.ts';
import { startWorker } from '../../threads/worker-start.ts';
import type { FromFacts, ToFacts } from './facts-messages.ts';

/** One worker that reads staged files. While it has nothing to do it does not keep the process alive. */
export class FactsThread {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, PromiseWithResolvers<FromFacts>>();
  #nextNumber = 1;
  #failure: FailureError | null = null;

  constructor() {
    this.#worker = startWorker({ entry: './facts-worker', beside: import.meta.url, onEnd: (code) => this.#fail({ kind: 'worker-ended', task: 'reading files', code }) });
    this.#worker.on('message', (message: FromFacts) => this.#answered(message));
    this.#worker.unref();
  }

  get isAlive(): boolean {
    return this.#failure === null;
  }

  /** Questions without an answer. */
  get pending(): number {
    return this.#waiting.size;
  }

  /** @throws FailureError `worker-ended`, or `cancelled` when it was closed */
  async ask(order: Omit<ToFacts, 'number'>): Promise<FromFacts> {
    if (this.#failure !== null) throw this.#failure;
    const number = this.#nextNumber++;
    const answer = Promise.withResolvers<FromFacts>();
    this.#waiting.set(number, answer);
    this.#worker.ref();
    this.#worker.postMessage({ number, ...order } satisfies ToFacts);
    return answer.promise;
  }

  /** Resolves when it has no file open any more. */
  async close(): Promise<void> {
    this.#fail({ kind: 'cancelled' });
    await this.#worker.terminate();
  }

  #answered(message: FromFacts): void {
    this.#waiting.get(message.number)?.resolve(message);
    this.#waiting.delete(message.number);
    if (this.#waiting.size === 0) this.#worker.unref();
  }

  #fail(failure: Failure): void {
    this.#failure ??= new FailureError(failure);
    for (const { reject } of this.#waiting.values()) reject(this.#failure);
    this.#waiting.clear();
  }
}
