import type { JobClock } from './job-work.ts';

/** A clock that stays still until a test moves it. */
export class ManualClock implements JobClock {
  #now = 0;
  #sleptMs = 0;
  #nextId = 1;
  readonly #due = new Map<number, { at: number; work: () => void }>();

  get pending(): number {
    return this.#due.size;
  }

  now(): number {
    return this.#now;
  }

  date(): string {
    return new Date(Date.UTC(2030, 0, 1) + this.#now + this.#sleptMs).toISOString();
  }

  /** The computer sleeps: the time of day continues, and no timer does. A negative time sets it back. */
  suspend(ms: number): void {
    this.#sleptMs += ms;
  }

  after(ms: number, work: () => void): () => void {
    const id = this.#nextId++;
    this.#due.set(id, { at: this.#now + ms, work });
    return () => void this.#due.delete(id);
  }

  /** Does what falls due meanwhile, in order and at its time. */
  advance(ms: number): void {
    const end = this.#now + ms;
    for (;;) {
      const next = [...this.#due].filter(([, { at }]) => at <= end).toSorted(([, a], [, b]) => a.at - b.at)[0];
      if (next === undefined) break;
      const [id, { at, work }] = next;
      this.#due.delete(id);
      this.#now = at;
      work();
    }
    this.#now = end;
  }
}
