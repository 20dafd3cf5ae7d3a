import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Timing } from '../../api/limits.ts';

interface Sleeper {
  at: number;
  wake(): void;
}

/** Time that passes when a test advances it. */
export class ManualClock implements Timing {
  #now = 1_000_000;
  readonly #sleepers = new Set<Sleeper>();
  #nextSleep = Promise.withResolvers<void>();

  now(): number {
    return this.#now;
  }

  date(): number {
    return Date.UTC(2030, 0, 1) + this.#now;
  }

  random(): number {
    return 0.5;
  }

  sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      const sleeper: Sleeper = { at: this.#now + milliseconds, wake: resolve };
      this.#sleepers.add(sleeper);
      this.#nextSleep.resolve();
      this.#nextSleep = Promise.withResolvers();
      signal.addEventListener(
        'abort',
        () => {
          this.#sleepers.delete(sleeper);
          reject(signal.reason);
        },
        { once: true },
      );
    });
  }

  /** Resolves when what it woke has done its work, and sleeps again. */
  async pass(milliseconds: number): Promise<void> {
    await this.asleep();
    this.#now += milliseconds;
    for (const sleeper of [...this.#sleepers].filter(({ at }) => at <= this.#now)) {
      this.#sleepers.delete(sleeper);
      sleeper.wake();
    }
    await this.asleep();
  }

  /** Waits for a sleeper, and for the end of that turn: to poll would take the processor from what is waited for. */
  async asleep(): Promise<void> {
    while (this.#sleepers.size === 0) {
      await this.#nextSleep.promise;
      await nextTurn();
    }
  }
}
