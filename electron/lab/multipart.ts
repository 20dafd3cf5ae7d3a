import type { IncomingMessage } from 'node:http';
import { Dicer } from '@fastify/busboy';
import { z } from 'zod';
import { LabError } from './errors.ts';

const carriageReturn = 0x0d;
const lineFeed = 0x0a;
const dash = 0x2d;
const paddings: ReadonlySet<number> = new Set([0x20, 0x09]);

/**
 * Looks at what follows each delimiter of a multipart body while it comes (RFC 2046, section 5.1.1): the end of its
 * line, behind padding or not, or two dashes. Of a body where something else follows the parser makes one thing or
 * another, by how the bytes were cut on their way.
 */
class DelimiterCheck {
  readonly #delimiter: Buffer;
  /** What may be the beginning of one. The body itself begins behind the end of a line. */
  #held: Buffer = Buffer.from('\r\n');
  #isOver = false;

  constructor(boundary: string) {
    this.#delimiter = Buffer.from(`\r\n--${boundary}`, 'latin1');
  }

  /** @returns whether every delimiter that is whole by now is one */
  take(chunk: Uint8Array): boolean {
    const bytes = Buffer.concat([this.#held, chunk]);
    let from = 0;
    while (!this.#isOver) {
      const at = bytes.indexOf(this.#delimiter, from);
      const behind = at + this.#delimiter.length;
      if (at < 0 || behind + 2 > bytes.length) {
        this.#held = bytes.subarray(at < 0 ? Math.max(from, bytes.length - this.#delimiter.length + 1) : at);
        return true;
      }
      if (!this.#isEnd(bytes[behind], bytes[behind + 1])) return false;
      from = behind;
    }
    return true;
  }

  /** Behind the last one anything may follow. */
  #isEnd(first = 0, second = 0): boolean {
    this.#isOver = first === dash && second === dash;
    return this.#isOver || paddings.has(first) || (first === carriageReturn && second === lineFeed);
  }
}

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
    // The parser reports the same error for the whole body.
    stream.on('error', (error) => (this.#error ??= error));
  }

  /** Takes one chunk of the body, or its end, and returns when the parser has reported everything in it. */
  async #feed(): Promise<void> {
    if (this.#isOver) throw malformed();
    const next = await this.#body.next();
    if (next.done) this.#parser.end();
    else for (const slice of slicesOf(next.value)) await this.#write(slice);
    if (next.done) await this.#reported();
    this.#isOver = next.done ?? false;
  }

  /** The parser's streams report by `process.nextTick`, all of which comes before this. */
  async #reported(): Promise<void> {
    await new Promise(setImmediate);
    if (this.#error !== null) throw malformed(this.#error);
  }

  async #write(chunk: Uint8Array): Promise<void> {
    if (!this.#delimiters.take(chunk)) throw malformed();
    try {
      await new Promise((resolve) => this.#parser.write(chunk, resolve));
    } catch (error) {
      throw malformed(error);
    }
    await this.#reported();
  }
}

/**
 * The parser waits until a part that holds 64 KiB is read, and for ever when its end came with them. A body that had to
 * wait for the check of its token comes in chunks that are larger.
 */
const sliceBytes = 32 * 1024;

function* slicesOf(chunk: Uint8Array): Generator<Uint8Array, void, void> {
  for (let at = 0; at < chunk.length; at += sliceBytes) yield chunk.subarray(at, at + sliceBytes);
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

/** What a part of a form is: a field, or a file with its own name. */
interface Disposition {
  name: string;
  fileName: string | null;
}

/** `; name="…"` or `; name=…`. A sender that escapes nothing may end a quoted value in a backslash. */
const parameter = /;\s*([^\s=;"]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"(?=\s*(?:;|$))|"([^"]*)"(?=\s*(?:;|$))|([^\s;"]*))\s*/sy;

/**
 * Reads the Content-Disposition of a part (RFC 7578, section 4.2), given as the bytes of its values in Latin-1. Null
 * for none, for several, and for what cannot be read.
 */
export function readDisposition(values: readonly string[]): Disposition | null {
  const [value, ...more] = values;
  if (value === undefined || more.length > 0) return null;
  const [type = ''] = value.split(';', 1);
  if (type.trim().toLowerCase() !== 'form-data') return null;
  const parameters = readParameters(value.slice(type.length));
  const name = parameters?.get('name');
  if (parameters === null || name === undefined) return null;
  const fileName = parameters.get('filename');
  return { name: textOf(name), fileName: fileName === undefined ? null : decodeFileName(textOf(fileName)) };
}

function readParameters(text: string): Map<string, string> | null {
  const parameters = new Map<string, string>();
  for (let at = 0; at < text.length; at = parameter.lastIndex) {
    parameter.lastIndex = at;
    const [, name, quoted, unescaped, bare] = parameter.exec(text) ?? [];
    if (name === undefined || parameters.has(name.toLowerCase())) return null;
    parameters.set(name.toLowerCase(), quoted?.replace(/\\(["\\])/g, '$1') ?? unescaped ?? bare ?? '');
  }
  return parameters;
}

/** A name in another encoding than UTF-8 is still a name: what cannot be read of it becomes U+FFFD. */
const textOf = (latin1: string): string => Buffer.from(latin1, 'latin1').toString('utf8');

/**
 * Line breaks and quotes come percent-encoded (HTML Standard, "Multipart form data"), and nothing else does. `%25`
 * means `%` only where a sender had to escape such a triplet in the name itself.
 */
const decodeFileName = (name: string): string =>
  name.replace(/%(?:(0a|0d|22)|25(?=0a|0d|22|25))/gi, (_match, code: string | undefined) =>
    String.fromCharCode(Number.parseInt(code ?? '25', 16)),
  );

/** At most 70 characters of a boundary (RFC 2046, section 5.1.1). */
const boundaryParameter = /;\s*boundary=(?:"([^"\\]{1,70})"|([^\s;",]{1,70}))\s*(?:;|$)/i;

/** How the body of a request is to be read. */
type FormType = { kind: 'multipart'; boundary: string } | { kind: 'urlencoded' };

/** @throws LabError `wrong-type` */
export function formType({ headers }: IncomingMessage): FormType {
  const type = headers['content-type'] ?? '';
  const [essence = ''] = type.split(';', 1);
  switch (essence.trim().toLowerCase()) {
    case 'application/x-www-form-urlencoded':
      return { kind: 'urlencoded' };
    case 'multipart/form-data':
      return { kind: 'multipart', boundary: readBoundary(type) };
    default:
      throw new LabError('wrong-type', 'This action needs a form.');
  }
}

/** The boundary of a multipart form. @throws LabError `wrong-type` for any other body */
export function multipartBoundary(request: IncomingMessage): string {
  const type = formType(request);
  if (type.kind !== 'multipart') throw new LabError('wrong-type', 'This action needs multipart/form-data.');
  return type.boundary;
}

function readBoundary(type: string): string {
  const [, quoted, bare] = boundaryParameter.exec(type) ?? [];
  const boundary = quoted ?? bare;
  if (boundary === undefined)
    throw new LabError('body-malformed', 'The content type needs a boundary of at most 70 characters.');
  return boundary;
}
