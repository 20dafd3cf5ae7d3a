export interface StoreAccessOptions {
  /** Fails where the store refuses this process, or does not answer it. */
  probe(): Promise<void>;
  /** Called with the reason when the store cannot be used any more. */
  lost(why: unknown): void;
  /** Called when it can be used again. */
  found(): void;
}

/**
 * Whether this process can use the store. While it cannot, it is to take no file of a client: it would fail each at
 * once, and leave none to the workers that can.
 */
export class StoreAccess {
  readonly #options: StoreAccessOptions;
  #isLost = false;
  #checking: Promise<boolean> | null = null;

  constructor(options: StoreAccessOptions) {
    this.#options = options;
  }

  get isLost(): boolean {
    return this.#isLost;
  }

  /** For a caller whose use of the store failed, and from time to time while it is lost. @returns whether it is lost */
  check(): Promise<boolean> {
    return (this.#checking ??= this.#check().finally(() => (this.#checking = null)));
  }

  async #check(): Promise<boolean> {
    const { probe, lost, found } = this.#options;
    const wasLost = this.#isLost;
    try {
      await probe();
      this.#isLost = false;
      if (wasLost) found();
    } catch (error) {
      this.#isLost = true;
      if (!wasLost) lost(error);
    }
    return this.#isLost;
  }
}
