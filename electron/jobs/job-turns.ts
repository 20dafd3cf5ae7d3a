import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * Long changes of jobs: one after the other for each job, a few items at a time, so that the thread is free in between.
 */
export class JobTurns {
  readonly #last = new Map<number, Promise<void>>();
  readonly #options: { ended(): void; defect(error: unknown): void };
  #isClosed = false;

  constructor(options: { ended(): void; defect(error: unknown): void }) {
    this.#options = options;
  }

  has(id: number): boolean {
    return this.#last.has(id);
  }

  add(id: number, work: () => Promise<void>): void {
    const turn = this.#after(this.#last.get(id), work);
    this.#last.set(id, turn);
    void this.#forget(id, turn);
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

  async #after(before: Promise<void> | undefined, work: () => Promise<void>): Promise<void> {
    await before;
    try {
      await work();
    } catch (error) {
      this.#options.defect(error);
    }
  }

  async #forget(id: number, turn: Promise<void>): Promise<void> {
    await turn;
    if (this.#last.get(id) !== turn) return;
    this.#last.delete(id);
    this.#options.ended();
  }
}
