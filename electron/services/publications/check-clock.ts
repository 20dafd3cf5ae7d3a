import type { PackageStore } from '../../storage/packages/package-store.ts';

/** When the checks come that nobody asks for. */
export interface Clock {
  now(): number;
  /** @returns what takes it back */
  after(milliseconds: number, act: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  after: (milliseconds, act) => {
    // A desk that only waits for a check may end.
    const timer = setTimeout(act, milliseconds).unref();
    return () => clearTimeout(timer);
  },
};

const hourMs = 3_600_000;
/** After the start, and after one that failed: the lab comes up, the network comes back. */
const earliestMs = 15_000;
/** A computer that sleeps counts no time: the clock is looked at this often. */
const longestWaitMs = hourMs;

/** Begins a check of each workspace that wants one every so many hours. */
export class CheckClock {
  readonly #store: Pick<PackageStore, 'scheduled'>;
  readonly #check: (workspaceId: string) => void;
  readonly #clock: Clock;
  #takeBack: () => void = () => {};

  constructor(store: Pick<PackageStore, 'scheduled'>, check: (workspaceId: string) => void, clock: Clock) {
    this.#store = store;
    this.#check = check;
    this.#clock = clock;
  }

  /** To be called at the start and whenever a check ended or the options changed. */
  wind(): void {
    this.#takeBack();
    const waits = this.#store.scheduled().map((scheduled) => this.#waitFor(scheduled));
    if (waits.length === 0) return;
    this.#takeBack = this.#clock.after(Math.min(longestWaitMs, Math.max(earliestMs, Math.min(...waits))), () =>
      this.#ring(),
    );
  }

  stop(): void {
    this.#takeBack();
  }

  #ring(): void {
    for (const scheduled of this.#store.scheduled())
      if (this.#waitFor(scheduled) <= 0) this.#check(scheduled.workspaceId);
    this.wind();
  }

  /** Milliseconds. A last time that lies ahead was written by a clock that was wrong. */
  #waitFor({ everyHours, lastAt }: { everyHours: number; lastAt: string | null }): number {
    const sinceMs = lastAt === null ? Number.POSITIVE_INFINITY : this.#clock.now() - Date.parse(lastAt);
    return sinceMs < 0 ? 0 : Math.max(0, everyHours * hourMs - sinceMs);
  }
}
