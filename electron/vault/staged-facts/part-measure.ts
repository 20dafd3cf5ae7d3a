import { type ByteClass, byteClasses, classOfByte, type StripPart } from '../../../shared/domain/byte-classes.ts';

const everyValue = Uint8Array.from({ length: 256 }, (_, byte) => byte);
const classNumbers = everyValue.map((byte) => byteClasses.indexOf(classOfByte(byte)));
const ofClass = new Uint32Array(byteClasses.length);
/** How often each value comes in the part that is being measured; zeros between two parts. */
const counts = new Uint32Array(everyValue.length);

/** A part of a file that is held, `from` included and `to` not, with at least one byte. */
export function measurePart(bytes: Uint8Array, from: number, to: number): StripPart {
  countBytes(bytes, from, to);
  const isShort = to - from < everyValue.length;
  return isShort ? measured(to - from, bytes, from, to) : measureCounted(to - from);
}

/** Several calls, and then `measureCounted`, measure a part that is not held as a whole. */
export function countBytes(bytes: Uint8Array, from = 0, to = bytes.length): void {
  for (let at = from; at < to; at += 1) {
    const byte = bytes[at] ?? 0;
    counts[byte] = (counts[byte] ?? 0) + 1;
  }
}

/** `total` is how many bytes were counted since the last part. */
export const measureCounted = (total: number): StripPart => measured(total, everyValue, 0, everyValue.length);

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
