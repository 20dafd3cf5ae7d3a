/** How many pieces more a reader takes before it says that it took some. */
export class PieceAllowance {
  #left: number;
  #hasEnded = false;
  #wake: (() => void) | null = null;

  constructor(pieces: number) {
    this.#left = pieces;
  }

  allow(pieces: number): void {
    this.#left += pieces;
    this.#wake?.();
  }

  /** Nobody takes any more. */
  end(): void {
    this.#hasEnded = true;
    this.#wake?.();
  }

  /** Resolves when one more may be sent; false: none will be taken any more. One may wait at a time. */
  async one(): Promise<boolean> {
    while (this.#left === 0 && !this.#hasEnded) await new Promise<void>((resolve) => (this.#wake = resolve));
    this.#left -= 1;
    return !this.#hasEnded;
  }
}
