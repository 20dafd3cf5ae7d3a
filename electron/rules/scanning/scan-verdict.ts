import type { Failure } from '../../../shared/failure.ts';

/**
 * Of one file at most: what is found beyond it is counted, or left out. `data` is in bytes. `matchesOfOne` and `data`
 * are `mostMatchesShown` and `mostMatchData`, repeated here because those are beside schemas: each scan worker would
 * load all of zod before it scans.
 */
export const mostFound = { rules: 10_000, strings: 5_000, matches: 5_000, matchesOfOne: 1_000, data: 64 };

/**
 * What came of one file. `unreadable`: the reason is its reader's. `failed`: `scan-timed-out`, `scan-memory` or
 * `scan-engine-failed`.
 */
export type ScanVerdict =
  ScannedVerdict | { kind: 'unreadable'; reason: string } | { kind: 'failed'; failure: Failure };

export interface ScannedVerdict {
  kind: 'scanned';
  /** Reading and scanning, in milliseconds and parts of them. */
  elapsedMs: number;
  /** By name; private rules are not among them. */
  found: FoundRule[];
  /** Rules, strings or matches are left out, because there were too many. */
  isCut: boolean;
  /** Names of the file that rules which ask for one were not tried with: it has too many. */
  namesLeftOut: number;
}

export interface FoundRule {
  rule: string;
  /** By id; private ones are not among them. Strings of one id are reported as one. */
  strings: FoundString[];
}

export interface FoundString {
  /** As `$a`. */
  id: string;
  total: number;
  /** The engine stopped counting at `total`. */
  isAtLeast: boolean;
  /** By offset, the first of them: up to 1,000, and 5,000 of a file in all. */
  matches: FoundMatch[];
}

export interface FoundMatch {
  /** In bytes from the beginning of the file. */
  offset: number;
  length: number;
  /** The first 64 bytes of it in lower-case hexadecimal digits. */
  data: string;
}
