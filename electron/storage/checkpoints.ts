import type { Worker } from 'node:worker_threads';
import { startWorker } from '../base/workers.ts';
import { CheckpointTurn } from './checkpoint-turn.ts';
import type { Durability } from './database.ts';

/**
 * Pages in the log from which on SQLite copies them by itself, in the commit of the host's thread: 64 MiB, when ours
 * did not keep up.
 */
export const pagesBeforeOwnCheckpoint = 16_384;
/**
 * How much a commit counts: those of a bulk download write some hundred kilobytes each, those that are waited for some
 * dozen pages.
 */
const weight: Record<Durability, number> = { soon: 4, 'at-once': 1 };
/** About a thousand pages, as in SQLite's own. */
const weightBetween = 96;

/**
 * Copies the write-ahead log into the database beside the host's thread, every so many commits. SQLite's own checkpoint
 * waits for the disk twice, in whichever commit comes to it. One that fails harms nothing: the log grows until the
 * next, or until SQLite's own, which tells whoever commits.
 */
export class Checkpoints {
  readonly #path: string;
  readonly #turn = new CheckpointTurn();
  #worker: Worker | null = null;
  #weight = 0;

  constructor(databasePath: string) {
    this.#path = databasePath;
  }

  /** One more commit is in the log. */
  committed(durability: Durability): void {
    this.#weight += weight[durability];
    if (this.#weight < weightBetween || !this.#turn.ask()) return;
    this.#weight = 0;
    const worker = (this.#worker ??= this.#start());
    worker.postMessage('checkpoint');
  }

  /**
   * When it returns, nobody but the caller has the database open to write, unless the disk hangs: that is not waited
   * for without an end.
   */
  close(): void {
    this.#turn.end();
    void this.#worker?.terminate();
  }

  #start(): Worker {
    const worker: Worker = startWorker({
      entry: './checkpoint-worker',
      beside: import.meta.url,
      workerData: { path: this.#path, turn: this.#turn.shared },
      onEnd: () => {
        // An error is followed by an exit, and by then the turn may be another worker's.
        if (this.#worker !== worker) return;
        this.#worker = null;
        this.#turn.reset();
      },
    });
    worker.unref();
    return worker;
  }
}
