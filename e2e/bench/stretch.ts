/**
 * For how long something answered nobody, in milliseconds: by the clock (`ms`, which is what a person waits and what a
 * limit is held to), and what of it was its own work (`ownMs`, which is told). The rest it waited for a core that
 * others had, and the benchmark itself is one of them.
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
