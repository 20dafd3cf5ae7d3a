/** What one request of an upload may hold. A larger file goes alone. */
export interface RequestLimits {
  files: number;
  /** Of the files alone. */
  bytes: number;
}

/** Which files go together, in their order: at most so many and so many bytes a request; a larger file goes alone. */
export class Packing<File extends { sizeBytes: number }> {
  readonly #limits: RequestLimits;
  #open: File[] = [];
  #bytes = 0;

  constructor(limits: RequestLimits) {
    this.#limits = limits;
  }

  /** @returns the requests that are full now */
  add(file: File): File[][] {
    const before = this.#open.length > 0 && this.#bytes + file.sizeBytes > this.#limits.bytes ? [this.#take()] : [];
    this.#open.push(file);
    this.#bytes += file.sizeBytes;
    return this.#open.length >= this.#limits.files ? [...before, this.#take()] : before;
  }

  /** What is left, in a request that is not full. */
  rest(): File[][] {
    return this.#open.length === 0 ? [] : [this.#take()];
  }

  #take(): File[] {
    const taken = this.#open;
    this.#open = [];
    this.#bytes = 0;
    return taken;
  }
}

/** How many requests files of these sizes take. */
export function requestsFor(sizesInOrder: readonly number[], limits: RequestLimits): number {
  const packing = new Packing<{ sizeBytes: number }>(limits);
  const full = sizesInOrder.reduce((requests, sizeBytes) => requests + packing.add({ sizeBytes }).length, 0);
  return full + packing.rest().length;
}
