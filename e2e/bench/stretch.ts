/** What something was busy with at a stretch, in milliseconds: itself, and by the clock, where it also waits for a core. */
export interface Stretch {
  ms: number;
  wallMs: number;
}

/** The longest in each way of counting, which need not be the same one. */
export const longestOf = (stretches: readonly Stretch[]): Stretch =>
  stretches.reduce((longest, { ms, wallMs }) => ({ ms: Math.max(longest.ms, ms), wallMs: Math.max(longest.wallMs, wallMs) }), { ms: 0, wallMs: 0 });
