import { syncFile } from '../base/files.ts';

/** The threads that wait for the disk are four for the whole process: others need them too. */
const atOnce = 2;

/** Asks the disk to take finished files, two at a time, while others are still being written. */
export class BackgroundSyncs {
  readonly #queue: (() => void)[] = [];
  #running = 0;

  /** Resolves when it is durable, or with the error: whoever needs the file asks then, or never. */
  async sync(path: string): Promise<{ error: unknown } | null> {
    if (this.#running >= atOnce)
      await new Promise<void>((resolve) => {
        this.#queue.push(resolve);
      });
    else this.#running += 1;
    try {
      await syncFile(path);
      return null;
    } catch (error) {
      return { error };
    } finally {
      const next = this.#queue.shift();
      if (next) next();
      else this.#running -= 1;
    }
  }
}
