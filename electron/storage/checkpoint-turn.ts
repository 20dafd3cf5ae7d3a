const [free, asked, running, over] = [0, 1, 2, 3];

/**
 * A checkpoint of an ordinary log takes part of a second; whoever closes the database waits no longer than this for a
 * disk that hangs.
 */
const longestMs = 10_000;

/**
 * Whose turn it is with the database, between the host's thread and the one that copies its log. Whoever closes the
 * database has to know that the other one has it open no more, before he lets go of the data directory: the last
 * connection to close writes the log back and removes it, while the next desk, or whoever copies the data, takes it for
 * closed.
 */
export class CheckpointTurn {
  readonly shared: SharedArrayBuffer;
  readonly #state: Int32Array;

  constructor(shared = new SharedArrayBuffer(4)) {
    this.shared = shared;
    this.#state = new Int32Array(shared);
  }

  /** The host's thread asks for a checkpoint. @returns whether none was asked for or under way */
  ask(): boolean {
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

  /** The host's thread, which stands still meanwhile: no more checkpoints, and the last one is over. */
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
