import { createHash, type Hash, hash } from 'node:crypto';

/**
 * A container up to this size is one PUT. It is also the size of the parts of a larger one: the smallest that S3 takes,
 * since each upload holds one in memory.
 */
export const partBytes = 5 * 1024 * 1024;
/** S3 takes 10,000 parts: some 48 GiB. */
export const objectBytesAtMost = 10_000 * partBytes;
/** Most samples are not larger. For them no memory of a whole part is taken. */
const smallBytes = 64 * 1024;
/** How much memory is kept for later uploads, in parts. Fresh memory costs the system as much as filling it. */
const idleAtMost = 4;
/** Up to so many uploads at once have a second part, which one fills while the first is sent. */
const uploadsWithSecond = 4;

/** Memory for the parts of uploads, used again and again. */
export class PartBuffers {
  readonly #idle: Buffer[] = [];
  readonly #parts = new Set<Part>();

  /** Until `leave`. What has begun will need memory, even if it has none yet. */
  join(part: Part): void {
    this.#parts.add(part);
  }

  leave(part: Part): void {
    this.#parts.delete(part);
  }

  take(): Buffer {
    return this.#idle.pop() ?? Buffer.allocUnsafeSlow(partBytes);
  }

  /** For a part that has one. Null where there are many uploads, which must not take twice the memory. */
  takeSecond(): Buffer | null {
    return this.#parts.size <= uploadsWithSecond ? this.take() : null;
  }

  giveBack(buffer: Buffer): void {
    if (this.#idle.length < idleAtMost) this.#idle.push(buffer);
  }
}

/** The bytes of a part on their way to the store. */
export interface TakenPart {
  body: Uint8Array;
  md5: Buffer;
  /** There is no memory besides: nothing may be added to the part before this is sent. */
  blocksNext: boolean;
  /** To be called once, when `body` is no longer read. */
  sent: () => void;
}

/** What gathers until it is sent: up to `partBytes`. */
export class Part {
  readonly #buffers: PartBuffers;
  #small: Uint8Array[] = [];
  #large: { buffer: Buffer; md5: Hash } | null = null;
  #sizeBytes = 0;

  constructor(buffers: PartBuffers) {
    this.#buffers = buffers;
    buffers.join(this);
  }

  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  /** The bytes must not change afterwards. @returns how many of them there was space for */
  add(bytes: Uint8Array): number {
    if (this.#large === null && this.#sizeBytes + bytes.length <= smallBytes) {
      this.#small.push(bytes);
      this.#sizeBytes += bytes.length;
      return bytes.length;
    }
    return this.#addToLarge(bytes);
  }

  /** What has gathered, and its MD5. Then the part is empty. `isLast`: nothing is added any more. */
  take({ isLast }: { isLast: boolean }): TakenPart {
    const sizeBytes = this.#sizeBytes;
    this.#sizeBytes = 0;
    if (this.#large === null) {
      const body = Buffer.concat(this.#small);
      this.#small = [];
      return { body, md5: hash('md5', body, 'buffer'), blocksNext: false, sent: () => {} };
    }
    const { buffer, md5 } = this.#large;
    const second = isLast ? null : this.#buffers.takeSecond();
    this.#large = { buffer: second ?? buffer, md5: createHash('md5') };
    const sent = (): void => (second === null ? undefined : this.#buffers.giveBack(buffer));
    return { body: buffer.subarray(0, sizeBytes), md5: md5.digest(), blocksNext: second === null, sent };
  }

  /** What was taken must not be read from here on. */
  release(): void {
    this.#buffers.leave(this);
    if (this.#large !== null) this.#buffers.giveBack(this.#large.buffer);
    this.#large = null;
    this.#small = [];
    this.#sizeBytes = 0;
  }

  #addToLarge(bytes: Uint8Array): number {
    if (this.#large === null) {
      this.#large = { buffer: this.#buffers.take(), md5: createHash('md5') };
      const gathered = this.#small;
      this.#small = [];
      this.#sizeBytes = 0;
      for (const earlier of gathered) this.#addToLarge(earlier);
    }
    const { buffer, md5 } = this.#large;
    const taken = bytes.subarray(0, partBytes - this.#sizeBytes);
    buffer.set(taken, this.#sizeBytes);
    md5.update(taken);
    this.#sizeBytes += taken.length;
    return taken.length;
  }
}
