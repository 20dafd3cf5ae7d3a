/** What a test run comes to. */
export interface Tally {
  passed: number;
  failed: number;
  skipped: number;
}

/**
 * A run of tests, a line for each one that failed, and how many of those that it skipped are long: those run when all
 * is asked for.
 */
export interface TestRun {
  tally: Tally;
  failures: readonly string[];
  leftOut: number;
}

export function add(...tallies: readonly Tally[]): Tally {
  const sum: Tally = { passed: 0, failed: 0, skipped: 0 };
  for (const { passed, failed, skipped } of tallies) {
    sum.passed += passed;
    sum.failed += failed;
    sum.skipped += skipped;
  }
  return sum;
}

/** The last line of `npm test`. */
export function tallyLine({ passed, failed, skipped }: Tally): string {
  const line = `${passed} passed, ${failed} failed`;
  return skipped > 0 ? `${line}, ${skipped} skipped` : line;
}
