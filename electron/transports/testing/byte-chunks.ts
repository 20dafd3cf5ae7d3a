/** `count` pieces of `size` bytes, each filled with its own number. */
export async function* chunksOf(count: number, size: number): AsyncGenerator<Uint8Array> {
  for (let index = 0; index < count; index += 1) yield new Uint8Array(size).fill(index);
}
