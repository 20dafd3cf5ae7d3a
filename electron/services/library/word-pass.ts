import { setTimeout as rest } from 'node:timers/promises';
import type { IndexUpkeep } from '../../storage/library/library-index.ts';
import { StepSize } from './step-size.ts';

export interface WordPassOptions {
  upkeep: Pick<IndexUpkeep, 'step'>;
  /** The person's own work comes first. */
  isBusy(): boolean;
  logDefect(error: unknown): void;
}

const numbersAStep = 200;
/** A step takes some milliseconds: the host is free for most of the time. */
const restMs = 40;

/**
 * Processes what is left for `IndexUpkeep` while nothing else is to be done. Interrupted, it resumes at the next start.
 */
export class WordPass {
  readonly #options: WordPassOptions;
  readonly #end = new AbortController();
  #running: Promise<void> = Promise.resolve();

  constructor(options: WordPassOptions) {
    this.#options = options;
  }

  /** To be called once. @returns when it is through, or closed */
  start(): Promise<void> {
    this.#running = this.#run();
    return this.#running;
  }

  /** Resolves when nothing is written any more. */
  async close(): Promise<void> {
    this.#end.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { isBusy, logDefect } = this.#options;
    const size = new StepSize(numbersAStep);
    try {
      while (isBusy() || this.#step(size)) await rest(restMs, undefined, { signal: this.#end.signal, ref: false });
    } catch (error) {
      if (!this.#end.signal.aborted) logDefect(error);
    }
  }

  #step(size: StepSize): boolean {
    return size.step(() => this.#options.upkeep.step(size.now));
  }
}
