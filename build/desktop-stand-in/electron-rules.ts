/**
 * What of Electron may be called when: before the program is ready, after it, once, or behind another call. What breaks
 * a rule throws, and ends the desktop, as in Electron; only what must come first is a rule of this program.
 */
export class ElectronRules {
  readonly #once = new Set<string>();
  readonly #called = new Set<string>();
  readonly #ready = Promise.withResolvers<void>();
  #isReady = false;

  get whenReady(): Promise<void> {
    return this.#ready.promise;
  }

  /** To be called when the desktop's module was evaluated to its end, which Electron waits for. */
  becomeReady(): void {
    this.#isReady = true;
    this.#ready.resolve();
  }

  onlyBefore(what: string): void {
    if (this.#isReady) throw new Error(`${what} is called after the ready event`);
    this.#called.add(what);
  }

  /** `first`: what was to be called before the program is ready. */
  onlyBehind(first: string, what: string): void {
    if (!this.#called.has(first)) throw new Error(`${what} is called without ${first}`);
  }

  onlyAfter(what: string): void {
    if (!this.#isReady) throw new Error(`${what} is called before the ready event`);
  }

  onlyOnce(what: string): void {
    if (this.#once.has(what)) throw new Error(`${what} is called twice`);
    this.#once.add(what);
  }
}
