import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { createDeflateRaw, deflateRaw } from 'node:zlib';
import type { ByteSource } from '../byte-source.ts';
import { startingWith } from '../starting-with.ts';

const pieceBytes = 128 * 1024;
const deflateWhole = promisify(deflateRaw);

/** The bytes in fewer, or null when there are none fewer. For what is in memory anyway. */
export async function deflatedWhole(bytes: Uint8Array): Promise<Buffer | null> {
  const deflated = await deflateWhole(bytes);
  return deflated.length < bytes.length ? deflated : null;
}

/**
 * Deflates (RFC 1951) off the thread, as it is read. Packed samples do not shrink, so whether to try is decided by
 * their first piece; what is not tried is still framed, because a DEFLATE stream shows where it ends, and bytes alone
 * do not.
 */
export async function* deflatedPieces(bytes: ByteSource): AsyncGenerator<Uint8Array, void, void> {
  const pieces = iterate(bytes);
  try {
    const first = await pieces.next();
    const level = first.done || (await shrinks(first.value)) ? 1 : 0;
    yield* throughDeflate(startingWith(first, pieces), level);
  } finally {
    await pieces.return?.();
  }
}

/** The most bytes `deflatedPieces` makes of so many: a frame of five bytes for each block, and an end. */
export const deflatedAtMost = (sizeBytes: number): number => sizeBytes + Math.ceil(sizeBytes / 4096) * 5 + 64;

async function shrinks(piece: Uint8Array): Promise<boolean> {
  return (await deflateWhole(piece, { level: 1 })).length < piece.length * 0.9;
}

async function* throughDeflate(
  bytes: AsyncIterable<Uint8Array>,
  level: number,
): AsyncGenerator<Uint8Array, void, void> {
  const deflate = createDeflateRaw({ level, chunkSize: pieceBytes });
  // What breaks the feeding breaks the reading too, which is where it is thrown.
  const feeding = Promise.allSettled([pipeline(bytes, deflate)]);
  const deflated: AsyncIterable<Uint8Array> = deflate;
  try {
    yield* deflated;
  } finally {
    deflate.destroy();
    await feeding;
  }
}

async function* iterate(bytes: ByteSource): AsyncGenerator<Uint8Array, void, void> {
  yield* bytes;
}
