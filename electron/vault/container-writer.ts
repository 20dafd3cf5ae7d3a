import { createHash, type Cipheriv, type Hash } from 'node:crypto';
import { closeSync, fsyncSync, openSync, rmSync, writeSync } from 'node:fs';
import { encodeTrailer, encryptBody, newHeader, type ContainerFacts } from './container.ts';

/** What stays in a processor's cache from the first hash to the disk: a third less work than a megabyte at a time. */
const sliceBytes = 128 * 1024;

/**
 * Writes one container with calls that block: for a worker only. The file is inert from its first byte on, since the
 * header comes first and nothing but ciphertext follows. MD5 is made elsewhere and handed in at the end.
 */
export class ContainerWriter {
  readonly #path: string;
  readonly #durable: boolean;
  readonly #header = newHeader();
  readonly #cipher: Cipheriv = encryptBody(this.#header);
  readonly #sha1: Hash = createHash('sha1');
  readonly #sha256: Hash = createHash('sha256');
  #file: number | null = null;
  #sizeBytes = 0;

  constructor(path: string, durable: boolean) {
    this.#path = path;
    this.#durable = durable;
  }

  open(): void {
    this.#file = openSync(this.#path, 'wx', 0o600);
    this.#append(this.#header);
  }

  write(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; at += sliceBytes) this.#writeSlice(bytes.subarray(at, at + sliceBytes));
  }

  seal(md5: string): ContainerFacts {
    const facts = { md5, sha1: this.#sha1.digest('hex'), sha256: this.#sha256.digest('hex'), sizeBytes: this.#sizeBytes };
    this.#append(encodeTrailer(this.#header, facts));
    if (this.#durable) fsyncSync(this.#opened());
    this.#close();
    return facts;
  }

  /** Leaves no file. May be called at any time. */
  discard(): void {
    this.#close();
    rmSync(this.#path, { force: true });
  }

  #writeSlice(slice: Uint8Array): void {
    this.#sha1.update(slice);
    this.#sha256.update(slice);
    this.#sizeBytes += slice.length;
    this.#append(this.#cipher.update(slice));
  }

  #append(bytes: Uint8Array): void {
    for (let done = 0; done < bytes.length; ) done += writeSync(this.#opened(), bytes, done);
  }

  #opened(): number {
    if (this.#file === null) throw new Error('this container is not open');
    return this.#file;
  }

  #close(): void {
    const file = this.#file;
    this.#file = null;
    if (file !== null) closeSync(file);
  }
}
