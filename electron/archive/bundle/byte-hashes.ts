import { createHash, type Hash } from 'node:crypto';

export interface ExpectedBytes {
  sha256: string;
  /** null where nobody said one. */
  md5: string | null;
  sha1: string | null;
  sizeBytes: number;
}

/** Whether bytes that come in pieces are those that were named. */
export class ByteHashes {
  readonly #hashes: [Hash, string][];
  #left: number;

  constructor({ sizeBytes, ...expected }: ExpectedBytes) {
    this.#left = sizeBytes;
    this.#hashes = [];
    for (const [name, hex] of Object.entries({ sha256: expected.sha256, md5: expected.md5, sha1: expected.sha1 })) if (hex !== null) this.#hashes.push([createHash(name), hex]);
  }

  /** @returns false when there are more than there should be */
  take(bytes: Uint8Array): boolean {
    this.#left -= bytes.length;
    for (const [hash] of this.#hashes) hash.update(bytes);
    return this.#left >= 0;
  }

  areRight(): boolean {
    return this.#left === 0 && this.#hashes.every(([hash, hex]) => hash.digest('hex') === hex);
  }
}
