/** Measures the cells of one column by the first of them: they are all of one width, and a table draws many. */
export class TagRoom {
  readonly #listeners = new Set<() => void>();
  readonly #observer =
    typeof ResizeObserver === 'undefined'
      ? null
      : new ResizeObserver((entries) => this.#note(entries.at(-1)?.contentRect.width ?? 0));
  #width = 120;

  /** CSS pixels. */
  readonly snapshot = (): number => this.#width;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  /** As the `ref` of a cell. */
  readonly watch = (cell: HTMLElement | null): (() => void) | undefined => {
    if (cell === null || this.#observer === null) return undefined;
    const observer = this.#observer;
    observer.observe(cell);
    return () => observer.unobserve(cell);
  };

  #note(width: number): void {
    const whole = Math.floor(width);
    if (whole === 0 || whole === this.#width) return;
    this.#width = whole;
    for (const listener of this.#listeners) listener();
  }
}
