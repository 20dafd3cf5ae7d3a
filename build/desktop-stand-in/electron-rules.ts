/** What of Electron may be called when: before the program is ready, after it, or once. What breaks a rule throws, as in Electron, and ends the desktop. */
export class ElectronRules {
  readonly #once = new Set<string>();
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
  }

  onlyAfter(what: string): void {
    if (!this.#isReady) throw new Error(`${what} is called before the ready event`);
  }

  onlyOnce(what: string): void {
    if (this.#once.has(what)) throw new Error(`${what} is called twice`);
    this.#once.add(what);
  }
}
