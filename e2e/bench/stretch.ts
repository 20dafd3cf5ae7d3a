/**
 * The longest time without a response, in milliseconds: by the clock (`ms`, which a person waits and a limit applies
 * to), and the part that was its own work (`ownMs`, which is reported). The rest is the wait for a core that others
 * had, the benchmark itself among them.
 */
export interface Stretch {
  ms: number;
  ownMs: number;
}

/** The longest in each way of counting, which need not be the same one. */
export const longestOf = (stretches: readonly Stretch[]): Stretch =>
  stretches.reduce(
    (longest, { ms, ownMs }) => ({ ms: Math.max(longest.ms, ms), ownMs: Math.max(longest.ownMs, ownMs) }),
    noStretch,
  );

export const noStretch: Stretch = { ms: 0, ownMs: 0 };
