import type { JobClock } from './job-clock.ts';

const leastMsBetween = 100;

interface Told {
  at: number;
  /** Prevents what is still to be told; null when all is told. */
  prevent: (() => void) | null;
}

/**
 * Tells of jobs at most ten times a second each: the first change at once, the last one always. Never within the call
 * that changed something: that may be part of a transaction which is undone.
 */
export class JobTeller {
  readonly #clock: JobClock;
  readonly #tell: (id: number) => void;
  readonly #told = new Map<number, Told>();
  #isClosed = false;

  constructor(clock: JobClock, tell: (id: number) => void) {
    this.#clock = clock;
    this.#tell = tell;
  }

  changed(id: number): void {
    const told = this.#told.get(id);
    if (this.#isClosed || told?.prevent) return;
    const wait = told ? Math.max(0, told.at + leastMsBetween - this.#clock.now()) : 0;
    this.#told.set(id, { at: told?.at ?? 0, prevent: this.#clock.after(wait, () => this.#now(id)) });
  }

  /** Says nothing more of a job. */
  forget(id: number): void {
    this.#told.get(id)?.prevent?.();
    this.#told.delete(id);
  }

  close(): void {
    this.#isClosed = true;
    for (const id of this.#told.keys()) this.forget(id);
  }

  #now(id: number): void {
    this.#told.set(id, { at: this.#clock.now(), prevent: null });
    this.#tell(id);
  }
}
