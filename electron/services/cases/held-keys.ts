const digitsAByte = 2;

/** What samples are known by, in little memory: a million take 32 MB. */
export class HeldKeys {
  readonly #pages: { digits: number; bytes: Buffer }[] = [];
  #length = 0;

  get length(): number {
    return this.#length;
  }

  add(keys: readonly string[]): void {
    for (const [digits, alike] of Map.groupBy(keys, ({ length }) => length))
      this.#pages.push({ digits, bytes: Buffer.from(alike.join(''), 'hex') });
    this.#length += keys.length;
  }

  /** As they were added, those of one length together. */
  *pages(): Generator<readonly string[], void, void> {
    for (const { digits, bytes } of this.#pages) {
      const width = digits / digitsAByte;
      yield Array.from({ length: bytes.length / width }, (_, index) =>
        bytes.toString('hex', index * width, (index + 1) * width),
      );
    }
  }
}
