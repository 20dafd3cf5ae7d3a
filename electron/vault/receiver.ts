import type { Hashes } from '../../shared/domain/hash.ts';
import type { Expectation, Intake, SealedSample } from './intake.ts';
import { removeUnfinished } from './vault-folder.ts';

/** One sample on its way into a vault: an intake, then a sealed file that waits for its name. */
export class Receiver implements SampleReceiver {
  readonly #intake: Intake;
  readonly #path: string;
  readonly #moveIn: (sealed: SealedSample) => Promise<ArrivedSample>;
  readonly #ended: () => void;
  #sealed: SealedSample | null = null;
  /** Its file is getting its name, and is no longer this receiver's to remove. */
  #keeping: Promise<ArrivedSample> | null = null;

  /**
   * `path` is where the intake writes, `moveIn` moves that file to its name or removes it, `ended` is called when
   * nothing is left to abort.
   */
  constructor(
    intake: Intake,
    path: string,
    moveIn: (sealed: SealedSample) => Promise<ArrivedSample>,
    ended: () => void,
  ) {
    this.#intake = intake;
    this.#path = path;
    this.#moveIn = moveIn;
    this.#ended = ended;
  }

  write(chunk: Uint8Array): Promise<void> {
    return this.#intake.write(chunk);
  }

  async seal(expected: Expectation): Promise<SealedSample> {
    try {
      this.#sealed = await this.#intake.finish(expected);
      return this.#sealed;
    } catch (error) {
      this.#ended();
      throw error;
    }
  }

  async keep(): Promise<StoredSample> {
    const { stored, announced } = await this.#keep();
    announced(true);
    return stored;
  }

  async arrive(expected: Expectation): Promise<ArrivedSample> {
    await this.seal(expected);
    return this.#keep();
  }

  async finish(expected: Expectation): Promise<StoredSample> {
    await this.seal(expected);
    return this.keep();
  }

  async abort(): Promise<void> {
    await this.#intake.abort();
    if (this.#sealed !== null) await removeUnfinished(this.#path);
    this.#sealed = null;
    await Promise.allSettled([this.#keeping]);
    this.#ended();
  }

  async #keep(): Promise<ArrivedSample> {
    const sealed = this.#sealed;
    if (sealed === null) throw new Error('this sample is not sealed');
    this.#sealed = null;
    this.#keeping = this.#moveIn(sealed).finally(this.#ended);
    return this.#keeping;
  }
}

export interface StoredSample extends Hashes {
  sizeBytes: number;
  /** Two bytes `{}` that were not the sample's followed it and were left out. */
  droppedStrayBytes: boolean;
  /** The vault had this sample already; its copy was replaced by this one, which heals a damaged one. */
  wasThere: boolean;
}

export interface ArrivedSample {
  stored: StoredSample;
  /**
   * To be called in the turn in which the sample becomes known; with false where it did not become known, in which case
   * later calls have no effect.
   */
  announced(isKnown: boolean): void;
}

export interface SampleReceiver {
  /** Await each call before the next. The chunk may be used again once the call has resolved. */
  write(chunk: Uint8Array): Promise<void>;
  /**
   * Verifies and keeps the sample. An MD5 of null takes it as it is.
   * @throws FailureError `wrong-bytes`, `sha256-contradicts`, `disk-full`, `not-writable`, `disk-failed`,
   * `worker-ended`
   */
  finish(expected: Expectation): Promise<StoredSample>;
  /**
   * As `finish`, for a caller that makes the sample known itself: a requested removal waits until `announced` is
   * called, and then these bytes stay.
   */
  arrive(expected: Expectation): Promise<ArrivedSample>;
  /**
   * The first half of `finish`: verified and durable, but not in the vault, and forgotten by a restart. Throws what
   * `finish` does.
   */
  seal(expected: Expectation): Promise<SealedSample>;
  /** The second half. @throws FailureError `disk-full`, `not-writable`, `disk-failed` */
  keep(): Promise<StoredSample>;
  /** Leaves nothing behind of what is not kept. May be called at any time and more than once, also after a failure. */
  abort(): Promise<void>;
}
