import { Dicer } from '@fastify/busboy';
import { z } from 'zod';
import { readDisposition } from './content-disposition.ts';
import { DelimiterCheck } from './delimiter-check.ts';
import { LabError } from './errors.ts';

/** One part of a form. Its bytes are read before the next part is asked for. */
export interface FormPart {
  name: string;
  /** Null for a field that is no file. */
  fileName: string | null;
  bytes(): AsyncGenerator<Uint8Array, void, void>;
}

/** A name of 1,024 characters takes at most 12 KiB. */
const headBytesAtMost = 16 * 1024;
const headLinesAtMost = 32;
const partHead = z.record(z.string(), z.array(z.string()));

/** What has arrived of a part and was not read yet. */
interface ArrivingPart {
  head: unknown;
  chunks: Uint8Array[];
  isWhole: boolean;
}

/**
 * Reads `multipart/form-data` (RFC 7578) while it comes, part by part. What was read of the body and is not yet given
 * out is one chunk of it. Throws LabError `body-malformed` for a body that is not whole or a part that cannot be read:
 * none is skipped.
 */
export async function* readParts(
  body: AsyncIterable<Uint8Array>,
  boundary: string,
): AsyncGenerator<FormPart, void, void> {
  const reader = new PartReader(body, boundary);
  for (;;) {
    const part = await reader.next();
    if (part === null) return;
    const { name, fileName } = headOf(part);
    yield { name, fileName, bytes: () => reader.bytesOf(part) };
    for await (const _ of reader.bytesOf(part));
  }
}

class PartReader {
  readonly #body: AsyncIterator<Uint8Array>;
  readonly #parser: Dicer;
  readonly #delimiters: DelimiterCheck;
  /** The first is being read; more of them came in the same chunk. */
  readonly #parts: ArrivingPart[] = [];
  #error: unknown = null;
  #isOver = false;

  constructor(body: AsyncIterable<Uint8Array>, boundary: string) {
    this.#body = body[Symbol.asyncIterator]();
    this.#parser = new Dicer({ boundary });
    this.#delimiters = new DelimiterCheck(boundary);
    this.#parser.on('error', (error: Error) => (this.#error ??= error));
    this.#parser.on('part', (stream: Dicer.PartStream) => this.#begin(stream));
  }

  /** Null behind the last part, once the body has ended. */
  async next(): Promise<ArrivingPart | null> {
    while (this.#parts.length === 0 && !this.#isOver) await this.#feed();
    const part = this.#parts[0] ?? null;
    while (part !== null && part.head === null && !part.isWhole) await this.#feed();
    return part;
  }

  async *bytesOf(part: ArrivingPart): AsyncGenerator<Uint8Array, void, void> {
    for (;;) {
      yield* part.chunks.splice(0);
      if (part.isWhole && part.chunks.length === 0) break;
      if (!part.isWhole) await this.#feed();
    }
    if (this.#parts[0] === part) this.#parts.shift();
  }

  #begin(stream: Dicer.PartStream): void {
    const part: ArrivingPart = { head: null, chunks: [], isWhole: false };
    this.#parts.push(part);
    stream.on('header', (head) => (part.head = head));
    stream.on('data', (chunk) => part.chunks.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk));
    stream.on('end', () => (part.isWhole = true));
    // The parser says the same of the whole body.
    stream.on('error', (error) => (this.#error ??= error));
  }

  /** Takes one chunk of the body, or its end, and returns when the parser has told all that is in it. */
  async #feed(): Promise<void> {
    if (this.#isOver) throw malformed();
    const next = await this.#body.next();
    if (next.done) this.#parser.end();
    else await this.#write(next.value);
    // The parser's streams tell by process.nextTick, all of which comes before this.
    await new Promise(setImmediate);
    if (this.#error !== null) throw malformed(this.#error);
    this.#isOver = next.done ?? false;
  }

  async #write(chunk: Uint8Array): Promise<void> {
    if (!this.#delimiters.take(chunk)) throw malformed();
    try {
      await new Promise((resolve) => this.#parser.write(chunk, resolve));
    } catch (error) {
      throw malformed(error);
    }
  }
}

function headOf({ head }: ArrivingPart): { name: string; fileName: string | null } {
  if (head === null) throw malformed();
  const lines = Object.entries(partHead.parse(head)).flatMap(([name, values]) =>
    values.map((value) => name.length + value.length),
  );
  // The parser cuts what is longer still.
  if (lines.length > headLinesAtMost || lines.reduce((sum, length) => sum + length, 0) > headBytesAtMost) {
    throw new LabError(
      'body-malformed',
      `The head of a part is over ${headBytesAtMost} bytes or ${headLinesAtMost} lines.`,
    );
  }
  const disposition = readDisposition(partHead.parse(head)['content-disposition'] ?? []);
  if (disposition === null) throw malformed();
  return disposition;
}

function malformed(cause?: unknown): LabError {
  const error = new LabError('body-malformed', 'The body is not a complete multipart form.');
  error.cause = cause;
  return error;
}
