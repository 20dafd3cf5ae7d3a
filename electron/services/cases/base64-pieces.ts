const bytesAGroup = 3;

/** Base64 of bytes that arrive in pieces (RFC 4648, 4). */
export async function* base64Pieces(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string, void, void> {
  let rest = Buffer.alloc(0);
  for await (const piece of bytes) {
    const all = Buffer.concat([rest, piece]);
    const whole = all.length - (all.length % bytesAGroup);
    yield all.toString('base64', 0, whole);
    rest = Buffer.from(all.subarray(whole));
  }
  yield rest.toString('base64');
}
