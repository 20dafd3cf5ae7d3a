/** Before each entry of an archive: it goes out whole, or breaks off in the middle. */
export type Passage = 'whole' | 'cut';

interface Hold {
  entriesLeft: number;
  reached: PromiseWithResolvers<void>;
  released: PromiseWithResolvers<void>;
}

/**
 * Lets a test stop entries on their way, or cut the connection at one. Entries count over all replies, since a client
 * may ask for them in any chunks.
 */
export class EntryGate {
  #hold: Hold | null = null;
  #wholeBeforeCut: number | null = null;

  /** Lets so many more entries out, then none until `release`. */
  hold(afterEntries = 0): void {
    this.release();
    this.#hold = { entriesLeft: afterEntries, reached: Promise.withResolvers(), released: Promise.withResolvers() };
  }

  /** Resolves when an entry waits. */
  async holding(): Promise<void> {
    if (this.#hold === null) throw new Error('nothing is held');
    await this.#hold.reached.promise;
  }

  release(): void {
    this.#hold?.released.resolve();
    this.#hold = null;
  }

  /** Lets so many more entries out whole, and breaks the connection in the middle of the next, once. */
  cut(afterEntries: number): void {
    this.#wholeBeforeCut = afterEntries;
  }

  async pass(): Promise<Passage> {
    await this.#wait();
    if (this.#wholeBeforeCut === null) return 'whole';
    this.#wholeBeforeCut -= 1;
    if (this.#wholeBeforeCut >= 0) return 'whole';
    this.#wholeBeforeCut = null;
    return 'cut';
  }

  async #wait(): Promise<void> {
    const hold = this.#hold;
    if (hold === null) return;
    hold.entriesLeft -= 1;
    if (hold.entriesLeft >= 0) return;
    hold.reached.resolve();
    await hold.released.promise;
  }
}
