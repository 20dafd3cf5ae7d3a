/** More are not worth the host's time: the page has one. */
const searchesAtOnce = 4;

/** Searches under way, by the names the page gave them. */
export class ByteSearches {
  readonly #running = new Map<string, AbortController>();

  /** One of the same name is given up, and the oldest when there are too many. */
  async run<T>(name: string, search: (signal: AbortSignal) => Promise<T>): Promise<T> {
    this.stop(name);
    const [oldest] = this.#running.keys();
    if (oldest !== undefined && this.#running.size >= searchesAtOnce) this.stop(oldest);
    const giveUp = new AbortController();
    this.#running.set(name, giveUp);
    try {
      return await search(giveUp.signal);
    } finally {
      if (this.#running.get(name) === giveUp) this.#running.delete(name);
    }
  }

  /** Does nothing for one that is over. */
  stop(name: string): void {
    this.#running.get(name)?.abort();
    this.#running.delete(name);
  }

  close(): void {
    for (const name of this.#running.keys()) this.stop(name);
  }
}
