import type { Timing } from '../../api/limits.ts';

/** The pause of a loop that can be woken. */
export class Wake {
  readonly #timing: Pick<Timing, 'sleep'>;
  #isUp = false;
  #call: (() => void) | null = null;

  constructor(timing: Pick<Timing, 'sleep'>) {
    this.#timing = timing;
  }

  up(): void {
    this.#isUp = true;
    this.#call?.();
  }

  /**
   * So many milliseconds; no more than `afterCall` once it was woken, which it may have been before. Rejects with the
   * signal's reason.
   */
  async rest(milliseconds: number, afterCall: number, signal: AbortSignal): Promise<void> {
    if (!this.#isUp) await this.#called(milliseconds, signal);
    if (!this.#isUp) return;
    this.#isUp = false;
    await this.#timing.sleep(afterCall, signal);
  }

  async #called(milliseconds: number, signal: AbortSignal): Promise<void> {
    const called = new AbortController();
    this.#call = () => called.abort();
    try {
      await this.#timing.sleep(milliseconds, AbortSignal.any([signal, called.signal]));
    } catch (error) {
      signal.throwIfAborted();
      if (!called.signal.aborted) throw error;
    } finally {
      this.#call = null;
    }
  }
}
