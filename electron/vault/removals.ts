/**
 * Samples that are to be removed, one after the other. Bytes that come again before their turn are those of somebody else, and stay; bytes
 * that come while older ones are being removed wait for that.
 */
export class Removals {
  readonly #meant = new Set<string>();
  readonly #running = new Map<string, Promise<void>>();
  #last: Promise<void> = Promise.resolve();

  /** What comes again after this call is spared, also while it waits for its turn. Rejects as `remove` does. */
  run(sha256: string, remove: () => Promise<void>): Promise<void> {
    this.#meant.add(sha256);
    const removed = this.#last.then(() => this.#turn(sha256, remove));
    this.#last = removed.catch(() => {});
    return removed;
  }

  /** These bytes have come again. Resolves when nothing of the older ones is being removed. */
  async spare(sha256: string): Promise<void> {
    this.#meant.delete(sha256);
    await this.#running.get(sha256)?.catch(() => {});
  }

  async #turn(sha256: string, remove: () => Promise<void>): Promise<void> {
    if (!this.#meant.delete(sha256)) return;
    const running = remove();
    this.#running.set(sha256, running);
    await running.finally(() => this.#running.delete(sha256));
  }
}
