import type { Worker } from 'node:worker_threads';
import { startWorker } from '../../base/workers.ts';

/**
 * When a transaction is safe from a power cut: `at-once`, before it returns, or `soon`, when `Database.synced`
 * resolves. A crash of the program alone loses neither, and what is lost is always the newest, and whole transactions.
 */
export type Durability = 'at-once' | 'soon';

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
 * Copies the write-ahead log into the database outside the host's thread, every so many commits. SQLite's own
 * checkpoint waits for the disk twice, inside whichever commit triggers it. A failed one does no harm: the log grows
 * until the next, or until SQLite's own, which reports its error to the committer.
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
    if (this.#weight < weightBetween || !this.#turn.request()) return;
    this.#weight = 0;
    const worker = (this.#worker ??= this.#start());
    worker.postMessage('checkpoint');
  }

  /**
   * When it returns, only the caller has the database open for writing, unless the disk hangs: the wait for that is
   * limited.
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

const [free, asked, running, over] = [0, 1, 2, 3];

/**
 * A checkpoint of an ordinary log takes part of a second; closing the database waits no longer than this for a disk
 * that hangs.
 */
const longestMs = 10_000;

/**
 * Decides whose turn it is with the database: the host's thread, or the thread that copies its log. Before the closing
 * thread releases the data directory, it must know that the other one no longer has the database open: the last
 * connection to close writes the log back and removes it, while the next program, or a program that copies the data,
 * assumes that the database is closed.
 */
export class CheckpointTurn {
  readonly shared: SharedArrayBuffer;
  readonly #state: Int32Array;

  constructor(shared = new SharedArrayBuffer(4)) {
    this.shared = shared;
    this.#state = new Int32Array(shared);
  }

  /** The host's thread asks for a checkpoint. @returns whether none was asked for or under way */
  request(): boolean {
    return Atomics.compareExchange(this.#state, 0, free, asked) === free;
  }

  /** In the other thread: works when it is still wanted. */
  take(work: () => void): void {
    if (Atomics.compareExchange(this.#state, 0, asked, running) !== asked) return;
    try {
      work();
    } finally {
      Atomics.compareExchange(this.#state, 0, running, free);
      Atomics.notify(this.#state, 0);
    }
  }

  /** Called by the host's thread, which blocks meanwhile: no more checkpoints start, and the last one is over. */
  end(): void {
    if (Atomics.compareExchange(this.#state, 0, asked, over) === running)
      Atomics.wait(this.#state, 0, running, longestMs);
    Atomics.store(this.#state, 0, over);
  }

  /** The other thread crashed. */
  reset(): void {
    if (Atomics.load(this.#state, 0) !== over) Atomics.store(this.#state, 0, free);
  }
}
