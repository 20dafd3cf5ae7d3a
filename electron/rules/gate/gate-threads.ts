import { FailureError } from '../../../shared/failure.ts';
import { GateThread } from './gate-thread.ts';

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
