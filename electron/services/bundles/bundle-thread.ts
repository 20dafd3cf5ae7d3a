import type { Worker } from 'node:worker_threads';
import { FailureError } from '../../../shared/failure.ts';
import { startWorker } from '../../base/workers.ts';
import { Inbox } from './inbox.ts';

export interface ThreadOrder {
  entry: './bundle-writing-worker' | './bundle-reading-worker';
  workerData: unknown;
  /** What failures call it. */
  task: string;
  signal: AbortSignal;
}

/**
 * A worker that does one thing and is ended behind it. Its messages are taken one by one; what it asks is answered by
 * `post`.
 */
export class BundleThread<In, Out> {
  readonly #inbox = new Inbox<Out>();
  readonly #worker: Worker;
  readonly #signal: AbortSignal;
  readonly #stop = (): void => this.#inbox.fail(this.#signal.reason);

  constructor({ entry, workerData, task, signal }: ThreadOrder) {
    this.#signal = signal;
    this.#worker = startWorker({
      entry,
      beside: import.meta.url,
      workerData,
      onEnd: (code) => this.#inbox.fail(new FailureError({ kind: 'worker-ended', task, code })),
    });
    this.#worker.on('message', (message: Out) => this.#inbox.push(message));
    if (signal.aborted) this.#stop();
    signal.addEventListener('abort', this.#stop);
  }

  post(message: In, transfer: ArrayBuffer[] = []): void {
    this.#worker.postMessage(message, transfer);
  }

  /** @throws FailureError `worker-ended`; the signal's reason */
  async next(): Promise<Out> {
    this.#signal.throwIfAborted();
    return this.#inbox.next();
  }

  /** Resolves when it holds no file open. */
  async end(): Promise<void> {
    this.#signal.removeEventListener('abort', this.#stop);
    await this.#worker.terminate();
  }
}
