import { fail } from '../../../shared/failure.ts';

/**
 * What stands in clear at the end of a bundle: `LDNBRTIV`, and the length of all of it. It tells a file that was cut
 * off from one that was altered.
 */
export const trailerBytes = 16;

const mark = Buffer.from('LDNBRTIV', 'latin1');

export function newTrailer(totalBytes: number): Buffer {
  const trailer = Buffer.alloc(trailerBytes);
  mark.copy(trailer);
  trailer.writeBigUInt64BE(BigInt(totalBytes), mark.length);
  return trailer;
}

/**
 * `tail` is the end of the file, as much of it as one chunk. The trailer proves nothing, since anybody can write it:
 * the chunks before it do.
 * @throws FailureError `bundle-truncated`, or `bundle-damaged` where more follows the end, or one half of the trailer
 * is as it should be
 */
export function requireTrailer(tail: Buffer, totalBytes: number): void {
  const found = tail.subarray(-trailerBytes);
  const expected = newTrailer(totalBytes);
  if (found.equals(expected)) return;
  const end = endInside(tail, totalBytes);
  if (end !== null) fail({ kind: 'bundle-damaged', atByte: end });
  const [hasMark, hasLength] = [
    found.subarray(0, mark.length).equals(mark),
    found.subarray(mark.length).equals(expected.subarray(mark.length)),
  ];
  if (hasMark || hasLength)
    fail({ kind: 'bundle-damaged', atByte: totalBytes - trailerBytes + (hasMark ? mark.length : 0) });
  fail({ kind: 'bundle-truncated', receivedBytes: totalBytes });
}

/** Where the bundle ends, when something was put behind it. */
function endInside(tail: Buffer, totalBytes: number): number | null {
  const start = totalBytes - tail.length;
  for (let at = tail.indexOf(mark); at >= 0 && at + trailerBytes <= tail.length; at = tail.indexOf(mark, at + 1)) {
    const end = start + at + trailerBytes;
    if (tail.subarray(at, at + trailerBytes).equals(newTrailer(end))) return end;
  }
  return null;
}
