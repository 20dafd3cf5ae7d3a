/**
 * Work that is found in a store: `kick` says that there may be some, and one loop does it until there is none. A kick
 * during the last look is not lost.
 */
export class WorkLoop {
  readonly #doSome: (signal: AbortSignal) => Promise<boolean>;
  readonly #failed: (error: unknown) => void;
  readonly #stop = new AbortController();
  #running: Promise<void> | null = null;
  #isKicked = false;

  /** `doSome` answers whether it found anything; what it throws ends this round and is told. */
  constructor(doSome: (signal: AbortSignal) => Promise<boolean>, failed: (error: unknown) => void) {
    this.#doSome = doSome;
    this.#failed = failed;
  }

  kick(): void {
    this.#isKicked = true;
    if (this.#stop.signal.aborted) return;
    this.#running ??= this.#run().finally(() => {
      this.#running = null;
      if (this.#isKicked) this.kick();
    });
  }

  async close(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stop;
    try {
      while (this.#isKicked && !signal.aborted) {
        this.#isKicked = false;
        while (!signal.aborted && (await this.#doSome(signal)));
      }
    } catch (error) {
      if (!signal.aborted) this.#failed(error);
    }
    if (signal.aborted) this.#isKicked = false;
  }
}
