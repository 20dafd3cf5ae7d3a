/** Messages that wait for whoever takes them one by one. */
export class Inbox<T> {
  readonly #held: T[] = [];
  #waiting: PromiseWithResolvers<T> | null = null;
  #failed: { error: unknown } | null = null;

  push(message: T): void {
    if (this.#waiting === null) this.#held.push(message);
    else this.#waiting.resolve(message);
    this.#waiting = null;
  }

  /** What is held is still given out; whoever waits for more is told this. */
  fail(error: unknown): void {
    this.#failed ??= { error };
    this.#waiting?.reject(error);
    this.#waiting = null;
  }

  async next(): Promise<T> {
    const held = this.#held.shift();
    if (held !== undefined) return held;
    if (this.#failed) throw this.#failed.error;
    this.#waiting = Promise.withResolvers();
    return this.#waiting.promise;
  }
}
