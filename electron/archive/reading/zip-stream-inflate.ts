import { crc32, createInflateRaw, inflateRawSync, type InflateRaw } from 'node:zlib';
import { z } from 'zod';
import { fail } from '../../../shared/failure.ts';
import { shownName } from '../archive-names.ts';

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
 * small entries cost a tenth this way. `packed` may go on behind it.
 */
export function inflatedAtOnce(packed: Uint8Array): { plain: Uint8Array; packedBytes: number } | null {
  try {
    const { buffer, engine } = withEngine.parse(inflateRawSync(packed.subarray(0, pieceBytes), inflatingAtOnce));
    return { plain: buffer, packedBytes: engine.bytesWritten };
  } catch {
    // Cut off, too long or damaged: whoever inflates it piece by piece finds out which.
    return null;
  }
}

const inflatingAtOnce = { info: true, maxOutputLength: pieceBytes };
/** With `info`, of which Node's types do not know. */
const withEngine = z.object({ buffer: z.instanceof(Uint8Array), engine: z.object({ bytesWritten: z.number() }) });

export interface Expected {
  name: string;
  sizeBytes: number;
  /** Null when something stronger vouches for the bytes. */
  crc32: number | null;
  /** Told of every chunk before it is given, with all that came until then; stops by throwing. */
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
