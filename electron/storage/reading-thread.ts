import type { Worker } from 'node:worker_threads';
import { FailureError } from '../../shared/failure.ts';
import { startWorker } from '../threads/worker-start.ts';
import type { Answer, FromReader, Question, ToReader } from './reading-messages.ts';

interface Asked {
  resolve(answer: Answer): void;
  reject(error: Error): void;
}

/**
 * A thread that reads the database beside the host's: what takes longer than the host's thread may be kept. It starts
 * with the first question; one that crashed is started again. It answers one question after the other.
 */
export class ReadingThread {
  readonly #path: string;
  readonly #asked = new Map<number, Asked>();
  #worker: Worker | null = null;
  #nextNumber = 1;
  #isClosed = false;

  /** `path`: the database file. */
  constructor(path: string) {
    this.#path = path;
  }

  /** `of` takes what was asked for out of the answer. Fails with `worker-ended`, `cancelled`, or as the reading does. */
  async ask<T>(question: Question, of: (answer: Answer) => T | null): Promise<T> {
    const answer = await this.#ask(question);
    return of(answer) ?? wrong(question.kind, answer.kind);
  }

  /** What is asked still fails with `cancelled`. Resolves when the thread is gone. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const worker = this.#worker;
    this.#end(new FailureError({ kind: 'cancelled' }));
    await worker?.terminate();
  }

  #ask(question: Question): Promise<Answer> {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    if (this.#isClosed) {
      reject(new FailureError({ kind: 'cancelled' }));
      return promise;
    }
    const number = this.#nextNumber++;
    this.#asked.set(number, { resolve, reject });
    const worker = (this.#worker ??= this.#start());
    worker.ref();
    worker.postMessage({ number, question } satisfies ToReader);
    return promise;
  }

  #start(): Worker {
    const worker: Worker = startWorker({
      entry: './reading-worker',
      beside: import.meta.url,
      onEnd: (code) => this.#crashed(worker, code),
      workerData: { path: this.#path },
    });
    worker.on('message', (message: FromReader) => this.#answered(worker, message));
    return worker;
  }

  #answered(worker: Worker, { number, answer }: FromReader): void {
    const asked = this.#asked.get(number);
    this.#asked.delete(number);
    if (this.#asked.size === 0) worker.unref();
    if (answer.kind === 'failed') asked?.reject(new FailureError(answer.failure));
    else if (answer.kind === 'defect') asked?.reject(new Error(answer.text));
    else asked?.resolve(answer);
  }

  #crashed(worker: Worker, code: string): void {
    if (this.#worker === worker) this.#end(new FailureError({ kind: 'worker-ended', task: 'reading the database', code }));
  }

  #end(error: FailureError): void {
    this.#worker = null;
    const asked = [...this.#asked.values()];
    this.#asked.clear();
    for (const { reject } of asked) reject(error);
  }
}

function wrong(asked: string, answered: string): never {
  throw new TypeError(`${asked} was answered with ${answered}`);
}
