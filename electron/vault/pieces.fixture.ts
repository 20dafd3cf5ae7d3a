/** As a network would bring them. */
export async function* inPieces(bytes: Uint8Array, length = 65_536): AsyncGenerator<Uint8Array, void, void> {
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length);
}
