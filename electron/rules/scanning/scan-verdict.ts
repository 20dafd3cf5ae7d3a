import type { Failure } from '../../../shared/failure.ts';
import { type EngineHit, type EngineMatch, mostMatchesCounted } from '../engine/scan-engine.ts';

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

interface FoundMatch {
  /** In bytes from the beginning of the file. */
  offset: number;
  length: number;
  /** The first 64 bytes of it in lower-case hexadecimal digits. */
  data: string;
}

interface Strings<T> {
  rule: string;
  strings: T[];
}

/**
 * What an engine found in a file, in an order that is the same for each engine, and no more of it than is looked at.
 * `reported` null: every rule counts.
 */
export function foundIn(
  hits: readonly EngineHit[],
  bytes: Uint8Array,
  reported: ReadonlySet<string> | null,
): { found: FoundRule[]; isCut: boolean } {
  const rules = hits
    .filter(({ rule }) => reported === null || reported.has(rule))
    .toSorted((a, b) => byText(a.rule, b.rule));
  const all = rules.slice(0, mostFound.rules).map(stringsOf);
  const kept = firstStrings(all);
  const most = shareOf(kept.flatMap(({ strings }) => strings.map(({ matches }) => matches.length)));
  const found = kept.map(({ rule, strings }): FoundRule => ({
    rule,
    strings: strings.map(({ id, matches }) => foundString(id, matches, { bytes, most })),
  }));
  return { found, isCut: rules.length > mostFound.rules || lacksSome(all, found) };
}

const lacksSome = (all: readonly Strings<unknown>[], found: readonly FoundRule[]): boolean =>
  found.some(
    ({ strings }, index) =>
      strings.length < (all[index]?.strings.length ?? 0) ||
      strings.some(({ total, matches }) => matches.length < total),
  );

function stringsOf({ rule, matches }: EngineHit): Strings<{ id: string; matches: EngineMatch[] }> {
  const byId = Map.groupBy(matches, ({ identifier }) => identifier);
  return { rule, strings: [...byId].map(([id, own]) => ({ id, matches: own })).toSorted((a, b) => byText(a.id, b.id)) };
}

function firstStrings<T>(rules: readonly Strings<T>[]): Strings<T>[] {
  let left = mostFound.strings;
  return rules.map(({ rule, strings }) => {
    const kept = strings.slice(0, left);
    left -= kept.length;
    return { rule, strings: kept };
  });
}

/** How many matches of each string fit: a string that is everywhere takes no space of others. */
function shareOf(totals: readonly number[]): number {
  let from = 0;
  let to = mostFound.matchesOfOne;
  while (from < to) {
    const middle = (from + to + 1) >> 1;
    if (totals.reduce((sum, total) => sum + Math.min(total, middle), 0) <= mostFound.matches) from = middle;
    else to = middle - 1;
  }
  return from;
}

function foundString(
  id: string,
  matches: readonly EngineMatch[],
  { bytes, most }: { bytes: Uint8Array; most: number },
): FoundString {
  const first = matches.toSorted((a, b) => a.offset - b.offset || a.length - b.length).slice(0, most);
  return {
    id,
    total: matches.length,
    isAtLeast: matches.length >= mostMatchesCounted,
    matches: first.map(({ offset, length }) => ({
      offset,
      length,
      data: hexAt(bytes, offset, Math.min(length, mostFound.data)),
    })),
  };
}

const hexAt = (bytes: Uint8Array, offset: number, length: number): string =>
  Buffer.from(bytes.subarray(offset, offset + length)).toString('hex');

const byText = (a: string, b: string): number => (a < b ? -1 : Number(a > b));
