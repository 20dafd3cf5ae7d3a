import { createCipheriv, createDecipheriv, type KeyObject } from 'node:crypto';
import { fail } from '../../../shared/failure.ts';
import { releaseBytes } from '../../../shared/release-bytes.ts';

/**
 * A stream as chunks of AES-256-GCM, in the STREAM construction (Hoang, Reyhanitabar, Rogaway, Vizár: Online
 * Authenticated-Encryption and its Nonce-Reuse Misuse-Resistance, 2015), as age has it: the nonce of a chunk is its
 * number, 11 bytes, and 1 for the last one. The key is of one file alone. A chunk that was altered, left out, moved or
 * put in, and an end that is none, are found when they are read.
 */
export const tagBytes = 16;

const cipherName = 'aes-256-gcm';
const nonceBytes = 12;
const numberAt = 5;

export interface SealedSink {
  /** The bytes are its own. */
  write(bytes: Uint8Array): void | Promise<void>;
}

/** Seals what is written to it, and holds one chunk. */
export class ChunkSealer {
  readonly #key: KeyObject;
  readonly #sink: SealedSink;
  readonly #chunk: Buffer;
  #filled = 0;
  #number = 0;

  constructor(key: KeyObject, chunkBytes: number, sink: SealedSink) {
    this.#key = key;
    this.#sink = sink;
    this.#chunk = Buffer.allocUnsafeSlow(chunkBytes);
  }

  /** Await each call before the next. */
  async write(bytes: Uint8Array): Promise<void> {
    for (let taken = 0; taken < bytes.length;) {
      // Only now: whether a full chunk is the last one is known when more comes.
      if (this.#filled === this.#chunk.length) await this.#seal(false);
      const part = bytes.subarray(taken, taken + this.#chunk.length - this.#filled);
      this.#chunk.set(part, this.#filled);
      this.#filled += part.length;
      taken += part.length;
    }
  }

  async finish(): Promise<void> {
    await this.#seal(true);
  }

  async #seal(isLast: boolean): Promise<void> {
    const cipher = createCipheriv(cipherName, this.#key, nonceOf(this.#number, isLast));
    const sealed = cipher.update(this.#chunk.subarray(0, this.#filled));
    cipher.final();
    this.#filled = 0;
    this.#number += 1;
    await this.#sink.write(sealed);
    await this.#sink.write(cipher.getAuthTag());
  }
}

export interface SealedBytes {
  readonly sizeBytes: number;
  /** Fewer than asked for only at the end. The bytes are the caller's to give back. */
  read(position: number, length: number): Promise<Buffer>;
}

/** Opens chunk after chunk, which lie in the file from `start` to `end`. */
export class ChunkOpener {
  readonly #bytes: SealedBytes;
  readonly #key: KeyObject;
  readonly #sealedBytes: number;
  readonly #end: number;
  #number = 0;
  #next: number;
  #position: number;

  constructor(
    bytes: SealedBytes,
    { key, chunkBytes, start, end }: { key: KeyObject; chunkBytes: number; start: number; end: number },
  ) {
    this.#bytes = bytes;
    this.#key = key;
    this.#sealedBytes = chunkBytes + tagBytes;
    this.#end = end;
    this.#next = start;
    this.#position = start;
  }

  /** Where the chunk lies that was opened last: nearer to what is wrong nobody can say. */
  get position(): number {
    return this.#position;
  }

  /** Where the next one lies: so far it was read. */
  get readUpTo(): number {
    return this.#next;
  }

  /** null behind the last one. @throws FailureError `bundle-damaged` */
  async next(): Promise<Buffer | null> {
    if (this.#next >= this.#end) return null;
    this.#position = this.#next;
    this.#next = Math.min(this.#end, this.#next + this.#sealedBytes);
    const sealed = await this.#bytes.read(this.#position, this.#next - this.#position);
    const chunk = sealed.length > tagBytes ? this.#open(sealed) : null;
    releaseBytes(sealed);
    this.#number += 1;
    return chunk ?? fail({ kind: 'bundle-damaged', atByte: this.#position });
  }

  #open(sealed: Buffer): Buffer | null {
    const border = sealed.length - tagBytes;
    const decipher = createDecipheriv(cipherName, this.#key, nonceOf(this.#number, this.#next === this.#end), {
      authTagLength: tagBytes,
    });
    decipher.setAuthTag(sealed.subarray(border));
    const chunk = decipher.update(sealed.subarray(0, border));
    try {
      decipher.final();
      return chunk;
    } catch {
      // The one thing `final` throws for: the bytes are not authentic at this place.
      return null;
    }
  }
}

function nonceOf(number: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(nonceBytes);
  nonce.writeUIntBE(number, numberAt, nonceBytes - 1 - numberAt);
  nonce[nonceBytes - 1] = Number(isLast);
  return nonce;
}
