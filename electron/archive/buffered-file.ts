import { closeSync, ftruncateSync, openSync, rmSync, writeSync } from 'node:fs';
import { SyncedAhead } from '../disk/synced-ahead.ts';

const heldBytes = 256 * 1024;

/**
 * A new file that small writes are gathered for, and that can be taken back to an earlier length. Its calls block,
 * but for those that wait for the disk: for a worker only. Every error is the system's.
 */
export class BufferedFile {
  readonly path: string;
  readonly #sync: SyncedAhead | null;
  readonly #held = Buffer.allocUnsafeSlow(heldBytes);
  #file: number | null;
  #heldLength = 0;
  #writtenBytes = 0;

  /** `durable`: what is finished outlives a power cut. */
  constructor(path: string, durable: boolean) {
    this.path = path;
    this.#sync = durable ? new SyncedAhead() : null;
    this.#file = openSync(path, 'wx', 0o600);
  }

  get length(): number {
    return this.#writtenBytes + this.#heldLength;
  }

  write(bytes: Uint8Array): void {
    if (this.#heldLength + bytes.length > heldBytes) this.#flush();
    if (bytes.length > heldBytes) return this.#writeWhole(bytes);
    this.#held.set(bytes, this.#heldLength);
    this.#heldLength += bytes.length;
  }

  /** Forgets what was written behind this length. */
  cutTo(length: number): void {
    this.#heldLength = Math.max(0, length - this.#writtenBytes);
    if (length >= this.#writtenBytes) return;
    ftruncateSync(this.#opened(), length);
    this.#writtenBytes = length;
  }

  async finish(): Promise<void> {
    this.#flush();
    await this.#sync?.finish(this.#opened());
    this.#close();
  }

  async remove(): Promise<void> {
    await this.#sync?.idle();
    this.#close();
    rmSync(this.path, { force: true });
  }

  #flush(): void {
    const held = this.#held.subarray(0, this.#heldLength);
    this.#heldLength = 0;
    this.#writeWhole(held);
  }

  #writeWhole(bytes: Uint8Array): void {
    for (let done = 0; done < bytes.length; ) {
      const count = writeSync(this.#opened(), bytes, done, bytes.length - done, this.#writtenBytes);
      done += count;
      this.#writtenBytes += count;
    }
    this.#sync?.wrote(this.#opened(), bytes.length);
  }

  #opened(): number {
    if (this.#file === null) throw new Error('this file is not open');
    return this.#file;
  }

  #close(): void {
    const file = this.#file;
    this.#file = null;
    if (file !== null) closeSync(file);
  }
}
