import type { ByteSpan } from './hex-mark.ts';

/** Spans one after the other, none of which touches the next: `start` is of it, `end` is not. */
export interface Stretch {
  start: number;
  end: number;
}

/** Marks may lie in any order, and over each other; one without a length is a byte long. */
export function stretchesOf(marks: readonly ByteSpan[]): Stretch[] {
  const stretches: Stretch[] = [];
  for (const { start, end } of marks.map(stretchOf).toSorted((one, other) => one.start - other.start)) {
    const last = stretches.at(-1);
    if (last && start <= last.end) last.end = Math.max(last.end, end);
    else stretches.push({ start, end });
  }
  return stretches;
}

export const stretchOf = ({ offset, length }: ByteSpan): Stretch => ({
  start: offset,
  end: offset + Math.max(1, length),
});

/** Those that reach into the bytes from `start` to before `end`. */
export function stretchesWithin(stretches: readonly Stretch[], start: number, end: number): Stretch[] {
  const found: Stretch[] = [];
  for (let at = firstBehind(stretches, start); at < stretches.length; at += 1) {
    const stretch = stretches[at];
    if (stretch === undefined || stretch.start >= end) break;
    found.push(stretch);
  }
  return found;
}

/** The place of the first one that ends behind `offset`. */
function firstBehind(stretches: readonly Stretch[], offset: number): number {
  let [low, high] = [0, stretches.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((stretches[middle]?.end ?? 0) > offset) high = middle;
    else low = middle + 1;
  }
  return low;
}
