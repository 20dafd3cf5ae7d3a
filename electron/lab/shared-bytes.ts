const firstBytes = 64 * 1024;

/** Bytes as they come, in memory that other threads read without a copy. It grows with them, up to a limit. */
export class SharedBytes {
  readonly #memory: SharedArrayBuffer;
  readonly #mostBytes: number;
  #sizeBytes = 0;

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
    this.#memory = new SharedArrayBuffer(Math.min(firstBytes, mostBytes), { maxByteLength: mostBytes });
  }

  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  /** False when it would be over the limit; nothing of it is taken then. */
  append(chunk: Uint8Array): boolean {
    const end = this.#sizeBytes + chunk.length;
    if (end > this.#mostBytes) return false;
    // Doubled, because each growth is a call to the system; pages that are not written to take no memory.
    if (end > this.#memory.byteLength)
      this.#memory.grow(Math.min(Math.max(end, this.#memory.byteLength * 2), this.#mostBytes));
    new Uint8Array(this.#memory, this.#sizeBytes, chunk.length).set(chunk);
    this.#sizeBytes = end;
    return true;
  }

  /** What is there by now. */
  view(): Uint8Array {
    return new Uint8Array(this.#memory, 0, this.#sizeBytes);
  }

  /** The next bytes are written over these. */
  clear(): void {
    this.#sizeBytes = 0;
  }
}

/**
 * Memory that is used again and again, because threads that have seen it keep it until they collect garbage. What
 * nobody used for a while is let go.
 */
export class SharedMemories {
  readonly #mostBytes: number;
  readonly #idleMs: number;
  #free: SharedBytes[] = [];
  #idle: NodeJS.Timeout | null = null;

  constructor(mostBytes: number, idleMs: number) {
    this.#mostBytes = mostBytes;
    this.#idleMs = idleMs;
  }

  async lend<T>(work: (bytes: SharedBytes) => Promise<T>): Promise<T> {
    const bytes = this.#free.pop() ?? new SharedBytes(this.#mostBytes);
    bytes.clear();
    try {
      return await work(bytes);
    } finally {
      this.#free.push(bytes);
      if (this.#idle !== null) clearTimeout(this.#idle);
      this.#idle = setTimeout(() => (this.#free = []), this.#idleMs).unref();
    }
  }
}
