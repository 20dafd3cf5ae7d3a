import { Buffer } from 'node:buffer';
import { setImmediate as breathe } from 'node:timers/promises';
import { fail } from '../../../shared/failure.ts';
import type { RandomAccess } from '../../archive/reading/zip-random.ts';

/** How much of a package is looked at to tell what it is: servers put warnings before it. */
export const beginningBytes = 64 * 1024;

/** How a ZIP's first entry begins, and a ZIP without entries (PKWARE APPNOTE, 4.3.7 and 4.3.16). */
const entrySignature = Buffer.from('PK\x03\x04', 'latin1');
const endSignature = Buffer.from('PK\x05\x06', 'latin1');

export function beginsArchive(beginning: Uint8Array): boolean {
  const bytes = Buffer.from(beginning.buffer, beginning.byteOffset, beginning.byteLength);
  return bytes.includes(entrySignature) || bytes.subarray(0, endSignature.length).equals(endSignature);
}

/** Of a file that somebody made: servers' words may stand before a package, and not before an archive of a person. */
export const beginsWithEntry = async (access: RandomAccess): Promise<boolean> =>
  access.sizeBytes >= entrySignature.length && entrySignature.equals(await access.read(0, entrySignature.length));

/** @throws FailureError `package-too-large` when there are more */
export async function wholeOf(chunks: AsyncIterable<Uint8Array>, atMostBytes: number): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of chunks) {
    length += piece.length;
    if (length > atMostBytes) fail({ kind: 'package-too-large', limitBytes: atMostBytes });
    pieces.push(piece);
  }
  return joined(pieces, length);
}

/** Bytes that are copied or looked through before others have their turn. */
export const atOnceBytes = 4 * 2 ** 20;

async function joined(pieces: readonly Uint8Array[], length: number): Promise<Uint8Array> {
  const whole = new Uint8Array(length);
  let [at, rested] = [0, 0];
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
    if (at - rested < atOnceBytes) continue;
    rested = at;
    await breathe();
  }
  return whole;
}
