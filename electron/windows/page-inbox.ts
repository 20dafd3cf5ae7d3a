/** Holds what the page is asked to show until it can take it. Only the last one: the page shows one thing. */
export class PageInbox<T> {
  #waiting: T | null = null;
  #deliver: ((message: T) => void) | null = null;

  put(message: T): void {
    if (this.#deliver === null) this.#waiting = message;
    else this.#deliver(message);
  }

  /** The page is loaded. */
  open(deliver: (message: T) => void): void {
    this.#deliver = deliver;
    const message = this.#waiting;
    this.#waiting = null;
    if (message !== null) deliver(message);
  }

  /** The page is gone. */
  close(): void {
    this.#deliver = null;
  }
}
