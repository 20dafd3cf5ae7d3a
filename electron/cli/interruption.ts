export interface Delay {
  /** Resolves a while after the signal was aborted. */
  over: Promise<void>;
  stop(): void;
}

export function delayAfter(signal: AbortSignal, ms: number): Delay {
  const over = Promise.withResolvers<void>();
  let timer: NodeJS.Timeout | undefined;
  const begin = (): void => {
    timer = setTimeout(over.resolve, ms);
  };
  if (signal.aborted) begin();
  else signal.addEventListener('abort', begin, { once: true });
  return {
    over: over.promise,
    stop: () => {
      signal.removeEventListener('abort', begin);
      clearTimeout(timer);
    },
  };
}

/** The same pieces, until the signal is aborted: their source does not know of it. */
export async function* untilStopped(
  signal: AbortSignal,
  pieces: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, void> {
  for await (const piece of pieces) {
    signal.throwIfAborted();
    yield piece;
  }
}

/**
 * What comes of the work, or the reason of the signal as soon as it is aborted: the work is left to itself then. What
 * is begun after that is waited for: it tidies up.
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
