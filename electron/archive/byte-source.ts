/** Bytes in pieces of any size. What arrives may come at once or over time. */
export type ByteSource = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/** The same bytes in new buffers of exactly `size` bytes, but for the last, which may be shorter. */
export async function* inPiecesOf(
  size: number,
  bytes: ByteSource,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void, void> {
  let piece = new Uint8Array(size);
  let filled = 0;
  for await (const chunk of bytes) {
    for (let taken = 0; taken < chunk.length;) {
      const part = chunk.subarray(taken, taken + size - filled);
      piece.set(part, filled);
      filled += part.length;
      taken += part.length;
      if (filled < size) continue;
      yield piece;
      piece = new Uint8Array(size);
      filled = 0;
    }
  }
  if (filled > 0) yield piece.subarray(0, filled);
}
