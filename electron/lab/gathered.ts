/** All bytes in one piece; null when there are more than so many, and then the rest is not read. */
export async function gathered(chunks: AsyncIterable<Uint8Array>, mostBytes: number): Promise<Buffer | null> {
  const pieces: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const piece of chunks) {
    sizeBytes += piece.length;
    if (sizeBytes > mostBytes) return null;
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}
