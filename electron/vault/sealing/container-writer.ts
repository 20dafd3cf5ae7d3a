import { type CipherGCM, createHash, type Hash } from 'node:crypto';
import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { releaseBytes } from '../../../shared/release-bytes.ts';
import { SyncedAhead } from '../../base/files.ts';
import { type ContainerFacts, encodeTrailer, encryptBody, newHeader } from '../container/container.ts';
import type { EarlyHashes } from './sealer.ts';

/** What stays in a processor's cache from the first hash to the disk: a third less work than a megabyte at a time. */
const sliceBytes = 128 * 1024;

/**
 * Writes one container with blocking calls, except those that wait for the disk: for a worker only. The file is stored
 * encrypted from its first byte on, since the header comes first and only ciphertext follows. MD5 and SHA-1 are
 * computed elsewhere and passed in at the end.
 */
export class ContainerWriter {
  readonly #path: string;
  readonly #sync: SyncedAhead | null;
  readonly #header = newHeader();
  readonly #cipher: CipherGCM = encryptBody(this.#header);
  readonly #sha256: Hash = createHash('sha256');
  #file: number | null = null;
  #sizeBytes = 0;
  #sealing: Promise<ContainerFacts> | null = null;

  constructor(path: string, durable: boolean) {
    this.#path = path;
    this.#sync = durable ? new SyncedAhead() : null;
  }

  open(): void {
    this.#file = openSync(this.#path, 'wx', 0o600);
    this.#append(this.#header);
  }

  write(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; at += sliceBytes) this.#writeSlice(bytes.subarray(at, at + sliceBytes));
  }

  seal(hashes: EarlyHashes): Promise<ContainerFacts> {
    this.#sealing = this.#seal(hashes);
    return this.#sealing;
  }

  /** Leaves no file. May be called at any time; waits for what the disk is still doing with it. */
  async discard(): Promise<void> {
    await Promise.allSettled([this.#sync?.idle(), this.#sealing]);
    this.#close();
    rmSync(this.#path, { force: true });
  }

  async #seal(hashes: EarlyHashes): Promise<ContainerFacts> {
    const facts = { ...hashes, sha256: this.#sha256.digest('hex'), sizeBytes: this.#sizeBytes };
    this.#append(encodeTrailer(this.#header, this.#cipher, facts));
    await this.#sync?.finish(this.#opened());
    this.#close();
    return facts;
  }

  #writeSlice(slice: Uint8Array): void {
    this.#sha256.update(slice);
    this.#sizeBytes += slice.length;
    const encrypted = this.#cipher.update(slice);
    this.#append(encrypted);
    releaseBytes(encrypted);
    this.#sync?.wrote(this.#opened(), slice.length);
  }

  #append(bytes: Uint8Array): void {
    for (let done = 0; done < bytes.length;) done += writeSync(this.#opened(), bytes, done);
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
