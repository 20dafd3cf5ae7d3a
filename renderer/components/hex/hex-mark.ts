/** Some bytes of a file. In bytes. */
export interface ByteSpan {
  offset: number;
  length: number;
}

/** Bytes that are tinted, such as those where a string of a rule matched. */
export interface HexMark extends ByteSpan {
  /** As `$key`: shown while the cursor is in the current one. */
  label: string;
}

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

export const rowBytes = 16;
const leastDigits = 8;

/** How many digits every offset of a file is shown with. */
export function offsetDigits(sizeBytes: number): number {
  const digits = Math.max(0, sizeBytes - 1).toString(16).length;
  return Math.max(leastDigits, digits + (digits % 2));
}

/** An offset as the rows have it: `000bd21a`. */
export const paddedOffset = (offset: number, digits: number): string => offset.toString(16).padStart(digits, '0');

/** An offset in a sentence, or to be copied: `0xbd21a`. */
export const shortOffset = (offset: number): string => `0x${offset.toString(16)}`;

export const hexOf = (byte: number): string => byte.toString(16).padStart(2, '0');

export const rowOf = (offset: number): number => Math.floor(offset / rowBytes);
/** Rows of a file; an empty one has none. */
export const rowCount = (sizeBytes: number): number => Math.ceil(sizeBytes / rowBytes);
export const within = (offset: number, sizeBytes: number): number => Math.max(0, Math.min(sizeBytes - 1, offset));
