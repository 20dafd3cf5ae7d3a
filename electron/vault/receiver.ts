import type { Expectation } from './expectation.ts';
import type { Intake, SealedSample } from './intake.ts';
import type { StoredSample } from './stored-sample.ts';
import type { ArrivedSample, SampleReceiver } from './vault.ts';
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
   * `path` is where the intake writes, `moveIn` what gives that file its name or removes it, `ended` is told when
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
    const { stored, told } = await this.#keep();
    told(true);
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
