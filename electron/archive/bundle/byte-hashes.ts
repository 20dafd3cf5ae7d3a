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

  constructor({ sizeBytes, sha256, md5, sha1 }: ExpectedBytes) {
    this.#left = sizeBytes;
    this.#hashes = [[createHash('sha256'), sha256]];
    if (md5 !== null) this.#hashes.push([createHash('md5'), md5]);
    if (sha1 !== null) this.#hashes.push([createHash('sha1'), sha1]);
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
