import type { Worker } from 'node:worker_threads';
import { type Failure, FailureError } from '../../shared/failure.ts';
import { startWorker, type WorkerStart } from '../base/workers.ts';

export interface WorkerClientOptions extends Pick<WorkerStart, 'entry' | 'beside'> {
  /** The task that a failure names. */
  task: string;
}

interface Numbered {
  number: number;
}

/**
 * One worker that is asked and answers, each answer with its question's number. While it has nothing to do it does not
 * keep the process alive.
 */
export class WorkerClient<Question extends Numbered, Answer extends Numbered> {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, PromiseWithResolvers<Answer>>();
  #nextNumber = 1;
  #failure: FailureError | null = null;

  constructor({ entry, beside, task }: WorkerClientOptions) {
    this.#worker = startWorker({ entry, beside, onEnd: (code) => this.#fail({ kind: 'worker-ended', task, code }) });
    this.#worker.on('message', (answer: Answer) => this.#answered(answer));
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
  async request(questionOf: (number: number) => Question): Promise<Answer> {
    if (this.#failure !== null) throw this.#failure;
    const number = this.#nextNumber++;
    const answer = Promise.withResolvers<Answer>();
    this.#waiting.set(number, answer);
    this.#worker.ref();
    this.#worker.postMessage(questionOf(number));
    return answer.promise;
  }

  /** Resolves when it has no file open any more. */
  async close(): Promise<void> {
    this.#fail({ kind: 'cancelled' });
    // A process that has nothing else to wait for would end before the thread does.
    this.#worker.ref();
    await this.#worker.terminate();
  }

  #answered(answer: Answer): void {
    this.#waiting.get(answer.number)?.resolve(answer);
    this.#waiting.delete(answer.number);
    if (this.#waiting.size === 0 && this.#failure === null) this.#worker.unref();
  }

  #fail(failure: Failure): void {
    this.#failure ??= new FailureError(failure);
    for (const { reject } of this.#waiting.values()) reject(this.#failure);
    this.#waiting.clear();
  }
}
