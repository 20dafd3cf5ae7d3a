import { encodeStrip, type StripPart, stripParts } from '../../../shared/domain/byte-classes.ts';
import { countBytes, measureCounted, measurePart } from './part-measure.ts';

/** Read of a part, in slices spread evenly over it. */
const slicesOfPart = 4;
const sliceBytes = 16 * 1024;

interface Readable {
  readonly sizeBytes: number;
  read(position: number, length: number): Promise<Uint8Array>;
}

/** Of a file that is held. @returns a `ByteStrip`; null for a file without bytes */
export function stripOfHeld(bytes: Uint8Array): string | null {
  const parts = boundsOfParts(bytes.length, stripParts).map(({ start, end }) => measurePart(bytes, start, end));
  return parts.length === 0 ? null : encodeStrip(parts);
}

/** The same of a file that is read, in at most so many parts. @returns null when it was stopped too */
export async function stripOf(
  bytes: Readable,
  isStopped: () => boolean,
  mostParts: number = stripParts,
): Promise<string | null> {
  const parts: StripPart[] = [];
  for (const { start, end } of boundsOfParts(bytes.sizeBytes, mostParts)) {
    if (isStopped()) return null;
    parts.push(await readPart(bytes, start, end - start));
  }
  return parts.length === 0 ? null : encodeStrip(parts);
}

/** Parts of as good as the same length, each of at least one byte. */
function boundsOfParts(sizeBytes: number, mostParts: number): { start: number; end: number }[] {
  const count = Math.min(mostParts, sizeBytes);
  const bound = (part: number): number => Math.floor((part * sizeBytes) / count);
  return Array.from({ length: count }, (_, part) => ({ start: bound(part), end: bound(part + 1) }));
}

async function readPart(bytes: Pick<Readable, 'read'>, start: number, length: number): Promise<StripPart> {
  if (length <= slicesOfPart * sliceBytes) {
    const part = await bytes.read(start, length);
    return measurePart(part, 0, part.length);
  }
  // Read before any is counted: what is counted lies in memory that a failed read must not leave half full.
  const slices = await Promise.all(
    Array.from({ length: slicesOfPart }, (_, slice) =>
      bytes.read(start + Math.floor((slice * (length - sliceBytes)) / (slicesOfPart - 1)), sliceBytes),
    ),
  );
  for (const slice of slices) countBytes(slice);
  return measureCounted(slicesOfPart * sliceBytes);
}
