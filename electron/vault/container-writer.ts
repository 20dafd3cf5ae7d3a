import { createHash, type Cipheriv, type Hash } from 'node:crypto';
import { closeSync, fdatasync, fsync, openSync, rmSync, writeSync } from 'node:fs';
import { promisify } from 'node:util';
import type { EarlyHashes } from './sealer.ts';
import { releaseBytes } from '../../shared/release-bytes.ts';
import { encodeTrailer, encryptBody, newHeader, type ContainerFacts } from './container.ts';

/** What stays in a processor's cache from the first hash to the disk: a third less work than a megabyte at a time. */
const sliceBytes = 128 * 1024;
/** Written before the disk is asked to begin: what it has then taken need not be waited for at the end. */
const syncEveryBytes = 64 * 1024 * 1024;
const syncData = promisify(fdatasync);
const syncAll = promisify(fsync);

/**
 * Writes one container with calls that block, but for those that wait for the disk: for a worker only. The file is inert from its first byte on, since the
 * header comes first and nothing but ciphertext follows. MD5 and SHA-1 are made elsewhere and handed in at the end.
 */
export class ContainerWriter {
  readonly #path: string;
  readonly #durable: boolean;
  readonly #header = newHeader();
  readonly #cipher: Cipheriv = encryptBody(this.#header);
  readonly #sha256: Hash = createHash('sha256');
  #file: number | null = null;
  #sizeBytes = 0;
  #unsyncedBytes = 0;
  /** The sync under way. Its failure is the sample's: an error told once is not told again by a later sync. */
  #syncing: Promise<void> | null = null;
  #syncError: Error | null = null;
  #sealing: Promise<ContainerFacts> | null = null;

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

  seal(hashes: EarlyHashes): Promise<ContainerFacts> {
    this.#sealing = this.#seal(hashes);
    return this.#sealing;
  }

  /** Leaves no file. May be called at any time; waits for what the disk is still doing with it. */
  async discard(): Promise<void> {
    await Promise.allSettled([this.#syncing, this.#sealing]);
    this.#close();
    rmSync(this.#path, { force: true });
  }

  async #seal(hashes: EarlyHashes): Promise<ContainerFacts> {
    const facts = { ...hashes, sha256: this.#sha256.digest('hex'), sizeBytes: this.#sizeBytes };
    this.#append(encodeTrailer(this.#header, facts));
    await this.#syncing;
    if (this.#syncError) throw this.#syncError;
    if (this.#durable) await syncAll(this.#opened());
    this.#close();
    return facts;
  }

  #writeSlice(slice: Uint8Array): void {
    this.#sha256.update(slice);
    this.#sizeBytes += slice.length;
    const encrypted = this.#cipher.update(slice);
    this.#append(encrypted);
    releaseBytes(encrypted);
    this.#unsyncedBytes += slice.length;
    if (this.#durable && this.#unsyncedBytes >= syncEveryBytes && this.#syncing === null) this.#beginSync();
  }

  #beginSync(): void {
    this.#unsyncedBytes = 0;
    this.#syncing = syncData(this.#opened())
      .catch((error: unknown) => { this.#syncError ??= error instanceof Error ? error : new Error('fdatasync', { cause: error }); })
      .finally(() => { this.#syncing = null; });
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
