import { Buffer } from 'node:buffer';
import type { IncomingHttpHeaders } from 'node:http';
import type { Transform } from 'node:stream';
import { FailureError, type FailureOf } from '../../../shared/failure.ts';
import type { CallFacts } from '../call.ts';
import { errorCode, scrubbedError } from './failures.ts';

/**
 * Bodies are asked for as they are (`Accept-Encoding: identity`), and some servers compress them all the same
 * (docs/services.md, "Replies"). Lengths that they announce count what travels.
 */

const mostEncodings = 3;
/** What deflate can do at most is 1032 times; the others could go a thousand times further. */
const mostExpansion = 1100;
const expansionFrom = 1024 * 1024;
const options = { chunkSize: 64 * 1024 };

type Bytes = AsyncGenerator<Uint8Array, void, void>;

/** As they were applied, in lower case. `identity` is none. */
export function contentEncodings({ 'content-encoding': header = '' }: IncomingHttpHeaders): string[] {
  return header
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity');
}

/**
 * Takes the encodings off again, the last one first. What is announced as compressed and does not begin that way is
 * given as it is. Two stray bytes `{}` behind the compressed data are left out. Throws
 * `encoding-unusable`, and what `sent` throws.
 */
export async function* decodedChunks(sent: Bytes, encodings: readonly string[], facts: CallFacts): Bytes {
  if (encodings.length > mostEncodings) throw unusable('unknown', encodings.join(', '), facts);
  const counted = { sent: 0, decoded: 0 };
  let chunks = countedIn(sent, (bytes) => (counted.sent += bytes));
  for (const encoding of encodings.toReversed()) chunks = decoded(chunks, encoding, facts);
  for await (const chunk of chunks) {
    counted.decoded += chunk.length;
    if (counted.decoded > expansionFrom && counted.decoded > counted.sent * mostExpansion)
      throw unusable('expansion', encodings.join(', '), facts);
    yield chunk;
  }
}

async function* countedIn(chunks: Bytes, count: (bytes: number) => void): Bytes {
  for await (const chunk of chunks) {
    count(chunk.length);
    yield chunk;
  }
}

async function* decoded(chunks: Bytes, encoding: string, facts: CallFacts): Bytes {
  const { start, rest } = await begun(chunks);
  const decoder = start.length === 0 ? null : decoderFor(encoding, start, facts);
  if (decoder === null) {
    yield* rest;
    return;
  }
  try {
    yield* throughDecoder(withoutStrayEnd(rest), decoder);
  } catch (error) {
    if (error instanceof FailureError || !isOfDecoder(error)) throw error;
    throw unusable('broken', encoding, facts, scrubbedError(error, facts.redaction));
  }
}

/**
 * All that comes of a chunk is given before the next one goes in: an error drops what a stream still holds, and would
 * take whole files of an archive with it.
 */
async function* throughDecoder(chunks: Bytes, decoder: Transform): Bytes {
  let wake = (): void => {};
  for (const event of ['readable', 'end', 'error']) decoder.on(event, () => wake());
  const output = async function* (isOver: () => boolean): Bytes {
    for (;;) {
      const changed = new Promise<void>((resolve) => (wake = resolve));
      const piece: unknown = decoder.read();
      if (Buffer.isBuffer(piece)) yield piece;
      else if (decoder.errored !== null) throw decoder.errored;
      else if (isOver()) return;
      else await changed;
    }
  };
  try {
    for await (const chunk of chunks) {
      let isTaken = false;
      decoder.write(chunk, () => {
        isTaken = true;
        wake();
      });
      yield* output(() => isTaken);
    }
    decoder.end();
    yield* output(() => decoder.readableEnded);
  } finally {
    decoder.destroy();
  }
}

/** Of `node:zlib`: a compressed stream that is wrong, or is cut off. */
const isOfDecoder = (error: unknown): boolean =>
  /^(?:Z_|ERR_?_?BROTLI|ERR__ERROR|ERR_PADDING|ERR_ZSTD|ZSTD_|ERR_TRAILING)/.test(errorCode(error));

/**
 * null: it does not begin as such data does, so that it is none. By `process.getBuiltinModule`, because hardly any run
 * of the program needs it.
 */
function decoderFor(encoding: string, start: Buffer, facts: CallFacts): Transform | null {
  const zlib = process.getBuiltinModule('node:zlib');
  const [first = 0, second = 0] = start;
  switch (encoding) {
    case 'gzip':
    case 'x-gzip':
      return first === 0x1f && second === 0x8b ? zlib.createGunzip(options) : null;
    case 'deflate':
      // Meant is the form with a header (RFC 9110, 8.4.1.2), and some send the one without.
      return (first & 15) === 8 && (first * 256 + second) % 31 === 0
        ? zlib.createInflate(options)
        : zlib.createInflateRaw(options);
    case 'br':
      return zlib.createBrotliDecompress(options);
    case 'zstd':
      // An older Electron has none.
      if (!('createZstdDecompress' in zlib)) break;
      return start.readUInt32LE() === 0xfd2fb528 ? zlib.createZstdDecompress(options) : null;
    default:
  }
  throw unusable('unknown', encoding, facts);
}

const stray = Buffer.from('{}', 'latin1');

/**
 * Without two stray bytes at its end, which a reader of gzip takes for the start of more. As the end of what belongs to
 * it they would mean one length among some thousand millions.
 */
async function* withoutStrayEnd(chunks: Bytes): Bytes {
  let held: Uint8Array = new Uint8Array(0);
  for await (const chunk of chunks) {
    const joined = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
    held = joined.slice(-stray.length);
    yield joined.subarray(0, joined.length - held.length);
  }
  if (!stray.equals(held)) yield held;
}

const startBytes = 4;

/** The first bytes, and all of them again. */
async function begun(chunks: Bytes): Promise<{ start: Buffer; rest: Bytes }> {
  const taken: Uint8Array[] = [];
  let length = 0;
  while (length < startBytes) {
    const next = await chunks.next();
    if (next.done === true) break;
    taken.push(next.value);
    length += next.value.length;
  }
  return { start: Buffer.concat(taken).subarray(0, startBytes), rest: followedBy(taken, chunks) };
}

async function* followedBy(first: readonly Uint8Array[], rest: Bytes): Bytes {
  yield* first;
  yield* rest;
}

/** Shown as far as it can be one. */
const shownEncoding = (encoding: string): string => (/^[\w.,+ -]{1,40}$/.test(encoding) ? encoding : '(unreadable)');

function unusable(
  reason: FailureOf<'encoding-unusable'>['reason'],
  encoding: string,
  { service, address, redaction }: CallFacts,
  cause?: Error,
): FailureError {
  return new FailureError(
    { kind: 'encoding-unusable', service, address, encoding: redaction.text(shownEncoding(encoding)), reason },
    { cause },
  );
}
