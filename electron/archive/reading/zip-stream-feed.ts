import { fail } from '../../../shared/failure.ts';

const nothing = new Uint8Array(0);

/**
 * The bytes of an archive as they arrive, read once and forward. Holds one chunk of the source at a time. What the
 * source throws comes out of every later call too, so that nobody takes a broken connection for the archive's end.
 */
export class ByteFeed {
  readonly #source: AsyncIterator<Uint8Array>;
  readonly #archiveName: string;
  #chunk: Uint8Array = nothing;
  /** Where the unread bytes begin in the chunk, and the chunk in the archive. */
  #at = 0;
  #chunkPosition = 0;
  #ended = false;
  #broken: { error: unknown } | null = null;

  constructor(source: AsyncIterable<Uint8Array>, archiveName: string) {
    this.#source = source[Symbol.asyncIterator]();
    this.#archiveName = archiveName;
  }

  /** How many bytes were read. */
  get position(): number {
    return this.#chunkPosition + this.#at;
  }

  /** The next bytes without a copy, at most `most`; null at the end. */
  async some(most: number): Promise<Uint8Array | null> {
    if (this.#at === this.#chunk.length && !(await this.#pull())) return null;
    const piece = this.#chunk.subarray(this.#at, this.#at + most);
    this.#at += piece.length;
    return piece;
  }

  /** The last bytes of what `some` gave are unread again. */
  giveBack(bytes: number): void {
    this.#at -= bytes;
  }

  /** Unread bytes that are here without waiting; maybe none. */
  present(): Uint8Array {
    return this.#chunk.subarray(this.#at);
  }

  /** The next bytes in one piece, which are still unread after it; fewer when the archive ends before. */
  async peek(length: number): Promise<Uint8Array> {
    if (this.#chunk.length - this.#at < length) await this.#gather(length);
    return this.#chunk.subarray(this.#at, this.#at + length);
  }

  /** @throws FailureError `archive-truncated` */
  async take(length: number): Promise<Uint8Array> {
    const bytes = await this.peek(length);
    if (bytes.length < length) this.truncated();
    this.#at += length;
    return bytes;
  }

  /** @throws FailureError `archive-truncated` */
  async skip(length: number): Promise<void> {
    for (let left = length; left > 0;) left -= ((await this.some(left)) ?? this.truncated()).length;
  }

  truncated(): never {
    fail({
      kind: 'archive-truncated',
      name: this.#archiveName,
      receivedBytes: this.#chunkPosition + this.#chunk.length,
    });
  }

  /** `head`, then all that is unread. */
  async *restAfter(head: Uint8Array): AsyncGenerator<Uint8Array, void, void> {
    if (head.length > 0) yield head;
    for (let piece = await this.some(Infinity); piece !== null; piece = await this.some(Infinity)) yield piece;
  }

  /** Lets go of the source, which may have more to give. */
  async close(): Promise<void> {
    if (this.#ended || this.#broken !== null) return;
    this.#ended = true;
    await this.#source.return?.();
  }

  /** The next chunk that is not empty; false at the end. */
  async #pull(): Promise<boolean> {
    const next = (await this.#next()) ?? nothing;
    this.#chunkPosition += this.#chunk.length;
    this.#at = 0;
    this.#chunk = next;
    return next.length > 0;
  }

  async #gather(length: number): Promise<void> {
    const pieces = [this.#chunk.subarray(this.#at)];
    let gathered = this.#chunk.length - this.#at;
    while (gathered < length) {
      const piece = await this.#next();
      if (piece === null) break;
      pieces.push(piece);
      gathered += piece.length;
    }
    this.#chunkPosition += this.#at;
    this.#at = 0;
    this.#chunk = Buffer.concat(pieces, gathered);
  }

  async #next(): Promise<Uint8Array | null> {
    if (this.#broken !== null) throw this.#broken.error;
    while (!this.#ended) {
      const { value, done } = await this.#nextOfSource();
      if (done === true) this.#ended = true;
      else if (value.length > 0) return value;
    }
    return null;
  }

  async #nextOfSource(): Promise<IteratorResult<Uint8Array, unknown>> {
    try {
      return await this.#source.next();
    } catch (error) {
      this.#broken = { error };
      throw error;
    }
  }
}
