import type { Cipheriv } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { fail, FailureError } from '../../shared/failure.ts';
import { decryptBodyFrom, encryptBody, headerBytes, newHeader } from './container/container.ts';
import { throwReadFailure, throwWriteFailure } from './disk-failures.ts';
import { removeUnfinished } from './vault-folder.ts';

/** What was spooled, to be read at any place. */
export interface SpooledBytes {
  readonly sizeBytes: number;
  /** Fewer than asked for only at the end. @throws FailureError `disk-failed`, or `cancelled` once it was discarded */
  read(position: number, length: number): Promise<Uint8Array>;
}

/**
 * Bytes that are read at any position and needed only for a while, such as an archive: on disk, stored encrypted like a
 * sample.
 */
export interface Spool {
  /**
   * Await each call before the next. The chunk may be used again once the call has resolved. @throws FailureError as a
   * write does
   */
  write(chunk: Uint8Array): Promise<void>;
  /** Ends the writing. */
  finish(): Promise<SpooledBytes>;
  /** Leaves no file. May be called at any time and more than once. */
  discard(): Promise<void>;
}

export interface SpoolTarget {
  /** Nothing is there yet. */
  path: string;
  /** The folder a disk failure names to the person. */
  shownPath: string;
}

/** @throws FailureError as a write does */
export async function openSpool(target: SpoolTarget): Promise<Spool> {
  const header = newHeader();
  const handle = await open(target.path, 'wx+', 0o600).catch((error: unknown) =>
    throwWriteFailure(error, target.shownPath),
  );
  const spool = new FileSpool(target, handle, header);
  await spool.begin();
  return spool;
}

/** A container's header and body; it never gets a trailer, since nothing of it outlives the program. */
class FileSpool implements Spool, SpooledBytes {
  readonly #target: SpoolTarget;
  readonly #handle: FileHandle;
  readonly #header: Buffer;
  readonly #cipher: Cipheriv;
  #sizeBytes = 0;
  #discarded: Promise<void> | null = null;

  constructor(target: SpoolTarget, handle: FileHandle, header: Buffer) {
    this.#target = target;
    this.#handle = handle;
    this.#header = header;
    this.#cipher = encryptBody(header);
  }

  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  async begin(): Promise<void> {
    await this.#put(this.#header, 0);
  }

  async write(chunk: Uint8Array): Promise<void> {
    this.#requireOpen();
    await this.#put(this.#cipher.update(chunk), headerBytes + this.#sizeBytes);
    this.#sizeBytes += chunk.length;
  }

  async finish(): Promise<SpooledBytes> {
    this.#requireOpen();
    return this;
  }

  async read(position: number, length: number): Promise<Uint8Array> {
    this.#requireOpen();
    const bytes = Buffer.allocUnsafe(Math.max(0, Math.min(length, this.#sizeBytes - position)));
    await this.#fill(bytes, headerBytes + position).catch((error: unknown) => this.#throwReading(error));
    return decryptBodyFrom(this.#header, position, bytes);
  }

  discard(): Promise<void> {
    this.#discarded ??= this.#discard();
    return this.#discarded;
  }

  async #discard(): Promise<void> {
    await this.#handle.close();
    await removeUnfinished(this.#target.path);
  }

  async #put(bytes: Uint8Array, position: number): Promise<void> {
    try {
      for (let done = 0; done < bytes.length;)
        done += (await this.#handle.write(bytes, done, bytes.length - done, position + done)).bytesWritten;
    } catch (error) {
      const wasDiscarded = this.#discarded !== null;
      await this.discard();
      if (wasDiscarded) fail({ kind: 'cancelled' }, error);
      throwWriteFailure(error, this.#target.shownPath);
    }
  }

  async #fill(bytes: Uint8Array, position: number): Promise<void> {
    for (let done = 0; done < bytes.length;) {
      const { bytesRead } = await this.#handle.read(bytes, done, bytes.length - done, position + done);
      if (bytesRead === 0) fail({ kind: 'disk-failed', path: this.#target.shownPath, code: 'EIO' });
      done += bytesRead;
    }
  }

  #throwReading(error: unknown): never {
    if (this.#discarded !== null) fail({ kind: 'cancelled' }, error);
    throwReadFailure(error, this.#target.shownPath);
  }

  #requireOpen(): void {
    if (this.#discarded !== null) throw new FailureError({ kind: 'cancelled' });
  }
}
