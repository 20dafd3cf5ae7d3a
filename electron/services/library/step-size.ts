/** Samples that are changed before the thread is free again, at most. */
export const changedATurn = 50;

/** Milliseconds of the host's thread: below, the next step may be larger; above, it must be smaller. */
const shortMs = 4;
const longMs = 15;

/**
 * How many samples one step takes on, by how long the step before took: one may have a thousand comments, and a million
 * none.
 */
export class StepSize {
  readonly #most: number;
  #now = 1;

  constructor(most: number) {
    this.#most = most;
  }

  get now(): number {
    return this.#now;
  }

  /** Does a step of that size. */
  step<T>(work: () => T): T {
    const began = performance.now();
    try {
      return work();
    } finally {
      const took = performance.now() - began;
      if (took < shortMs) this.#now = Math.min(2 * this.#now, this.#most);
      else if (took > longMs) this.#now = Math.max(1, Math.floor((this.#now * shortMs) / took));
    }
  }
}
