import { type LineWords, likenessOf, wordsOf } from './line-words.ts';

/** A removed line and the added one that it became: indices into the two blocks. */
export interface LikePair {
  old: number;
  next: number;
}

/** Lines of larger blocks are not compared one with each other. */
const mostLines = 50;

/**
 * Which lines of a removed block became which of the added block that stands in its place: in order, and so that the
 * pairs are as much alike as can be. Of blocks too large to compare, each line with the one in its place, if they are
 * as long.
 */
export function likePairs(old: readonly string[], next: readonly string[]): LikePair[] {
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
