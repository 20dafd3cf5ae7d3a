/**
 * What comes of the work, or the reason of the signal as soon as it is aborted: the work is left to itself then. What is begun
 * after that is waited for: it tidies up.
 */
export async function untilInterrupted<Outcome>(signal: AbortSignal, work: Promise<Outcome>): Promise<Outcome> {
  if (signal.aborted) return work;
  const interrupted = Promise.withResolvers<never>();
  const stop = (): void => interrupted.reject(signal.reason);
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([work, interrupted.promise]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
