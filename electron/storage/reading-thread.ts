import type { Worker } from 'node:worker_threads';
import { FailureError } from '../../shared/failure.ts';
import { startWorker } from '../base/workers.ts';
import type { Answer, FromReader, Question, ToReader } from './reading-messages.ts';

/** The list that a question is about, and whoever looks at it, who looks at no other one. */
export interface AskedList {
  asker: string;
  key: string;
}

interface Asked {
  number: number;
  question: Question;
  list: AskedList | null;
  resolve(answer: Answer): void;
  reject(error: Error): void;
}

/** What readers ask. */
export type Reading = Pick<ReadingThread, 'ask' | 'close' | 'prepare'>;

/**
 * A thread that reads the database beside the host's: what takes longer than the host's thread may be kept. It starts
 * with the first question; one that crashed is started again. It answers one question after the other, and counts when
 * nobody waits for anything else.
 */
export class ReadingThread {
  readonly #path: string;
  #waiting: Asked[] = [];
  #running: Asked | null = null;
  #worker: Worker | null = null;
  #nextNumber = 1;
  #isClosed = false;

  /** `path`: the database file. */
  constructor(path: string) {
    this.#path = path;
  }

  /** Somebody will ask soon. */
  prepare(): void {
    if (this.#isClosed || this.#worker !== null) return;
    this.#worker = this.#start();
    this.#worker.unref();
  }

  /**
   * `of` takes what was asked for out of the answer. A question that waits and is of a list fails with `cancelled` when
   * its asker asks about another one: whoever types asks faster than a large library answers. Fails with
   * `worker-ended`, `cancelled`, or as the reading does.
   */
  async ask<T>(question: Question, of: (answer: Answer) => T | null, list: AskedList | null = null): Promise<T> {
    const answer = await this.#ask(question, list);
    return of(answer) ?? wrong(question.kind, answer.kind);
  }

  /** What is asked still fails with `cancelled`. Resolves when the thread is gone. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const worker = this.#worker;
    this.#end(new FailureError({ kind: 'cancelled' }));
    await worker?.terminate();
  }

  #ask(question: Question, list: AskedList | null): Promise<Answer> {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    if (this.#isClosed) {
      reject(new FailureError({ kind: 'cancelled' }));
      return promise;
    }
    if (list !== null) this.#overtake(list);
    this.#waiting.push({ number: this.#nextNumber++, question, list, resolve, reject });
    this.#goOn();
    return promise;
  }

  #overtake(by: AskedList): void {
    const isOvertaken = ({ list }: Asked): boolean => list !== null && list.asker === by.asker && list.key !== by.key;
    const overtaken = this.#waiting.filter(isOvertaken);
    this.#waiting = this.#waiting.filter((asked) => !isOvertaken(asked));
    for (const { reject } of overtaken) reject(new FailureError({ kind: 'cancelled' }));
  }

  #goOn(): void {
    if (this.#running !== null) return;
    const next = this.#takeNext();
    if (next === undefined) {
      this.#worker?.unref();
      return;
    }
    this.#running = next;
    const worker = (this.#worker ??= this.#start());
    worker.ref();
    worker.postMessage({ number: next.number, question: next.question } satisfies ToReader);
  }

  #takeNext(): Asked | undefined {
    const prompt = this.#waiting.findIndex(({ question }) => question.kind !== 'library-total');
    return this.#waiting.splice(Math.max(0, prompt), 1)[0];
  }

  #start(): Worker {
    const worker: Worker = startWorker({
      entry: './reading-worker',
      beside: import.meta.url,
      youngMiB: 8,
      onEnd: (code) => this.#crashed(worker, code),
      workerData: { path: this.#path },
    });
    worker.on('message', (message: FromReader) => this.#answered(message));
    return worker;
  }

  #answered({ number, answer }: FromReader): void {
    const asked = this.#running;
    // An answer may be on its way while its thread crashes: whoever asked was told.
    if (asked?.number !== number) return;
    this.#running = null;
    if (answer.kind === 'failed') asked.reject(new FailureError(answer.failure));
    else if (answer.kind === 'defect') asked.reject(new Error(answer.text));
    else asked.resolve(answer);
    this.#goOn();
  }

  #crashed(worker: Worker, code: string): void {
    if (this.#worker === worker)
      this.#end(new FailureError({ kind: 'worker-ended', task: 'reading the database', code }));
  }

  #end(error: FailureError): void {
    const asked = [...(this.#running === null ? [] : [this.#running]), ...this.#waiting];
    this.#worker = null;
    this.#running = null;
    this.#waiting = [];
    for (const { reject } of asked) reject(error);
  }
}

function wrong(asked: string, answered: string): never {
  throw new TypeError(`${asked} was answered with ${answered}`);
}
