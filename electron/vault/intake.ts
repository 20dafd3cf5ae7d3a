import { fail, FailureError } from '../../shared/failure.ts';
import type { ContainerFacts } from './container/container.ts';
import { type HashCandidates, type OpenSealer, type Sealer, type SealTarget, SmallSealer } from './sealing/sealer.ts';

/** What the bytes must be, in lower-case hex; null where nothing is known. */
export interface Expected {
  md5: string | null;
  sha256: string | null;
}

/** One sample, or any of several: the bytes say which. */
export type Expectation = Expected | readonly Expected[];

const allOf = (expectation: Expectation): readonly Expected[] => ('md5' in expectation ? [expectation] : expectation);

/** What bytes with this MD5 must be; undefined when they are not what was expected. */
export const expectedWith = (md5: string, expectation: Expectation): Expected | undefined =>
  allOf(expectation).find((one) => one.md5 === null || one.md5 === md5);

/** The first hash that was expected, for failures. */
export function expectedName(expectation: Expectation): string {
  const [first] = allOf(expectation);
  return first?.md5 ?? first?.sha256 ?? '';
}

export interface SealedSample extends ContainerFacts {
  /** Two bytes `{}` that were not the sample's followed it and were left out (docs/services.md, "downloadfile"). */
  droppedStrayBytes: boolean;
}

/** A sample up to this size is held until it is whole; a larger one flows through the workers. */
const heldBytes = 256 * 1024;
const stray = Buffer.from('{}', 'latin1');

/**
 * Takes bytes as they arrive and makes one verified container of them. The last two bytes are always held back, so that
 * a server's stray `{}` can be distinguished from a sample that ends that way, and left out, without reading twice.
 */
export class Intake {
  readonly #target: SealTarget;
  readonly #openSealer: OpenSealer;
  #sealer: Sealer | null = null;
  #batch = new Uint8Array(heldBytes);
  #filled = 0;
  #sizeBytes = 0;
  /** Why nothing more is taken; null while it is. */
  #ended: Error | null = null;

  constructor(target: SealTarget, openSealer: OpenSealer) {
    this.#target = target;
    this.#openSealer = openSealer;
  }

  /** Copies the chunk. Await each call before the next: that is what keeps memory bounded. */
  async write(chunk: Uint8Array): Promise<void> {
    this.#requireOpen();
    for (let taken = 0; taken < chunk.length;) {
      if (this.#filled === this.#batch.length) await this.#orDiscard(this.#passOn());
      const piece = chunk.subarray(taken, taken + this.#batch.length - this.#filled);
      this.#batch.set(piece, this.#filled);
      this.#filled += piece.length;
      taken += piece.length;
    }
    this.#sizeBytes += chunk.length;
  }

  /** @throws FailureError `wrong-bytes`, `sha256-contradicts`, or what the disk said; no file is left then */
  async finish(expected: Expectation): Promise<SealedSample> {
    this.#requireOpen();
    const sealed = await this.#orDiscard(this.#verify(expected));
    if (this.#ended) await this.#discardSealed(this.#ended);
    this.#ended = new Error('this sample is finished');
    return sealed;
  }

  /** Leaves no file. May be called at any time and more than once. */
  async abort(): Promise<void> {
    await this.#end(new FailureError({ kind: 'cancelled' }));
  }

  async #verify(expected: Expectation): Promise<SealedSample> {
    const sealer = (this.#sealer ??= new SmallSealer(this.#target));
    const tail = this.#takeTail();
    await sealer.write(this.#batch.subarray(0, this.#filled));
    const candidates = await sealer.digest(tail);
    const droppedStrayBytes = this.#hasStrayBytes(candidates, tail, expected);
    const facts = droppedStrayBytes
      ? await sealer.seal(new Uint8Array(0), candidates.withoutTail)
      : await sealer.seal(tail, candidates.whole);
    const recordedSha256 = expectedWith(facts.md5, expected)?.sha256 ?? null;
    if (recordedSha256 !== null && recordedSha256 !== facts.sha256) {
      fail({ kind: 'sha256-contradicts', md5: facts.md5, recordedSha256, actualSha256: facts.sha256 });
    }
    return { ...facts, droppedStrayBytes };
  }

  #hasStrayBytes({ whole, withoutTail }: HashCandidates, tail: Uint8Array, expected: Expectation): boolean {
    if (expectedWith(whole.md5, expected) !== undefined) return false;
    if (expectedWith(withoutTail.md5, expected) !== undefined && stray.equals(tail)) return true;
    return fail({ kind: 'wrong-bytes', md5: expectedName(expected), actualMd5: whole.md5, sizeBytes: this.#sizeBytes });
  }

  /** Hands the full batch on, but for its last two bytes: they begin the next one. */
  async #passOn(): Promise<void> {
    const sealer = (this.#sealer ??= this.#openSealer(this.#target));
    const tail = this.#takeTail();
    this.#batch = await sealer.write(this.#batch.subarray(0, this.#filled));
    this.#batch.set(tail);
    this.#filled = tail.length;
  }

  #takeTail(): Uint8Array {
    const start = Math.max(0, this.#filled - stray.length);
    const tail = this.#batch.slice(start, this.#filled);
    this.#filled = start;
    return tail;
  }

  async #orDiscard<T>(work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      await this.#end(error instanceof Error ? error : new Error('not an error', { cause: error }));
      throw error;
    }
  }

  async #end(reason: Error): Promise<void> {
    if (this.#ended) return;
    this.#ended = reason;
    await this.#sealer?.discard();
  }

  /** Aborted while the disk was at work: what it wrote goes again. */
  async #discardSealed(reason: Error): Promise<never> {
    await this.#sealer?.discard();
    throw reason;
  }

  #requireOpen(): void {
    if (this.#ended) throw this.#ended;
  }
}
