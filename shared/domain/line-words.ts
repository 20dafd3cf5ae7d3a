import { sharedRuns, type Sequence } from './shared-runs.ts';

/** UTF-16 offsets into a line; the second is exclusive. */
export type Range = [number, number];

/** Words behind this many UTF-16 units of a line are not looked at. */
export const longestLine = 2000;
/** Of what two lines hold, the share that must be the same for one to be the other, changed. */
const likeness = 0.4;
/** Words that two lines may differ in. */
const mostEdits = 200;
/** A short text in quotes, a name, a run of wildcards, or one sign; space says nothing. */
const wordPattern = /"[^"\s]{0,64}"|[$#@!]?[\p{L}\p{M}\p{N}_]+|\?+|\S/gu;

export interface LineWords {
  words: readonly string[];
  /** The same words, to be compared in whatever order they come. */
  sorted: readonly string[];
  places: readonly Range[];
  /** UTF-16 units in all words. */
  size: number;
}

/** By code unit, as `<` has it. */
const byCode = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

export function wordsOf(line: string): LineWords {
  const words: string[] = [];
  const places: Range[] = [];
  let size = 0;
  for (const { 0: word, index } of line.slice(0, longestLine).matchAll(wordPattern)) {
    words.push(word);
    places.push([index, index + word.length]);
    size += word.length;
  }
  return { words, sorted: words.toSorted(byCode), places, size };
}

/** The share of two lines' words that both have, in whatever order: from 0 to 1, and 0 when they are not alike. */
export function likenessOf(old: LineWords, next: LineWords): number {
  if (2 * Math.min(old.size, next.size) < likeness * (old.size + next.size)) return 0;
  let common = 0;
  for (let i = 0, j = 0; i < old.sorted.length && j < next.sorted.length;) {
    const [a, b] = [old.sorted[i] ?? '', next.sorted[j] ?? ''];
    if (a === b) common += a.length;
    if (a <= b) i += 1;
    if (b <= a) j += 1;
  }
  return ofBoth(common, old, next);
}

/** Which words of two lines are not in the other; none where the lines are not alike. */
export function changedWords(old: LineWords, next: LineWords): { old: Range[]; next: Range[] } {
  const numbers = new Map<string, number>();
  const runs = sharedRuns(numbered(old.words, numbers), numbered(next.words, numbers), mostEdits);
  const keptOld = new Uint8Array(old.words.length);
  const keptNext = new Uint8Array(next.words.length);
  let common = 0;
  for (const run of runs) {
    keptOld.fill(1, run.old, run.old + run.length);
    keptNext.fill(1, run.next, run.next + run.length);
    for (let at = run.old; at < run.old + run.length; at += 1) common += old.words[at]?.length ?? 0;
  }
  if (ofBoth(common, old, next) === 0) return { old: [], next: [] };
  return { old: rangesOf(old, keptOld), next: rangesOf(next, keptNext) };
}

function ofBoth(common: number, old: LineWords, next: LineWords): number {
  const share = (2 * common) / Math.max(1, old.size + next.size);
  return share < likeness ? 0 : share;
}

/** Each different element as a number of its own. */
export function numbered(elements: readonly string[], numbers: Map<string, number>): Sequence {
  return Uint32Array.from(elements, (element) => {
    const known = numbers.get(element) ?? numbers.size;
    if (known === numbers.size) numbers.set(element, known);
    return known;
  });
}

/** Neighbours are one range, with the space between them. */
function rangesOf({ places }: LineWords, kept: Uint8Array): Range[] {
  const ranges: Range[] = [];
  let open: Range | null = null;
  for (const [index, [from, to]] of places.entries()) {
    if (kept[index] === 1) open = null;
    else if (open === null) ranges.push((open = [from, to]));
    else open[1] = to;
  }
  return ranges;
}
