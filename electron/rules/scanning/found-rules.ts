import { type EngineHit, type EngineMatch, mostMatchesCounted } from '../engine/scan-engine.ts';
import { type FoundRule, type FoundString, mostFound } from './scan-verdict.ts';

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

/** What different rules found in one file, bounded together as if it had been found at once. */
export function joinedFound(parts: readonly (readonly FoundRule[])[]): { found: FoundRule[]; isCut: boolean } {
  const rules = parts.flat().toSorted((a, b) => byText(a.rule, b.rule));
  const all = rules.slice(0, mostFound.rules);
  const kept = firstStrings(all);
  const most = shareOf(kept.flatMap(({ strings }) => strings.map(({ total }) => total)));
  const found = kept.map(({ rule, strings }) => ({
    rule,
    strings: strings.map((one) => ({ ...one, matches: one.matches.slice(0, most) })),
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
