import { fail } from '../../../shared/failure.ts';
import { throwWriteFailure } from '../disk-failures.ts';
import { Intake } from '../intake.ts';
import { openSealingLanes, type SealingLanes } from '../sealing/sealing-lanes.ts';
import { newId, removeUnfinished, unfinishedPath } from '../vault-folder.ts';

/** A package is named by what came, whatever it should have been. */
const anything = { md5: null, sha256: null };

/**
 * One package on its way in. A small one is sealed where it arrives; a large one flows through two threads, which end
 * with it: packages come once a day, and idle threads would hold their memory meanwhile.
 */
export class PackageArrival {
  readonly #directory: string;
  readonly #path: string;
  readonly #moveIn: (path: string, sha256: string) => Promise<void>;
  readonly #lanes: SealingLanes = openSealingLanes();
  readonly #intake: Intake;
  #ending: Promise<unknown> = Promise.resolve();

  /** `moveIn` gives a finished file its name. */
  constructor(directory: string, moveIn: (path: string, sha256: string) => Promise<void>) {
    this.#directory = directory;
    this.#path = unfinishedPath(directory, newId());
    this.#moveIn = moveIn;
    this.#intake = new Intake({ path: this.#path, shownPath: directory, durable: true }, (target) =>
      this.#lanes.openSealer(target),
    );
  }

  /** To be called once. Leaves no file when it throws. */
  async take(bytes: AsyncIterable<Uint8Array>, atMostBytes: number): Promise<{ sha256: string; sizeBytes: number }> {
    try {
      await this.#takeAll(bytes, atMostBytes);
      const ending = this.#finish();
      this.#ending = Promise.allSettled([ending]);
      return await ending;
    } finally {
      await this.abort();
    }
  }

  /** Resolves when nothing of it is under way any more. What is finished by then stays. */
  async abort(): Promise<void> {
    await this.#intake.abort();
    await this.#ending;
    await this.#lanes.close();
  }

  async #takeAll(bytes: AsyncIterable<Uint8Array>, atMostBytes: number): Promise<void> {
    let sizeBytes = 0;
    for await (const chunk of bytes) {
      sizeBytes += chunk.length;
      if (sizeBytes > atMostBytes) fail({ kind: 'package-too-large', limitBytes: atMostBytes });
      await this.#intake.write(chunk);
    }
  }

  async #finish(): Promise<{ sha256: string; sizeBytes: number }> {
    const { sha256, sizeBytes } = await this.#intake.finish(anything);
    try {
      await this.#moveIn(this.#path, sha256);
    } catch (error) {
      await removeUnfinished(this.#path);
      throwWriteFailure(error, this.#directory);
    }
    return { sha256, sizeBytes };
  }
}
