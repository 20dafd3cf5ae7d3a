import type { DifferenceLine } from './publication.ts';

/** Lines without their ends, and the number of the first. */
export interface NumberedLines {
  first: number;
  lines: readonly string[];
}

/** Indices into both texts; the ends are exclusive. Nothing in it is the same. */
interface Block {
  old: Range;
  next: Range;
}

/** How many lines were added and removed. */
export function lineCounts(old: readonly string[], next: readonly string[]): { added: number; removed: number } {
  let same = 0;
  for (const { length } of runsOf(old, next)) same += length;
  return { added: next.length - same, removed: old.length - same };
}

/**
 * Two texts line by line. A removed line is directly before the added one that replaced it, and both mark the words
 * that differ. Of texts that differ too much for that, what lies between their common beginning and end is removed and
 * added.
 */
export function lineDifference(old: NumberedLines, next: NumberedLines): DifferenceLine[] {
  const found: DifferenceLine[] = [];
  const end: SharedRun = { old: old.lines.length, next: next.lines.length, length: 0 };
  let before: SharedRun = { old: 0, next: 0, length: 0 };
  for (const run of [...runsOf(old.lines, next.lines), end]) {
    addBlock(found, old, next, {
      old: [before.old + before.length, run.old],
      next: [before.next + before.length, run.next],
    });
    for (let at = 0; at < run.length; at += 1)
      found.push({ kind: 'same', old: old.first + run.old + at, new: next.first + run.next + at, at: [] });
    before = run;
  }
  return found;
}

function runsOf(old: readonly string[], next: readonly string[]): SharedRun[] {
  const numbers = new Map<string, number>();
  return sharedRuns(numbered(old, numbers), numbered(next, numbers));
}

function addBlock(found: DifferenceLine[], old: NumberedLines, next: NumberedLines, block: Block): void {
  let [atOld] = block.old;
  let [atNext] = block.next;
  const addUpTo = (oldEnd: number, nextEnd: number): void => {
    for (; atOld < oldEnd; atOld += 1) found.push(removed(old, atOld, []));
    for (; atNext < nextEnd; atNext += 1) found.push(added(next, atNext, []));
  };
  for (const pair of likePairs(old.lines.slice(...block.old), next.lines.slice(...block.next))) {
    addUpTo(block.old[0] + pair.old, block.next[0] + pair.next);
    const changed = changedParts(old.lines[atOld] ?? '', next.lines[atNext] ?? '');
    found.push(removed(old, atOld++, changed.old), added(next, atNext++, changed.next));
  }
  addUpTo(block.old[1], block.next[1]);
}

const removed = ({ first }: NumberedLines, index: number, at: Range[]): DifferenceLine => ({
  kind: 'removed',
  old: first + index,
  new: null,
  at,
});
const added = ({ first }: NumberedLines, index: number, at: Range[]): DifferenceLine => ({
  kind: 'added',
  old: null,
  new: first + index,
  at,
});

/** UTF-16 offsets into a line; the second is exclusive. */
type Range = [number, number];

/** Words behind this many UTF-16 units of a line are not compared: what lies between its ends is marked as a whole. */
export const longestLine = 2000;
/** Of what two lines hold, the share that must be the same for one to be the other, changed. */
const leastLikeness = 0.4;
/** Words that two lines may differ in. */
const mostEdits = 200;
/** A short text in quotes, a name, a run of wildcards, or one sign; space has no meaning. */
const wordPattern = /"[^"\s]{0,64}"|[$#@!]?[\p{L}\p{M}\p{N}_]+|\?+|\S/gu;

/** In UTF-16 units. Of a longer word that changed, such as an encoded script, what changed in it is marked. */
const longestWord = 64;
/** What two texts share at their ends is looked for in so many UTF-16 units. */
const longestEnd = 100_000;

interface LineWords {
  line: string;
  /** Has more than words to compare. */
  isLong: boolean;
  words: readonly string[];
  /** The same words, to be compared in whatever order they come. */
  sorted: readonly string[];
  places: readonly Range[];
  /** UTF-16 units in all words. */
  size: number;
}

/** By code unit, as `<` has it. */
const byCode = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

function wordsOf(line: string): LineWords {
  const words: string[] = [];
  const places: Range[] = [];
  let size = 0;
  for (const { 0: word, index } of line.slice(0, longestLine).matchAll(wordPattern)) {
    words.push(word);
    places.push([index, index + word.length]);
    size += word.length;
  }
  const isLong = line.length > longestLine || words.some(({ length }) => length > longestWord);
  return { line, isLong, words, sorted: words.toSorted(byCode), places, size };
}

/** How much alike two lines are: from 0 to 1, and 0 when they are not alike. */
function likenessOf(old: LineWords, next: LineWords): number {
  const byWords = sharedWords(old, next);
  return byWords > 0 || !(old.isLong && next.isLong) ? byWords : sharedEnds(old.line, next.line);
}

/** The share of two lines' words that both have, in whatever order. */
function sharedWords(old: LineWords, next: LineWords): number {
  if (2 * Math.min(old.size, next.size) < leastLikeness * (old.size + next.size)) return 0;
  let common = 0;
  for (let i = 0, j = 0; i < old.sorted.length && j < next.sorted.length;) {
    const [a, b] = [old.sorted[i] ?? '', next.sorted[j] ?? ''];
    if (a === b) common += a.length;
    if (a <= b) i += 1;
    if (b <= a) j += 1;
  }
  return ofBoth(common, old, next);
}

/** What changed in two lines. */
interface Changed {
  old: Range[];
  next: Range[];
}

const nothing: Changed = { old: [], next: [] };

/** Which parts of two lines are not in the other; none where the lines are not alike. */
function changedParts(old: string, next: string): Changed {
  const [before, after] = [wordsOf(old), wordsOf(next)];
  const words = changedWords(before, after);
  if (!before.isLong && !after.isLong) return words;
  if (words.old.length + words.next.length === 0)
    return sharedEnds(old, next) > 0 ? betweenEnds(old, [0, old.length], next, [0, next.length]) : nothing;
  return words.old.length === words.next.length ? narrowed(old, next, words) : words;
}

/** Of a long part that is in the place of a similar one, what lies between their common beginning and end. */
function narrowed(old: string, next: string, words: Changed): Changed {
  const found: Changed = { old: [], next: [] };
  for (const [index, was] of words.old.entries()) {
    const is = words.next[index] ?? was;
    const isAlike =
      Math.max(was[1] - was[0], is[1] - is[0]) > longestWord && sharedEnds(old.slice(...was), next.slice(...is)) > 0;
    const parts = isAlike ? betweenEnds(old, was, next, is) : { old: [was], next: [is] };
    found.old.push(...parts.old);
    found.next.push(...parts.next);
  }
  return found;
}

/** The share of two texts that is their common beginning and end: 0 when they are not alike. */
function sharedEnds(old: string, next: string): number {
  const { before, after } = commonEnds(old, next);
  const share = (2 * (before + after)) / Math.max(1, old.length + next.length);
  return share < leastLikeness ? 0 : share;
}

function betweenEnds(old: string, was: Range, next: string, is: Range): Changed {
  const { before, after } = commonEnds(old.slice(...was), next.slice(...is));
  const between = (line: string, [from, to]: Range): Range[] => {
    const part = line.slice(from + before, to - after);
    const start = from + before + part.length - part.trimStart().length;
    const end = start + part.trim().length;
    return end > start ? [[start, end]] : [];
  };
  return { old: between(old, was), next: between(next, is) };
}

/** In UTF-16 units, without half a character. */
function commonEnds(old: string, next: string): { before: number; after: number } {
  const most = Math.min(old.length, next.length, longestEnd);
  let before = 0;
  while (before < most && old[before] === next[before]) before += 1;
  if (before > 0 && isFirstHalf(old, before - 1)) before -= 1;
  let after = 0;
  while (after < most - before && old[old.length - 1 - after] === next[next.length - 1 - after]) after += 1;
  if (after > 0 && isFirstHalf(old, old.length - after - 1)) after -= 1;
  return { before, after };
}

const isFirstHalf = (text: string, at: number): boolean => /[\ud800-\udbff]/.test(text[at] ?? '');

/** Which words of two lines are not in the other; none where the lines are not alike. */
function changedWords(old: LineWords, next: LineWords): Changed {
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
  if (ofBoth(common, old, next) === 0) return nothing;
  return { old: rangesOf(old, keptOld), next: rangesOf(next, keptNext) };
}

function ofBoth(common: number, old: LineWords, next: LineWords): number {
  const share = (2 * common) / Math.max(1, old.size + next.size);
  return share < leastLikeness ? 0 : share;
}

/** Each different element as a number of its own. */
function numbered(elements: readonly string[], numbers: Map<string, number>): Sequence {
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

/** A removed line and the added one that it became: indices into the two blocks. */
interface LikePair {
  old: number;
  next: number;
}

/** Lines of larger blocks are not compared one with each other. */
const mostLines = 50;

/**
 * Which lines of a removed block became which of the added block in its place: in order, and so that the pairs are as
 * similar as possible. Of blocks too large to compare, each line with the one in its place, if they are as long.
 */
function likePairs(old: readonly string[], next: readonly string[]): LikePair[] {
  if (old.length === 0 || next.length === 0) return [];
  if (old.length <= mostLines && next.length <= mostLines) return bestPairs(old.map(wordsOf), next.map(wordsOf));
  return old.length === next.length ? old.map((_, index) => ({ old: index, next: index })) : [];
}

/** `best[i][j]`: how much alike the lines from `i` and `j` on can be made, in one row of `width` after the other. */
function bestPairs(old: readonly LineWords[], next: readonly LineWords[]): LikePair[] {
  const width = next.length + 1;
  const best = new Float64Array((old.length + 1) * width);
  const like = new Float64Array((old.length + 1) * width);
  const together = (at: number): number => (like[at] === 0 ? 0 : (like[at] ?? 0) + (best[at + width + 1] ?? 0));
  for (let i = old.length - 1; i >= 0; i -= 1) {
    for (let j = next.length - 1; j >= 0; j -= 1) {
      const at = i * width + j;
      like[at] = likeness(old[i], next[j]);
      best[at] = Math.max(best[at + width] ?? 0, best[at + 1] ?? 0, together(at));
    }
  }
  const pairs: LikePair[] = [];
  for (let i = 0, j = 0; i < old.length && j < next.length;) {
    const at = i * width + j;
    if (together(at) > 0 && best[at] === together(at)) pairs.push({ old: i++, next: j++ });
    else if (best[at] === best[at + width]) i += 1;
    else j += 1;
  }
  return pairs;
}

const likeness = (old: LineWords | undefined, next: LineWords | undefined): number =>
  old === undefined || next === undefined ? 0 : likenessOf(old, next);

/** A run that two sequences have in common: `length` elements from `old` in the one, from `next` in the other. */
interface SharedRun {
  old: number;
  next: number;
  length: number;
}

/** Elements as numbers: equal numbers are equal elements. */
type Sequence = Readonly<Uint32Array>;

/** A difference with more edits is not readable line by line. */
const readableEdits = 2000;
/** Edits times elements: what one comparison may cost, some milliseconds. */
const mostWork = 4_000_000;

/**
 * What two sequences share, in order and as much as can be: what lies between the runs was removed and added. Myers,
 * "An O(ND) Difference Algorithm and Its Variations" (1986). Bounded: of sequences that differ in more than `limit`
 * only the common beginning and end are returned.
 */
function sharedRuns(old: Sequence, next: Sequence, limit = readableEdits): SharedRun[] {
  const shorter = Math.min(old.length, next.length);
  let before = 0;
  while (before < shorter && old[before] === next[before]) before += 1;
  let after = 0;
  while (after < shorter - before && old[old.length - 1 - after] === next[next.length - 1 - after]) after += 1;
  const between = middleRuns(
    old.subarray(before, old.length - after),
    next.subarray(before, next.length - after),
    limit,
  );
  const runs = between.map((run) => ({ old: run.old + before, next: run.next + before, length: run.length }));
  return [
    { old: 0, next: 0, length: before },
    ...runs,
    { old: old.length - after, next: next.length - after, length: after },
  ].filter(({ length }) => length > 0);
}

function middleRuns(old: Sequence, next: Sequence, limit: number): SharedRun[] {
  if (old.length === 0 || next.length === 0) return [];
  const steps = furthest(old, next, Math.min(limit, Math.floor(mostWork / (old.length + next.length))));
  return steps === null ? [] : walkBack(steps, old.length, next.length);
}

/**
 * How far into `old` each number of edits comes on each diagonal (`old` index minus `next` index), until both are at
 * their end. `[edits][diagonal + edits]`; null: not with so few edits.
 */
function furthest(old: Sequence, next: Sequence, most: number): Int32Array[] | null {
  const steps: Int32Array[] = [];
  for (let edits = 0; edits <= most; edits += 1) {
    const before = steps.at(-1);
    const step = new Int32Array(2 * edits + 1);
    steps.push(step);
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      let at = before === undefined ? 0 : landing(before, edits, diagonal).at;
      while (at < old.length && at - diagonal < next.length && old[at] === next[at - diagonal]) at += 1;
      step[diagonal + edits] = at;
      if (at >= old.length && at - diagonal >= next.length) return steps;
    }
  }
  return null;
}

/**
 * Where the last edit leads to on this diagonal: the better of an addition (from the diagonal above) and a removal
 * (from the one below).
 */
function landing(before: Int32Array, edits: number, diagonal: number): { at: number; isAdded: boolean } {
  const byAdding = diagonal + 1 < edits ? reached(before, edits - 1, diagonal + 1) : -1;
  const byRemoving = diagonal - 1 > -edits ? reached(before, edits - 1, diagonal - 1) : -1;
  return byRemoving < byAdding ? { at: byAdding, isAdded: true } : { at: byRemoving + 1, isAdded: false };
}

const reached = (step: Int32Array, edits: number, diagonal: number): number => step[diagonal + edits] ?? -1;

function walkBack(steps: readonly Int32Array[], oldLength: number, nextLength: number): SharedRun[] {
  const runs: SharedRun[] = [];
  let old = oldLength;
  let next = nextLength;
  for (let edits = steps.length - 1; edits > 0; edits -= 1) {
    const before = steps[edits - 1];
    if (before === undefined) break;
    const { at, isAdded } = landing(before, edits, old - next);
    if (old > at) runs.push({ old: at, next: at - (old - next), length: old - at });
    next = at - (old - next) - (isAdded ? 1 : 0);
    old = isAdded ? at : at - 1;
  }
  return runs.reverse();
}
