import { Buffer } from 'node:buffer';
import { hash } from 'node:crypto';
import { databaseFailureIn } from '../../../shared/failure-retry.ts';
import { fail, type Failure, FailureError } from '../../../shared/failure.ts';
import type { CallFacts } from '../call.ts';
import type { OpenReply } from '../client/client.ts';
import type { ReplyPart } from '../client/range.ts';
import {
  beginsWarning,
  endOfWarnings,
  isBlank,
  isWebPage,
  parseJson,
  quotedReply,
  readServiceErrorBytes,
  refusalWithoutStatus,
  textOf,
} from './json-reply.ts';

/**
 * How much of a reply is inspected before it is passed on: an error in place of bytes is shorter, or shows by then.
 */
const inspectedBytes = 64 * 1024;
const strayBytes = '{}';

/** What servers of the field add behind the bytes of a reply (docs/services.md, "downloadfile"). */
function withoutStrayBytes(body: Buffer): Buffer {
  return body.subarray(-strayBytes.length).toString('latin1') === strayBytes
    ? body.subarray(0, -strayBytes.length)
    : body;
}

/** A service's error under status 200 where bytes were due; null when it is none of those that are known. */
function failureInsteadOfBytes(body: Buffer, facts: CallFacts): Failure | null {
  const { service, address } = facts;
  const text = textOf(withoutStrayBytes(body));
  if (isBlank(text)) return { kind: 'empty-reply', service, address, status: 200 };
  if (isWebPage(text)) return quotedReply('html-reply', { status: 200, body }, facts);
  const database = databaseFailureIn(text);
  if (database !== null) return quotedReply('service-failed', { status: 200, body: Buffer.from(database) }, facts);
  const refusal = refusalWithoutStatus(text, facts);
  if (refusal !== null) return refusal;
  const error = readServiceErrorBytes(body) ?? readServiceErrorBytes(withoutStrayBytes(body));
  if (error === null) return null;
  const message = error.message ?? error.code;
  return quotedReply('request-refused', { status: 200, body: message ? Buffer.from(message) : body }, facts);
}

type WholeFile = Omit<OpenReply, 'part'>;

/**
 * Reads a reply as far as it is inspected. `whole` is all of it; null when it is longer, or announced to be, and
 * `pieces` are then what was read. One that breaks off is whole when it is the sample: some services announce more than
 * they send.
 */
async function shortReply(
  { expectedBytes, chunks }: WholeFile,
  isSample: (body: Buffer) => boolean = () => false,
): Promise<{ pieces: Uint8Array[]; whole: Buffer | null }> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  try {
    while (length <= inspectedBytes && (expectedBytes ?? 0) <= inspectedBytes) {
      const next = await chunks.next();
      if (next.done) return { pieces, whole: Buffer.concat(pieces) };
      pieces.push(next.value);
      length += next.value.length;
    }
    return { pieces, whole: null };
  } catch (error) {
    const body = Buffer.concat(pieces);
    if (!(error instanceof FailureError) || !isBrokenOff(error.failure) || !isSample(body)) throw error;
    return { pieces, whole: body };
  }
}

/** A reply that did not end as it was announced. */
export const isBrokenOff = ({ kind }: Failure): boolean => kind === 'connection-lost' || kind === 'timed-out';

/** A reply as it was before its first chunks were read. */
async function* followedBy(first: Uint8Array[], rest?: OpenReply['chunks']): OpenReply['chunks'] {
  try {
    yield* first;
    if (rest) yield* rest;
  } finally {
    // A reader that leaves among the first chunks has not reached the rest, which holds the connection.
    await rest?.return(undefined);
  }
}

export interface ByteReply {
  /** As the service announced it, in bytes; null when it did not. Counts stray bytes at the end of the file too. */
  expectedBytes: number | null;
  /**
   * Pieces as the connection brings them, at most 64 KiB each. Once only. Iterate it to its end or leave the loop; else
   * the connection may stay open until the signal is aborted. Throws `connection-lost`, `timed-out`, `cancelled`.
   */
  chunks: AsyncIterable<Uint8Array>;
}

/** Bytes of a sample. */
export interface SampleBytes extends ByteReply {
  part: ReplyPart;
  /**
   * What it means if they are not the sample: PHP displays a warning before them. null: none, as far as they were read.
   */
  warned(): Failure | null;
}

/**
 * Passes on the bytes of a sample, unless they are a service's error under status 200 (docs/services.md,
 * "downloadfile"). A short reply with the requested MD5 is the sample, whatever it looks like: a sample may
 * well be a web page, or begin with a warning.
 */
export async function sampleBytes(reply: OpenReply, md5: string): Promise<SampleBytes> {
  const { expectedBytes, chunks, facts, part } = reply;
  // The rest of a file may look like anything.
  if (part.from !== 0) return { expectedBytes, chunks, part, warned: () => null };
  const isSample = (body: Buffer): boolean => hash('md5', body) === md5 || hash('md5', withoutStrayBytes(body)) === md5;
  const { pieces, whole } = await shortReply(reply, isSample);
  if (whole === null) return { expectedBytes, part, ...watched(followedBy(pieces, chunks), facts) };
  const failure = isSample(whole) ? null : failureInsteadOfBytes(whole, facts);
  if (failure) throw new FailureError(failure);
  return { expectedBytes, part, ...watched(followedBy(pieces), facts) };
}

/** A warning is shorter. */
const watchedBytes = 4096;

function watched(chunks: OpenReply['chunks'], facts: CallFacts): Pick<SampleBytes, 'chunks' | 'warned'> {
  let first = Buffer.alloc(0);
  async function* passedOn(): OpenReply['chunks'] {
    for await (const chunk of chunks) {
      if (first.length < watchedBytes) first = Buffer.concat([first, chunk.subarray(0, watchedBytes)]);
      yield chunk;
    }
  }
  return { chunks: passedOn(), warned: () => warnedFailure(first, facts) };
}

function warnedFailure(body: Buffer, facts: CallFacts): Failure | null {
  const text = body.toString('latin1');
  if (!beginsWarning(text)) return null;
  // Of a sample that is shorter than the warning, only a part of the warning came.
  const shown = body.subarray(0, endOfWarnings(text) || body.length);
  return quotedReply('text-around-json', { status: 200, body: shown }, facts);
}

/** How a ZIP's first entry begins, and a ZIP without entries (PKWARE APPNOTE, 4.3.7 and 4.3.16). */
const entrySignature = Buffer.from('PK\x03\x04', 'latin1');
const endSignature = Buffer.from('PK\x05\x06', 'latin1');

/**
 * Passes on the bytes of a ZIP, without PHP's warnings before it. Anything else before it is left for the reader of the
 * archive to pass over: an entry that begins within the inspected bytes makes the reply a ZIP. Any other reply fails by
 * what it is, else as `not-an-archive`.
 */
export async function archiveBytes(reply: WholeFile): Promise<ByteReply> {
  const { expectedBytes, chunks, facts } = reply;
  const { body, pieces } = await beginning(chunks);
  const warnings = endOfWarnings(body.toString('latin1'));
  if (warnings > 0 && beginsArchive(body.subarray(warnings)))
    return { expectedBytes: null, chunks: followedBy([Buffer.concat(pieces).subarray(warnings)], chunks) };
  if (beginsArchive(body) || body.indexOf(entrySignature) >= 0)
    return { expectedBytes, chunks: followedBy(pieces, chunks) };
  await chunks.return(undefined);
  return fail(failureInsteadOfBytes(body, facts) ?? quotedReply('not-an-archive', { status: 200, body }, facts));
}

const beginsArchive = (body: Buffer): boolean =>
  [entrySignature, endSignature].some((signature) => body.subarray(0, signature.length).equals(signature));

/** As much of the reply as it takes to see a ZIP at its start, else all that is inspected. */
async function beginning(chunks: OpenReply['chunks']): Promise<{ body: Buffer; pieces: Uint8Array[] }> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  while (length < inspectedBytes) {
    const next = await chunks.next();
    if (next.done) break;
    pieces.push(next.value);
    const isTooShort = length < entrySignature.length;
    length += next.value.length;
    if (isTooShort && beginsArchive(Buffer.concat(pieces))) break;
  }
  return { body: Buffer.concat(pieces).subarray(0, inspectedBytes), pieces };
}

/**
 * Passes on the bytes of a rule package, stray ones behind them included, unless they are a service's message under
 * status 200 (docs/services.md, "downloadpublication"). A file of rules is a package too: short text is taken for a
 * message when no rule begins in it.
 */
export async function packageBytes(reply: WholeFile): Promise<ByteReply> {
  const { expectedBytes, chunks, facts } = reply;
  const { pieces, whole } = await shortReply(reply);
  if (whole === null) return { expectedBytes, chunks: followedBy(pieces, chunks) };
  const failure = failureInsteadOfBytes(whole, facts) ?? failureOfText(withoutStrayBytes(whole), facts);
  if (failure) throw new FailureError(failure);
  return { expectedBytes, chunks: followedBy(pieces) };
}

/**
 * Passes on the text of a file of rules, unless it is a service's message under status 200, or begins as no such file
 * does: a warning printed before it takes the place of as many bytes at its end (docs/services.md, "exportfile").
 */
export async function rulesBytes({ expectedBytes, chunks, facts }: OpenReply): Promise<ByteReply> {
  const { body, pieces } = await beginning(chunks);
  const failure =
    failureInsteadOfBytes(body, facts) ??
    (fileOfRules.test(body.toString('latin1')) ? null : quotedReply('unreadable-reply', { status: 200, body }, facts));
  if (failure === null) return { expectedBytes, chunks: followedBy(pieces, chunks) };
  await chunks.return(undefined);
  throw new FailureError(failure);
}

/** A comment, a statement or a rule, maybe behind a byte order mark of UTF-8. */
const fileOfRules = /^(?:\xef\xbb\xbf)?\s*(?:\/\*|\/\/|(?:import|include|rule|private|global)\b)/;

function failureOfText(body: Buffer, facts: CallFacts): Failure | null {
  const text = printableText(body);
  const isPackage = text === null || (beginsRule(text) && parseJson(text) === undefined);
  return isPackage ? null : quotedReply('request-refused', { status: 200, body }, facts);
}

/** null for what is no text: not UTF-8, or with control characters other than white space. */
function printableText(body: Buffer): string | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(body);
    return /[^\P{Cc}\t\n\f\r]/u.test(text) ? null : text;
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}

/** Comments and strings, closed or not: a pattern that always matches where it begins takes linear time. */
const notCode = /\/\*[^]*?(?:\*\/|$)|\/\/[^\n]*|"(?:\\.|[^"\\\n])*"?/g;

/** Whether a YARA rule begins somewhere outside of comments and strings: `rule`, its name, maybe tags, and a brace. */
const beginsRule = (text: string): boolean =>
  /\brule\s+[A-Za-z_]\w{0,127}\s*(?::[\s\w]*)?\{/.test(text.replace(notCode, ' '));
