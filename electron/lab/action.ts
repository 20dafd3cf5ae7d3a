import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { LabRight } from '../../shared/domain/lab.ts';
import { startingWith } from '../archive/byte-source.ts';
import type { ByteRange } from './stores/blob-store.ts';
import { LabError } from './errors.ts';
import type { Caller } from './tokens.ts';

/** One call whose token, right and method are already checked. */
export interface ActionCall extends RequestParameters {
  caller: Caller;
  request: IncomingMessage;
  /**
   * The request's body as it comes, to be read once. Throws LabError when it is over so many bytes, known before the
   * first is read where its length is announced, and when it comes too slowly.
   */
  body(mostBytes: number): AsyncIterable<Uint8Array>;
  response: ServerResponse;
  /** Puts on record what the call is about, such as hashes, before bytes are sent. The call fails when it cannot. */
  record(about: readonly string[]): Promise<void>;
  /** The same of what was changed, which must be answered even if it cannot be put on record: that is reported. */
  recordChange(about: readonly string[]): Promise<void>;
  /** Requires the caller's right once more: it may be revoked while a long body comes. Throws LabError. */
  recheck(): Promise<void>;
}

export interface Action {
  method: 'GET' | 'POST';
  right: LabRight;
  /** The form of its refusals; JSON where it is not set. */
  refusals?: 'text';
  /** Answers the call. Throws LabError for what the caller did wrong. */
  answer(call: ActionCall): Promise<void>;
}

/** One service behind its own `{base_url}/api.php`, by the names of its actions. */
export type Service = ReadonlyMap<string, Action>;

interface RequestParameters {
  /** Each given at most once. */
  parameters: ReadonlyMap<string, string>;
  /** What was given as `name[]`, in its order, by `name`. */
  lists: ReadonlyMap<string, readonly string[]>;
}

/** A request's target: its path as sent, and its parameters. */
export interface RequestTarget extends RequestParameters {
  path: string;
}

/**
 * Reads an origin-form request target (RFC 9112, section 3.2.1). A parameter given twice is refused: servers differ
 * on which one wins, and a check made on one of them must not let the other through. `name[]` repeats by its nature.
 */
export function readTarget(url: string): RequestTarget {
  if (!url.startsWith('/')) throw new LabError('bad-request', 'The request target is not a path.');
  const [path = '', ...rest] = url.split('?');
  return { path, ...readParameters(rest.join('?')) };
}

function readParameters(query: string): RequestParameters {
  const parameters = new Map<string, string>();
  const lists = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(query)) {
    if (name.endsWith('[]')) {
      append(lists, name.slice(0, -2), value);
      continue;
    }
    if (parameters.has(name)) throw new LabError('repeated-parameter', 'A parameter is given more than once.');
    parameters.set(name, value);
  }
  return { parameters, lists };
}

function append(lists: Map<string, string[]>, name: string, value: string): void {
  const list = lists.get(name);
  if (list === undefined) lists.set(name, [value]);
  else list.push(value);
}

/** An MD5 in lower case. Upper case is taken too: the case of a hex digit has no meaning. */
export function md5Parameter(parameters: ReadonlyMap<string, string>, name: string): string {
  return givenMd5(parameters.get(name), name);
}

/** The same for a value that may come from elsewhere. */
export function givenMd5(value: string | null | undefined, name: string): string {
  if (!value) throw new LabError('missing-parameter', `The parameter "${name}" is missing.`);
  return readMd5(value, name);
}

/** The MD5s of a list, each once, in the order of their first mention. */
export function md5List(lists: RequestParameters['lists'], name: string): string[] {
  const values = lists.get(name);
  if (values === undefined) throw new LabError('missing-parameter', `The parameter "${name}[]" is missing.`);
  return [...new Set(values.map((value) => readMd5(value, `${name}[]`)))];
}

function readMd5(value: string, name: string): string {
  if (!/^[0-9a-f]{32}$/i.test(value))
    throw new LabError('bad-parameter', `"${name}" is not an MD5: 32 hexadecimal characters.`);
  return value.toLowerCase();
}

export function sendJson(response: ServerResponse, status: number, value: unknown): void {
  sendJsonText(response, status, JSON.stringify(value));
}

export function sendJsonText(response: ServerResponse, status: number, text: string): void {
  const body = Buffer.from(text);
  response.writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': body.length });
  response.end(body);
}

/**
 * Sends chunks as fast as the client takes them. The first is read ahead of the headers, so that damage that shows
 * there can still be answered with an error.
 */
export async function sendChunks(
  response: ServerResponse,
  status: number,
  headers: OutgoingHttpHeaders,
  source: AsyncIterable<Uint8Array>,
): Promise<void> {
  const chunks = source[Symbol.asyncIterator]();
  try {
    const first = await chunks.next();
    response.writeHead(status, headers);
    await pipeline(startingWith(first, chunks), response);
  } finally {
    await chunks.return?.();
  }
}

/** Aborted when the client has gone: no work is done for one that cannot receive the answer. */
export function whileConnected({ response }: Pick<ActionCall, 'response'>): AbortSignal {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  if (response.destroyed) gone.abort();
  return gone.signal;
}

const comeAgainSeconds = 5;

/**
 * Answers so many calls at a time, each of which holds memory; one more must come again, before anything of it is read.
 * `refusal` states to a person how many there may be.
 */
export function atMost<Call>(
  most: number,
  refusal: string,
  answer: (call: Call) => Promise<void>,
): (call: Call) => Promise<void> {
  let running = 0;
  return async (call) => {
    if (running >= most) throw new LabError('busy', refusal, { 'Retry-After': String(comeAgainSeconds) });
    running += 1;
    try {
      await answer(call);
    } finally {
      running -= 1;
    }
  };
}

/**
 * Reads a Range header (RFC 9110, section 14.2): null for the whole. One range of bytes is served; several, another
 * unit or anything unreadable is ignored, as the RFC allows. A range beyond the end is refused with 416.
 */
export function readRange(header: string | undefined, sizeBytes: number): ByteRange | null {
  const read = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? '');
  if (read === null) return null;
  const [, first = '', last = ''] = read;
  if (first === '') return last === '' ? null : suffix(Number(last), sizeBytes);
  if (last !== '' && Number(last) < Number(first)) return null;
  if (Number(first) >= sizeBytes) return refuse(sizeBytes);
  return { first: Number(first), last: last === '' ? sizeBytes - 1 : Math.min(Number(last), sizeBytes - 1) };
}

function suffix(length: number, sizeBytes: number): ByteRange {
  if (length === 0 || sizeBytes === 0) return refuse(sizeBytes);
  return { first: Math.max(0, sizeBytes - length), last: sizeBytes - 1 };
}

function refuse(sizeBytes: number): never {
  throw new LabError('range-not-satisfiable', 'The range is beyond the end of the file.', {
    'Content-Range': `bytes */${sizeBytes}`,
  });
}
