import type { Worker } from 'node:worker_threads';
import { FailureError } from '../../../shared/failure.ts';
import { startWorker } from '../../base/workers.ts';
import { SilenceWatch } from '../scanning/worker-clock.ts';
import {
  allPieces,
  building,
  type Compiled,
  type FromGateThread,
  type GateBegin,
  type GateTask,
  type ToGateThread,
  type UnknownModule,
} from './gate-messages.ts';

/** What an engine may take before it is ended. A test sets them low. */
export interface GateLimits {
  /** For up to `chunkRules` rules at once. Who exceeds it is tried rule by rule. */
  fileSeconds: number;
  /** For one rule. */
  ruleSeconds: number;
  /** Until an engine is there. */
  startSeconds: number;
  /** For all of a package: a rule that was not compiled by then is left out. */
  totalSeconds: number;
}

export const gateLimits: GateLimits = { fileSeconds: 20, ruleSeconds: 10, startSeconds: 30, totalSeconds: 600 };

/** `piece`: what the engine was busy with when it was ended, or died; or `building`, or `allPieces`. */
export type TaskEnd = ({ kind: 'compiled' } & Compiled) | { kind: 'slow' | 'died'; piece: number };

/** Milliseconds without a sign of life. */
export interface Patience {
  pieceMs: number;
  /** All pieces in one source, or the building of what was compiled. */
  allMs: number;
}

/**
 * One worker with an engine, which starts at once. After a task that did not end as `compiled` it is over; close it.
 */
export class GateThread {
  readonly #worker: Worker;
  readonly #signs = new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT));
  readonly #ready = Promise.withResolvers<readonly UnknownModule[]>();
  #watch: SilenceWatch;
  #task: PromiseWithResolvers<TaskEnd> | null = null;
  #ended: FailureError | null = null;

  constructor(startMs: number) {
    this.#worker = startWorker({ entry: './gate-worker', beside: import.meta.url, onEnd: (code) => this.#died(code) });
    this.#worker.on('message', (message: FromGateThread) => this.#heard(message));
    this.#watch = new SilenceWatch(
      this.#signs,
      () => startMs,
      () => this.#died('slow'),
    );
    // There may be no caller yet, or none left.
    this.#ready.promise.catch(() => undefined);
  }

  /**
   * Once. Resolves when the engine is loaded, with the modules it does not have. Rejects with `worker-ended`, or
   * `cancelled` when it was closed.
   */
  begin(begin: Omit<GateBegin, 'signs'>): Promise<readonly UnknownModule[]> {
    this.#report({ kind: 'begin', begin: { ...begin, signs: this.#signs } });
    return this.#ready.promise;
  }

  /** One at a time, and not before it has begun. Rejects with `cancelled` when it was closed. */
  async run(task: GateTask, patience: Patience): Promise<TaskEnd> {
    if (this.#ended !== null) throw this.#ended;
    const going = Promise.withResolvers<TaskEnd>();
    this.#task = going;
    Atomics.store(this.#signs, 1, allPieces);
    const allowed = (piece: number): number =>
      piece === allPieces || piece === building ? patience.allMs : patience.pieceMs;
    this.#watch = new SilenceWatch(this.#signs, allowed, () => going.resolve(this.#endOf('slow')));
    this.#report({ kind: 'compile', task });
    try {
      return await going.promise;
    } finally {
      this.#watch.end();
    }
  }

  /** Resolves when the thread is gone, whatever it was doing. */
  async close(): Promise<void> {
    this.#fail(new FailureError({ kind: 'cancelled' }));
    await this.#worker.terminate();
  }

  #report(message: ToGateThread): void {
    this.#worker.postMessage(message);
  }

  #heard(message: FromGateThread): void {
    if (message.kind === 'compiled') return this.#task?.resolve(message);
    this.#watch.end();
    this.#ready.resolve(message.unknown);
  }

  #died(code: string): void {
    this.#task?.resolve(this.#endOf('died'));
    this.#fail(new FailureError({ kind: 'worker-ended', task: 'compiling rules', code }));
  }

  #fail(failure: FailureError): void {
    this.#ended ??= failure;
    this.#watch.end();
    this.#ready.reject(this.#ended);
    this.#task?.reject(this.#ended);
  }

  #endOf(kind: 'slow' | 'died'): TaskEnd {
    return { kind, piece: Atomics.load(this.#signs, 1) };
  }
}

/** Two leave the rest of a usual computer to the person, and their memory is bounded. */
export const mostThreads = 2;

/**
 * The threads of one gate. Some start before it is known what they are to compile, which takes about as long to find
 * out.
 */
export class GateThreads {
  readonly #startMs: number;
  readonly #all = new Set<GateThread>();
  readonly #ahead: GateThread[];
  #isClosed = false;

  constructor({ ahead, startMs }: { ahead: number; startMs: number }) {
    this.#startMs = startMs;
    this.#ahead = Array.from({ length: Math.min(mostThreads, ahead) }, () => this.#start());
  }

  /** One that has not begun. @throws FailureError `cancelled` once they are closed */
  take(): GateThread {
    if (this.#isClosed) throw new FailureError({ kind: 'cancelled' });
    return this.#ahead.shift() ?? this.#start();
  }

  async end(thread: GateThread): Promise<void> {
    this.#all.delete(thread);
    await thread.close();
  }

  /** Resolves when all are gone, whatever they were doing. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#all].map((thread) => thread.close()));
  }

  #start(): GateThread {
    const thread = new GateThread(this.#startMs);
    this.#all.add(thread);
    return thread;
  }
}
