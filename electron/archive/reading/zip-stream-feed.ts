import { crc32, createInflateRaw, type InflateRaw, inflateRawSync } from 'node:zlib';
import { z } from 'zod';
import { fail } from '../../../shared/failure.ts';
import { shownName } from '../archive-names.ts';

const nothing = new Uint8Array(0);

/**
 * The bytes of an archive as they arrive, read once and forward. Holds one chunk of the source at a time. What the
 * source throws comes out of every later call too, so that no caller takes a broken connection for the archive's end.
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

/** How much goes through at a time: small enough that nothing else on the thread waits. */
export const pieceBytes = 64 * 1024;

/** The bytes of an entry as they lie in the archive, a piece a call; null when there are no more. */
export type NextPiece = () => Promise<Uint8Array | null>;

export const damagedEntry = (name: string, reason: string, cause?: unknown): never =>
  fail({ kind: 'archive-damaged', name: shownName(name), reason }, cause);

/**
 * Inflates until the deflate stream ends by itself, and returns how many bytes of the last piece lay behind its end. A
 * piece is asked for only when all that came before it has been inflated and taken, so memory holds one of each.
 * @throws FailureError `archive-damaged`; and whatever `next` throws
 */
export async function* inflated(next: NextPiece, name: string): AsyncGenerator<Uint8Array, number, void> {
  const engine = new InflateEngine(name);
  try {
    for (;;) {
      const chunk = engine.read();
      if (chunk !== null) yield chunk;
      else if (engine.ended) return engine.unusedBytes;
      else if (engine.busy) await engine.stirred();
      else engine.write(await next());
    }
  } finally {
    engine.close();
  }
}

/**
 * Node's inflate stream, driven by hand: as an iterator it would take pieces long before anyone wants what they become.
 */
class InflateEngine {
  readonly #name: string;
  readonly #inflate: InflateRaw;
  #writtenBytes = 0;
  #broken: Error | null = null;
  #stir: () => void = () => undefined;
  /** It works on a piece, or has what is not yet read, or is ending. */
  busy = false;
  #ended = false;

  constructor(name: string) {
    this.#name = name;
    this.#inflate = createInflateRaw({ chunkSize: pieceBytes });
    this.#inflate.on('readable', () => this.#stir());
    this.#inflate.on('end', () => {
      this.#ended = true;
      this.#stir();
    });
    this.#inflate.on('error', (error) => {
      this.#broken = error;
      this.#stir();
    });
  }

  /** The deflate stream is over: the engine said so, or did a piece and left some of it. */
  get ended(): boolean {
    return this.#ended || (!this.busy && this.unusedBytes > 0);
  }

  get unusedBytes(): number {
    return this.#writtenBytes - this.#inflate.bytesWritten;
  }

  read(): Uint8Array | null {
    if (this.#broken !== null) damagedEntry(this.#name, 'Its compressed data is corrupt', this.#broken);
    const chunk: unknown = this.#inflate.read();
    return chunk instanceof Uint8Array ? chunk : null;
  }

  /**
   * When something happens next. What happened since the last `read` or `write` is not missed: all of it comes later.
   */
  stirred(): Promise<void> {
    return new Promise((resolve) => {
      this.#stir = resolve;
    });
  }

  write(piece: Uint8Array | null): void {
    this.busy = true;
    if (piece === null) {
      this.#inflate.end();
      return;
    }
    this.#writtenBytes += piece.length;
    this.#inflate.write(piece, () => {
      this.busy = false;
      this.#stir();
    });
  }

  close(): void {
    this.#inflate.destroy();
  }
}

/**
 * A whole deflate stream at the beginning of `packed`, or null when it does not end there or is not a short one: many
 * small entries cost a tenth this way. `packed` may continue behind it.
 */
export function inflatedAtOnce(packed: Uint8Array): { plain: Uint8Array; packedBytes: number } | null {
  try {
    const { buffer, engine } = withEngine.parse(inflateRawSync(packed.subarray(0, pieceBytes), inflatingAtOnce));
    return { plain: buffer, packedBytes: engine.bytesWritten };
  } catch {
    // Cut off, too long or damaged: the caller that inflates it piece by piece finds out which.
    return null;
  }
}

const inflatingAtOnce = { info: true, maxOutputLength: pieceBytes };
/** With `info`, of which Node's types do not know. */
const withEngine = z.object({ buffer: z.instanceof(Uint8Array), engine: z.object({ bytesWritten: z.number() }) });

interface Expected {
  name: string;
  sizeBytes: number;
  /** Null when something stronger vouches for the bytes. */
  crc32: number | null;
  /** Called with every chunk before it is given, with all that came until then; stops by throwing. */
  spend: (bytes: number, memberBytes: number) => void;
}

/**
 * The same chunks, of which never more come out than were declared.
 * @throws FailureError `archive-damaged` at their end when size or CRC are not as declared; and what `spend` throws
 */
export async function* verified(
  chunks: AsyncIterable<Uint8Array>,
  expected: Expected,
): AsyncGenerator<Uint8Array, void, void> {
  let sizeBytes = 0;
  let checksum = 0;
  for await (const chunk of chunks) {
    sizeBytes += chunk.length;
    if (sizeBytes > expected.sizeBytes)
      damagedEntry(expected.name, `It contains more than the expected ${expected.sizeBytes} bytes`);
    expected.spend(chunk.length, sizeBytes);
    if (expected.crc32 !== null) checksum = crc32(chunk, checksum);
    yield chunk;
  }
  if (sizeBytes < expected.sizeBytes)
    damagedEntry(expected.name, `It contains ${sizeBytes} bytes instead of ${expected.sizeBytes}`);
  if (expected.crc32 !== null && checksum !== expected.crc32)
    damagedEntry(expected.name, 'Its bytes do not match their checksum');
}
