import { type ProcessorUse, processorUse, type SystemThread } from './processor-use.ts';

/**
 * Of the time that passes, this much always counts: a scan worker that hardly gets a processor is not waited for
 * without end.
 */
const leastShare = 1 / 4;

/**
 * The time of a scan worker. While it wants a processor, only its processor time counts: its priority is low, and on a
 * busy computer it may get next to none, which shows nothing about its file. Where the system does not report on
 * threads, all elapsed time counts.
 */
export class WorkerClock {
  readonly #useOf: (thread: SystemThread) => ProcessorUse | null;
  #thread: SystemThread | null = null;
  #ranMs = 0;

  constructor(useOf = processorUse) {
    this.#useOf = useOf;
  }

  /** From now on it goes by what this thread has. */
  follow(thread: SystemThread | null): void {
    this.#thread = thread;
    this.#ranMs = this.#use()?.ranMs ?? 0;
  }

  /** How much of the time since it was last asked counts. */
  counted(passedMs: number): number {
    const use = this.#use();
    if (use === null) return passedMs;
    const ranMs = use.ranMs - this.#ranMs;
    this.#ranMs = use.ranMs;
    return use.wantsOne ? Math.min(passedMs, Math.max(ranMs, passedMs * leastShare)) : passedMs;
  }

  #use(): ProcessorUse | null {
    return this.#thread === null ? null : this.#useOf(this.#thread);
  }
}
