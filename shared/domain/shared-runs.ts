/** A run that two sequences have in common: `length` elements from `old` in the one, from `next` in the other. */
export interface SharedRun {
  old: number;
  next: number;
  length: number;
}

/** Elements as numbers: equal numbers are equal elements. */
export type Sequence = Readonly<Uint32Array>;

/** Nobody reads a difference with more edits line by line. */
const readableEdits = 2000;
/** Edits times elements: what one comparison may cost, some milliseconds. */
const mostWork = 4_000_000;

/**
 * What two sequences share, in order and as much as can be: what lies between the runs was removed and added.
 * Myers, "An O(ND) Difference Algorithm and Its Variations" (1986). Bounded: of sequences that differ in more than
 * `mostEdits` only the common beginning and end are told.
 */
export function sharedRuns(old: Sequence, next: Sequence, mostEdits = readableEdits): SharedRun[] {
  const shorter = Math.min(old.length, next.length);
  let before = 0;
  while (before < shorter && old[before] === next[before]) before += 1;
  let after = 0;
  while (after < shorter - before && old[old.length - 1 - after] === next[next.length - 1 - after]) after += 1;
  const between = middleRuns(
    old.subarray(before, old.length - after),
    next.subarray(before, next.length - after),
    mostEdits,
  );
  const runs = between.map((run) => ({ old: run.old + before, next: run.next + before, length: run.length }));
  return [
    { old: 0, next: 0, length: before },
    ...runs,
    { old: old.length - after, next: next.length - after, length: after },
  ].filter(({ length }) => length > 0);
}

function middleRuns(old: Sequence, next: Sequence, mostEdits: number): SharedRun[] {
  if (old.length === 0 || next.length === 0) return [];
  const steps = furthest(old, next, Math.min(mostEdits, Math.floor(mostWork / (old.length + next.length))));
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
  const added = diagonal + 1 < edits ? reached(before, edits - 1, diagonal + 1) : -1;
  const removed = diagonal - 1 > -edits ? reached(before, edits - 1, diagonal - 1) : -1;
  return removed < added ? { at: added, isAdded: true } : { at: removed + 1, isAdded: false };
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
