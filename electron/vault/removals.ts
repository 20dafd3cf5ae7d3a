import { Mutex } from '../../shared/mutex.ts';

/**
 * Removes samples, one after the other. Bytes that arrive again are a new sample, and stay, from the turn in which they
 * become known; a removal requested while they arrive waits for that.
 */
export class Removals {
  readonly #meant = new Set<string>();
  readonly #running = new Map<string, Promise<void>>();
  readonly #arriving = new Map<string, Set<Promise<void>>>();
  readonly #mutex = new Mutex();

  /** What was said to be here again before its turn comes is spared. Rejects as `remove` does. */
  run(sha256: string, remove: () => Promise<void>): Promise<void> {
    this.#meant.add(sha256);
    return this.#mutex.run(() => this.#turn(sha256, remove));
  }

  /** To be called in the turn in which these bytes become known: a removal requested earlier concerned older ones. */
  spare(sha256: string): void {
    this.#meant.delete(sha256);
  }

  /**
   * These bytes come again. Resolves when nothing of the older ones is being removed. @returns what is to be called
   * when they are known, or did not come
   */
  async arrive(sha256s: readonly string[]): Promise<() => void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    for (const sha256 of sha256s) this.#arriving.set(sha256, (this.#arriving.get(sha256) ?? new Set()).add(promise));
    for (const sha256 of sha256s) await this.#running.get(sha256)?.catch(() => {});
    return () => {
      for (const sha256 of sha256s) this.#arrived(sha256, promise);
      resolve();
    };
  }

  #arrived(sha256: string, promise: Promise<void>): void {
    const others = this.#arriving.get(sha256);
    others?.delete(promise);
    if (others?.size === 0) this.#arriving.delete(sha256);
  }

  async #turn(sha256: string, remove: () => Promise<void>): Promise<void> {
    for (
      let others = this.#arriving.get(sha256);
      others && this.#meant.has(sha256);
      others = this.#arriving.get(sha256)
    )
      await Promise.all(others);
    if (!this.#meant.delete(sha256)) return;
    const running = remove();
    this.#running.set(sha256, running);
    await running.finally(() => this.#running.delete(sha256));
  }
}
