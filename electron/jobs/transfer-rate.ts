const windowMs = 2_000;

/** Bytes a second over the last two seconds. Times in milliseconds, from any steady clock. */
export class TransferRate {
  #points: { at: number; bytes: number }[] = [];

  add(at: number, bytes: number): void {
    this.#points.push({ at, bytes });
    while (this.#points.length > 2 && at - (this.#points[1]?.at ?? at) >= windowMs) this.#points.shift();
    if (this.#points.length > 200)
      this.#points = this.#points.filter((_, index) => index % 2 === 0 || index === this.#points.length - 1);
  }

  perSecond(now: number): number {
    const first = this.#points[0];
    const last = this.#points.at(-1);
    if (!first || !last || now <= first.at) return 0;
    return ((last.bytes - first.bytes) * 1000) / (now - first.at);
  }
}
