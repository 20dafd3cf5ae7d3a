/** Returns the values in the order they were put in; the first caller to ask gets the next one. */
export class EventQueue<T> {
  readonly #put: T[] = [];
  readonly #waiting: ((value: T) => void)[] = [];

  put(value: T): void {
    const first = this.#waiting.shift();
    if (first) first(value);
    else this.#put.push(value);
  }

  next(): Promise<T> {
    const [first] = this.#put.splice(0, 1);
    return first === undefined ? new Promise((resolve) => this.#waiting.push(resolve)) : Promise.resolve(first);
  }
}
