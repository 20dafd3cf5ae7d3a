import {
  type ByteClass,
  byteClasses,
  classOfByte,
  encodeStrip,
  type StripPart,
  stripParts,
} from '../../../shared/domain/byte-strip.ts';

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
export async function stripOfSource(
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

const everyValue = Uint8Array.from({ length: 256 }, (_, byte) => byte);
const classNumbers = everyValue.map((byte) => byteClasses.indexOf(classOfByte(byte)));
const ofClass = new Uint32Array(byteClasses.length);
/** How often each value comes in the part that is being measured; zeros between two parts. */
const counts = new Uint32Array(everyValue.length);

/** A part of a file that is held, `from` included and `to` not, with at least one byte. */
function measurePart(bytes: Uint8Array, from: number, to: number): StripPart {
  countBytes(bytes, from, to);
  const isShort = to - from < everyValue.length;
  return isShort ? measured(to - from, bytes, from, to) : measureCounted(to - from);
}

/** Several calls, and then `measureCounted`, measure a part that is not held as a whole. */
function countBytes(bytes: Uint8Array, from = 0, to = bytes.length): void {
  for (let at = from; at < to; at += 1) {
    const byte = bytes[at] ?? 0;
    counts[byte] = (counts[byte] ?? 0) + 1;
  }
}

/** `total` is how many bytes were counted since the last part. */
const measureCounted = (total: number): StripPart => measured(total, everyValue, 0, everyValue.length);

/**
 * The class that most bytes have, the first one of several; and with n bytes, of which c have the same value, the
 * entropy log2 n - Σ c·log2 c / n. Every value that was counted is in `values`: the fewer there are, the sooner it is
 * done.
 */
function measured(total: number, values: Uint8Array, from: number, to: number): StripPart {
  ofClass.fill(0);
  let sum = 0;
  for (let at = from; at < to; at += 1) {
    const byte = values[at] ?? 0;
    const times = counts[byte] ?? 0;
    counts[byte] = 0;
    const classNumber = classNumbers[byte] ?? 0;
    ofClass[classNumber] = (ofClass[classNumber] ?? 0) + times;
    if (times > 1) sum += times * Math.log2(times);
  }
  return { byteClass: mostFrequent(), entropy: Math.max(0, Math.log2(total) - sum / total) };
}

function mostFrequent(): ByteClass {
  let most = 0;
  for (let each = 1; each < ofClass.length; each += 1) if ((ofClass[each] ?? 0) > (ofClass[most] ?? 0)) most = each;
  return byteClasses[most] ?? 'zero';
}
