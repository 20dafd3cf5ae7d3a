/** What waits is held in memory: to forget a workspace is one transaction of as many samples as it had. */
const most = 10_000;

/**
 * Writes that wait for the end of the transaction they were asked for in. A full-text index brings its words to the
 * disk, merging them with those before, whenever a statement that can fail half-way begins behind them (fts5_main.c,
 * xSavepoint): row by row it is done for each row, which took six times the work of doing it once.
 */
export class LastWrites {
  #asked: { key: string; write: () => void }[] = [];

  /** How many were asked for: where a step of the transaction begins. */
  get mark(): number {
    return this.#asked.length;
  }

  /** As many wait as may: they are to be made now, where no step is under way with which they would be undone. */
  get isFull(): boolean {
    return this.#asked.length >= most;
  }

  ask(key: string, write: () => void): void {
    this.#asked.push({ key, write });
  }

  /** The step that began at `mark` is undone. */
  undo(mark: number): void {
    this.#asked.length = mark;
  }

  /** The latest of each key, and nothing is asked for any more. */
  run(): void {
    const latest = new Map(this.#asked.map(({ key, write }) => [key, write]));
    this.#asked = [];
    for (const write of latest.values()) write();
  }
}
