/** Where requests wait until a test releases them. */
export class ReplyGate {
  readonly #waiting = new Set<() => void>();
  #reached = Promise.withResolvers<void>();

  /** Resolves when a request waits. */
  async holding(): Promise<void> {
    await this.#reached.promise;
  }

  /** Lets everything go that waits now. */
  release(): void {
    for (const go of this.#waiting) go();
    this.#waiting.clear();
    this.#reached = Promise.withResolvers();
  }

  async wait(): Promise<void> {
    const released = Promise.withResolvers<void>();
    this.#waiting.add(() => released.resolve());
    this.#reached.resolve();
    await released.promise;
  }
}
