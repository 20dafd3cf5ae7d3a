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
