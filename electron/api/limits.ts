/** The limits of every call that are no setting of a workspace. */
export interface Limits {
  /** The most that is read of a reply that is not a sample, in bytes. */
  replyBytes: number;
  /** A transfer slower than this over that time counts as stalled. A longer idle time limit stretches the window. */
  stalledBytesPerSecond: number;
  stalledSeconds: number;
  /** How often a call is tried in all. */
  attempts: number;
  /** The first wait between two attempts; each further one is twice as long, up to the longest, and then jittered. */
  firstWaitMs: number;
  longestWaitMs: number;
  /** A service that requests a longer pause is not waited for within a call: a job sleeps then, where it is seen. */
  longestRetryAfterSeconds: number;
}

export const defaultLimits: Limits = {
  replyBytes: 16 * 1024 * 1024,
  stalledBytesPerSecond: 1024,
  stalledSeconds: 60,
  attempts: 3,
  firstWaitMs: 500,
  longestWaitMs: 8_000,
  longestRetryAfterSeconds: 10,
};

/** What a call takes from the machine besides the network; tests put their own in. */
export interface Timing {
  /** Milliseconds on a clock that never runs backwards. */
  now(): number;
  /** Wall time in milliseconds since 1970, for dates in replies. */
  date(): number;
  /** Rejects with the signal's reason when it is aborted. */
  sleep(milliseconds: number, signal: AbortSignal): Promise<void>;
  /** 0 ≤ value < 1. */
  random(): number;
}

export const systemTiming: Timing = {
  now: () => performance.now(),
  date: () => Date.now(),
  sleep: (milliseconds, signal) => sleepUnlessAborted(milliseconds, signal),
  random: () => Math.random(),
};

function sleepUnlessAborted(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const onAbort = (): void => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', onAbort);
      resolve();
    }, milliseconds);
    signal.addEventListener('abort', onAbort, { once: true });
  });
}
