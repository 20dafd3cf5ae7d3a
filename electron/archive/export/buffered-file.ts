import { closeSync, ftruncateSync, openSync, rmSync, writeSync } from 'node:fs';
import { SyncedAhead } from '../../base/files.ts';

const heldBytes = 64 * 1024;

export interface FileTarget {
  path: string;
  /** What is finished outlives a power cut. */
  durable: boolean;
  /** It must not be there yet; else it must. */
  isNew: boolean;
}

/**
 * A file that small writes are gathered for. Its calls block, but for those that wait for the disk: for a worker only.
 * Every error is the system's.
 */
export class BufferedFile {
  readonly path: string;
  readonly #sync: SyncedAhead | null;
  readonly #held = Buffer.allocUnsafeSlow(heldBytes);
  #file: number | null;
  #heldLength = 0;
  #writtenUpTo = 0;

  constructor({ path, durable, isNew }: FileTarget) {
    this.path = path;
    this.#sync = durable ? new SyncedAhead() : null;
    this.#file = openSync(path, isNew ? 'wx' : 'r+', 0o600);
  }

  /** Where the next byte goes. */
  get position(): number {
    return this.#writtenUpTo + this.#heldLength;
  }

  moveTo(position: number): void {
    if (position === this.position) return;
    this.flush();
    this.#writtenUpTo = position;
  }

  write(bytes: Uint8Array): void {
    if (this.#heldLength + bytes.length > heldBytes) this.flush();
    if (bytes.length > heldBytes) return this.#writeWhole(bytes);
    this.#held.set(bytes, this.#heldLength);
    this.#heldLength += bytes.length;
  }

  /** Keeps nothing that would be written later. */
  flush(): void {
    const held = this.#held.subarray(0, this.#heldLength);
    this.#heldLength = 0;
    this.#writeWhole(held);
  }

  /** The file ends where the next byte would go. */
  cut(): void {
    this.flush();
    ftruncateSync(this.#opened(), this.#writtenUpTo);
  }

  async finish(): Promise<void> {
    this.flush();
    await this.#sync?.finish(this.#opened());
    this.#close();
  }

  async remove(): Promise<void> {
    await this.#sync?.idle();
    this.#close();
    rmSync(this.path, { force: true });
  }

  #writeWhole(bytes: Uint8Array): void {
    for (let done = 0; done < bytes.length;) {
      const count = writeSync(this.#opened(), bytes, done, bytes.length - done, this.#writtenUpTo);
      done += count;
      this.#writtenUpTo += count;
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
