import { longestOwnPause } from '../../shared/domain/job.ts';
import type { Failure } from '../../shared/failure.ts';
import { asksForPause, type JobClock } from './job-work.ts';

/** Seconds of the first pause where the service names none, and where it names one; each fruitless one is doubled. */
const firstPause = { unnamed: 60, named: 5 } as const;
/** Seconds. After more it gets a request all the same: a date must stay one that can be written. */
const longestNamedPause = 366 * 24 * 3600;
/** Milliseconds. A computer that slept has timers that are late: the time of day is looked at in between. */
const longestTimer = 60_000;

/**
 * Seconds after which a job that ended with this failure runs again by itself; null where it halts until a person
 * resumes it. `fruitless`: how many such pauses before this one brought no item further.
 */
export function pauseAfter(failure: Failure, fruitless: number): number | null {
  if (!asksForPause(failure)) return null;
  const named = failure.kind === 'slow-down' ? failure.retryAfterSeconds : null;
  const own = Math.min(
    longestOwnPause,
    firstPause[named === null ? 'unnamed' : 'named'] * 2 ** Math.min(fruitless, 16),
  );
  return Math.max(own, Math.min(named ?? 0, longestNamedPause));
}

/** Jobs that sleep because a service asked for a pause, or is unavailable. */
export class JobSleeps {
  readonly #clock: JobClock;
  readonly #wake: (id: number) => void;
  readonly #timers = new Map<number, () => void>();
  /** How many items waited when a job last began to sleep, and how many pauses before brought it no further. */
  readonly #before = new Map<number, { waiting: number; fruitless: number }>();

  constructor(clock: JobClock, wake: (id: number) => void) {
    this.#clock = clock;
    this.#wake = wake;
  }

  get size(): number {
    return this.#timers.size;
  }

  has(id: number): boolean {
    return this.#timers.has(id);
  }

  /** When the job is to run again (UTC, ISO 8601) after a run that left so many items waiting; null: it halts. */
  endAfter(id: number, failure: Failure, waiting: number): string | null {
    const before = this.#before.get(id);
    const fruitless = before?.waiting === waiting ? before.fruitless + 1 : 0;
    const seconds = pauseAfter(failure, fruitless);
    if (seconds === null) return null;
    this.#before.set(id, { waiting, fruitless });
    return new Date(Date.parse(this.#clock.date()) + seconds * 1000).toISOString();
  }

  /** Lets a job sleep until that time. One that is past wakes it soon, never within this call. */
  add(id: number, resumesAt: string): void {
    this.#sleep(id, resumesAt, this.#clock.now() + this.#msUntil(resumesAt));
  }

  /** `due`: the same time on the steady clock, which counts where someone sets the time of day back meanwhile. */
  #sleep(id: number, resumesAt: string, due: number): void {
    this.end(id);
    const leftMs = Math.max(0, Math.min(this.#msUntil(resumesAt), due - this.#clock.now()));
    const later = (): void => {
      this.#timers.delete(id);
      if (leftMs > longestTimer) this.#sleep(id, resumesAt, due);
      else this.#wake(id);
    };
    this.#timers.set(id, this.#clock.after(Math.min(leftMs, longestTimer), later));
  }

  #msUntil(time: string): number {
    return Date.parse(time) - Date.parse(this.#clock.date());
  }

  /** It sleeps no longer, and is not woken. */
  end(id: number): void {
    this.#timers.get(id)?.();
    this.#timers.delete(id);
  }

  /** What was known of its pauses is dropped. */
  forget(id: number): void {
    this.end(id);
    this.#before.delete(id);
  }

  close(): void {
    for (const id of this.#timers.keys()) this.end(id);
  }
}
