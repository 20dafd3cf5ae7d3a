import { likePairs } from './like-lines.ts';
import { changedWords, numbered, type Range, wordsOf } from './line-words.ts';
import type { DifferenceLine } from './publication.ts';
import { sharedRuns, type SharedRun } from './shared-runs.ts';

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
 * Two texts line by line. A removed line stands directly before the added one that it became, and both say which words
 * differ. Of texts that differ too much for that, what lies between their common beginning and end is removed and
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
    const changed = changedWords(wordsOf(old.lines[atOld] ?? ''), wordsOf(next.lines[atNext] ?? ''));
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
