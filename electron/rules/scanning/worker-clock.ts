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

const tickMs = 50;

/**
 * Calls once when no sign came for longer than is allowed. It adds up what passed between its ticks, and a long pause
 * counts as two of them: a computer that slept, or a thread that was busy, is not the fault of what is watched.
 * `counted`: how much of what passed since the last tick counts.
 */
export class SilenceWatch {
  readonly #timer: NodeJS.Timeout;
  readonly #signs: Int32Array<SharedArrayBuffer>;
  readonly #allowedMs: (piece: number) => number;
  readonly #onSilence: () => void;
  readonly #counted: (passedMs: number) => number;
  #last = performance.now();
  #heard: number;
  #silentMs = 0;

  constructor(
    signs: Int32Array<SharedArrayBuffer>,
    allowedMs: (piece: number) => number,
    onSilence: () => void,
    counted = (passedMs: number): number => passedMs,
  ) {
    this.#signs = signs;
    this.#allowedMs = allowedMs;
    this.#onSilence = onSilence;
    this.#counted = counted;
    this.#heard = Atomics.load(signs, 0);
    this.#timer = setInterval(() => this.#tick(), tickMs);
  }

  end(): void {
    clearInterval(this.#timer);
  }

  #tick(): void {
    const now = performance.now();
    this.#silentMs += this.#counted(Math.min(now - this.#last, 2 * tickMs));
    this.#last = now;
    const heard = Atomics.load(this.#signs, 0);
    if (heard !== this.#heard) this.#silentMs = 0;
    this.#heard = heard;
    if (this.#silentMs <= this.#allowedMs(Atomics.load(this.#signs, 1))) return;
    this.end();
    this.#onSilence();
  }
}
