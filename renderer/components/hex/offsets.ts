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
