/** Holds a deep link until the page can take it. Only the last one: the field has room for one. */
export class DeepLinkInbox {
  #waiting: string | null = null;
  #deliver: ((md5: string) => void) | null = null;

  put(md5: string): void {
    if (this.#deliver === null) this.#waiting = md5;
    else this.#deliver(md5);
  }

  /** The page is loaded. */
  open(deliver: (md5: string) => void): void {
    this.#deliver = deliver;
    const md5 = this.#waiting;
    this.#waiting = null;
    if (md5 !== null) deliver(md5);
  }

  /** The page is gone. */
  close(): void {
    this.#deliver = null;
  }
}
