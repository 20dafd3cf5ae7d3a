/** Finds the line of offsets that are requested in ascending order, and so reads the text once in all. */
export class LineCounter {
  readonly #text: string;
  #line = 1;
  /** The first new line that is not counted yet. */
  #next: number;

  constructor(text: string) {
    this.#text = text;
    this.#next = this.#find(0);
  }

  /** One-based; `offset` is never less than the one before. */
  lineAt(offset: number): number {
    while (this.#next < offset) {
      this.#line += 1;
      this.#next = this.#find(this.#next + 1);
    }
    return this.#line;
  }

  #find(from: number): number {
    const at = this.#text.indexOf('\n', from);
    return at < 0 ? Number.POSITIVE_INFINITY : at;
  }
}
