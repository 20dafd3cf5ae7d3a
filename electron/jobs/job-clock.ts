import { currentInstant } from '../../shared/domain/clock.ts';

/** The time a job runner lives in; tests bring their own. */
export interface JobClock {
  /** Milliseconds of a steady clock. */
  now(): number;
  /** UTC, ISO 8601. */
  date(): string;
  /** Does `work` once, after so many milliseconds. @returns how to prevent it */
  after(ms: number, work: () => void): () => void;
}

export const systemClock: JobClock = {
  now: () => performance.now(),
  date: currentInstant,
  after: (ms, work) => {
    const timer = setTimeout(work, ms);
    return () => clearTimeout(timer);
  },
};
