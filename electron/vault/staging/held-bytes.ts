/**
 * Bytes that are gathered until it is known whether they are few. Grows with them, so that ten thousand small files do
 * not take the room of large ones.
 */
export class HeldBytes {
  readonly #mostBytes: number;
  #room = Buffer.alloc(0);
  #filled = 0;

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
  }

  fits(chunk: Uint8Array): boolean {
    return this.#filled + chunk.length <= this.#mostBytes;
  }

  /** Copies the chunk. */
  add(chunk: Uint8Array): void {
    const needed = this.#filled + chunk.length;
    if (needed > this.#room.length) this.#grow(Math.max(needed, this.#room.length * 2));
    this.#room.set(chunk, this.#filled);
    this.#filled = needed;
  }

  /** The view alone has the memory it is in, when it is full. */
  get bytes(): Buffer<ArrayBuffer> {
    return this.#room.subarray(0, this.#filled);
  }

  #grow(length: number): void {
    const grown = Buffer.allocUnsafeSlow(length);
    grown.set(this.bytes);
    this.#room = grown;
  }
}
