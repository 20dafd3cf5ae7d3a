import { setImmediate } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import { FailureError } from '../../../shared/failure.ts';
import { startWorker } from '../../base/workers.ts';
import type { RuleFile } from '../package-files.ts';
import {
  type Answer,
  type FromLibrary,
  NotLoadedError,
  type Order,
  type Question,
  type ToLibrary,
} from './library-messages.ts';

const pieceBytes = 4 * 1024 * 1024;
const pieceFiles = 500;

/**
 * Copies of the files, some at a time: a package passed as one would keep the host's thread from its other work. While
 * a large file is copied, pieces without any come.
 */
export function* filePieces(files: readonly RuleFile[]): Generator<RuleFile[], void, undefined> {
  let piece: RuleFile[] = [];
  let size = 0;
  for (const { path, bytes } of files) {
    const copy = new Uint8Array(bytes.length);
    for (let at = 0; at < bytes.length; at += pieceBytes) {
      const part = bytes.subarray(at, at + pieceBytes);
      copy.set(part, at);
      size += part.length;
      if (size < pieceBytes) continue;
      yield piece;
      piece = [];
      size = 0;
    }
    piece.push({ path, bytes: copy });
    if (piece.length < pieceFiles) continue;
    yield piece;
    piece = [];
  }
  if (piece.length > 0) yield piece;
}

/** Buffers that are passed without a second copy. */
const buffersOf = (files: readonly RuleFile[]): ArrayBuffer[] =>
  files.flatMap(({ bytes: { buffer } }) => (buffer instanceof ArrayBuffer ? [buffer] : []));

type AnswerTo<Asking extends { kind: Answer['kind'] }> = Extract<Answer, { kind: Asking['kind'] }>;

interface AskOptions {
  /** Sent ahead of what reads a package. */
  files?: readonly RuleFile[];
  signal?: AbortSignal;
  onProgress?(done: number, total: number): void;
}

interface Asked {
  answer(answer: Answer): void;
  reject(error: Error): void;
  progress(done: number, total: number): void;
}

/**
 * The library's worker as it is asked. It starts with the first question; one that crashed is started again, and knows
 * nothing.
 */
export class LibraryThread {
  readonly #asked = new Map<number, Asked>();
  readonly #onLost: () => void;
  #worker: Worker | null = null;
  #nextNumber = 1;
  #isClosed = false;

  /** `onLost`: it crashed, and what it had in memory is gone. */
  constructor(onLost: () => void) {
    this.#onLost = onLost;
  }

  /**
   * Rejects with a NotLoadedError, a FailureError (`cancelled`, `worker-ended` and what the question may fail with), or
   * a defect.
   */
  async ask<Asking extends Question | Order>(
    question: Asking,
    { files = [], signal, onProgress }: AskOptions = {},
  ): Promise<AnswerTo<Asking>> {
    if (this.#isClosed || signal?.aborted === true) throw new FailureError({ kind: 'cancelled' });
    const number = this.#nextNumber++;
    const worker = (this.#worker ??= this.#start());
    const { promise, resolve, reject } = Promise.withResolvers<AnswerTo<Asking>>();
    const answer = (found: Answer): void =>
      isAnswerTo(question, found)
        ? resolve(found)
        : reject(new Error(`the library answered ${question.kind} with ${found.kind}`));
    this.#asked.set(number, { answer, reject, progress: (done, total) => onProgress?.(done, total) });
    worker.ref();
    const cancel = (): void => worker.postMessage({ number, kind: 'cancel' } satisfies ToLibrary);
    signal?.addEventListener('abort', cancel, { once: true });
    this.#send(worker, number, question, { files, signal }).catch(reject);
    try {
      return await promise;
    } finally {
      this.#settled(worker, number);
      signal?.removeEventListener('abort', cancel);
    }
  }

  /** What is asked still fails with `cancelled`. Resolves when the thread is gone. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const worker = this.#worker;
    this.#end(new FailureError({ kind: 'cancelled' }));
    await worker?.terminate();
  }

  async #send(
    worker: Worker,
    number: number,
    question: Question | Order,
    { files, signal }: { files: readonly RuleFile[]; signal: AbortSignal | undefined },
  ): Promise<void> {
    for (const piece of filePieces(files)) {
      worker.postMessage({ number, kind: 'files', files: piece } satisfies ToLibrary, buffersOf(piece));
      await setImmediate();
      if (!this.#asked.has(number)) return;
      if (signal?.aborted === true) throw new FailureError({ kind: 'cancelled' });
    }
    worker.postMessage({ number, kind: 'ask', question } satisfies ToLibrary);
  }

  #start(): Worker {
    const worker: Worker = startWorker({
      entry: './library-worker',
      beside: import.meta.url,
      onEnd: (code) => this.#crashed(worker, code),
    });
    worker.on('message', (message: FromLibrary) => this.#received(message));
    return worker;
  }

  #received(message: FromLibrary): void {
    const asked = this.#asked.get(message.number);
    if (message.kind === 'progress') {
      asked?.progress(message.done, message.total);
      return;
    }
    if (message.kind === 'answer') asked?.answer(message.answer);
    else asked?.reject(errorOf(message));
  }

  #settled(worker: Worker, number: number): void {
    this.#asked.delete(number);
    // One that is being ended has to be waited for: without it a program that does nothing else would end before.
    if (this.#asked.size === 0 && this.#worker === worker) worker.unref();
  }

  #crashed(worker: Worker, code: string): void {
    if (this.#worker === worker) this.#end(new FailureError({ kind: 'worker-ended', task: 'reading rules', code }));
  }

  #end(error: FailureError): void {
    this.#worker = null;
    const asked = [...this.#asked.values()];
    this.#asked.clear();
    this.#onLost();
    for (const { reject } of asked) reject(error);
  }
}

const isAnswerTo = <Asking extends { kind: Answer['kind'] }>(
  { kind }: Asking,
  answer: Answer,
): answer is AnswerTo<Asking> => answer.kind === kind;

function errorOf(message: Extract<FromLibrary, { kind: 'failed' | 'not-loaded' | 'defect' }>): Error {
  if (message.kind === 'failed') return new FailureError(message.failure);
  return message.kind === 'not-loaded' ? new NotLoadedError(message.key) : new Error(message.text);
}
