import { setImmediate as nextTurn } from 'node:timers/promises';

/** Long changes of jobs: one after the other for each job, a few items at a time, so that the thread is free in between. */
export class JobTurns {
  readonly #last = new Map<number, Promise<void>>();
  readonly #options: { ended(id: number): void; defect(error: unknown): void };
  #isClosed = false;

  constructor(options: { ended(id: number): void; defect(error: unknown): void }) {
    this.#options = options;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  has(id: number): boolean {
    return this.#last.has(id);
  }

  add(id: number, work: () => Promise<void>): void {
    const turn = (this.#last.get(id) ?? Promise.resolve())
      .then(work)
      .catch((error: unknown) => this.#options.defect(error))
      .then(() => {
        if (this.#last.get(id) !== turn) return;
        this.#last.delete(id);
        this.#options.ended(id);
      });
    this.#last.set(id, turn);
  }

  /** Resolves when nothing is left to do for the job. */
  async over(id: number): Promise<void> {
    await this.#last.get(id);
  }

  /** Repeats a step until it says that nothing is left. What a close leaves undone is done at the next start. */
  async inSteps(step: () => boolean): Promise<void> {
    while (!this.#isClosed && step()) await nextTurn();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(this.#last.values());
  }
}
