import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { listenOnLoopback } from '../loopback-server.ts';
import type { CellSample } from '../matrix/cell-sample.ts';
import { SoundService } from '../matrix/sound-service.ts';

/** A request for bytes, and what a sound service would send. */
export interface AskedBytes {
  request: IncomingMessage;
  response: ServerResponse;
  whole: Buffer;
}
export type BytesReply = (asked: AskedBytes) => void;

/** The replies to one action in the order of the requests for the same files; the last one is repeated. */
export type Replies = Partial<Record<'downloadfile' | 'bulkdownload', readonly BytesReply[]>>;

/** How bytes are sent; without anything as RFC 9110 has it, the requested range or the whole file. */
export interface Sending {
  /** The place of the file at which the connection breaks. */
  breaksAt?: number;
  /** The place at which the connection falls silent. */
  silentAt?: number;
  ignoresRange?: boolean;
  /** An entity tag or a date that a range must be of: `If-Range` with another one gets the whole file. */
  validator?: Record<'ETag', string> | Record<'Last-Modified', string>;
  /** Sends the range although `If-Range` has another validator. */
  ignoresIfRange?: boolean;
  /** What is sent instead of the file. */
  body?: (whole: Buffer) => Buffer;
  /** null: a part without its place. */
  contentRange?: (from: number, length: number) => string | null;
  /** Whether what is sent comes as gzip, and is then of the length that it has so. */
  isCompressed?: boolean;
  /** Without a length: chunked, so that a break still shows, or to the end of the connection, as HTTP/1.0 does. */
  noLength?: 'chunked' | 'open-ended';
}

export const sends =
  (sending: Sending = {}): BytesReply =>
  ({ request, response, whole }) => {
    const { validator = {}, body = (bytes: Buffer) => bytes, contentRange, isCompressed, noLength } = sending;
    const file = body(whole);
    const from = rangeFor(request, sending, file.length);
    const sent = isCompressed === true ? gzipSync(file.subarray(from ?? 0)) : file.subarray(from ?? 0);
    const range = (contentRange ?? placeOf)(from ?? 0, file.length);
    if (noLength === 'open-ended') response.useChunkedEncodingByDefault = false;
    response.writeHead(from === null ? 200 : 206, {
      ...validator,
      ...(noLength === undefined && { 'Content-Length': sent.length }),
      ...(isCompressed === true && { 'Content-Encoding': 'gzip' }),
      ...(from !== null && range !== null && { 'Content-Range': range }),
    });
    const { breaksAt, silentAt } = sending;
    const end = breaksAt ?? silentAt;
    if (end === undefined) {
      response.end(sent);
      return;
    }
    response.flushHeaders();
    response.write(sent.subarray(0, Math.max(0, end - (from ?? 0))));
    // Behind what is written, so that all of it arrives.
    if (breaksAt !== undefined) request.socket.end();
  };

const placeOf = (from: number, length: number): string => `bytes ${from}-${length - 1}/${length}`;

/** Where the requested part begins; null: the whole file is due. */
function rangeFor({ headers }: IncomingMessage, sending: Sending, length: number): number | null {
  const [, first] = /^bytes=(\d+)-$/.exec(headers.range ?? '') ?? [];
  if (first === undefined || sending.ignoresRange === true) return null;
  const [own = null] = Object.values(sending.validator ?? {});
  const named = headers['if-range'];
  if (named !== undefined && named !== own && sending.ignoresIfRange !== true) return null;
  return Number(first) < length ? Number(first) : null;
}

/** A reply that holds no bytes of the file. */
export const answers =
  (status: number, text = '', headers: Record<string, string> = {}): BytesReply =>
  ({ response }) =>
    void response.writeHead(status, { 'Content-Type': 'text/html; charset=UTF-8', ...headers }).end(text);

/** One reply for a request with a range, another one for any other. */
export const whenResumed =
  (resumed: BytesReply, other: BytesReply): BytesReply =>
  (asked) =>
    (asked.request.headers.range === undefined ? other : resumed)(asked);

/** A sound repository on loopback, but for the replies of the fault that has begun. */
export interface ResumeService {
  baseUrl: string;
  sound: SoundService;
  /** Requests since the last fault began, by action; where bytes from a place on were asked for, with the place. */
  requests: readonly string[];
  begin(replies: Replies): void;
  end(): void;
  /** Resolves when a reply has fallen silent or broken off. */
  inTheMiddle(): Promise<void>;
  close(): Promise<void>;
}

export async function startResumeService(samples: readonly CellSample[]): Promise<ResumeService> {
  const sound = new SoundService(samples);
  const requests: string[] = [];
  const numbers = new Map<string, number>();
  const middle = Promise.withResolvers<void>();
  let replies: Replies = {};
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const parameters = new URLSearchParams(request.url?.split('?')[1] ?? '');
    const action = parameters.get('action') ?? '';
    const files = [...parameters.getAll('file'), ...parameters.getAll('files[]')];
    requests.push(action + placeWords(request) + (action === 'bulkdownload' ? ` (${files.length})` : ''));
    const asked = { action, parameters, headers: request.headers, body: await buffer(request) };
    const { status, body } = await sound.answer(asked);
    const scripted = action === 'downloadfile' || action === 'bulkdownload' ? replies[action] : undefined;
    const key = action === 'downloadfile' ? files.join() : action;
    const number = numbers.get(key) ?? 0;
    numbers.set(key, number + 1);
    const reply = scripted?.[Math.min(number, scripted.length - 1)];
    if (reply !== undefined) reply({ request, response, whole: body });
    else if (action === 'downloadfile') sends()({ request, response, whole: body });
    else response.writeHead(status, { 'Content-Length': body.length }).end(body);
    if (reply !== undefined && !response.writableEnded) middle.resolve();
  };
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  const baseUrl = await listenOnLoopback(server);
  const begin = (next: Replies): void => {
    requests.length = 0;
    numbers.clear();
    replies = next;
  };
  return {
    baseUrl,
    sound,
    requests,
    begin,
    end: () => void (replies = {}),
    inTheMiddle: () => middle.promise,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

function placeWords({ headers: { range } }: IncomingMessage): string {
  const [, from] = /^bytes=(\d+)-$/.exec(range ?? '') ?? [];
  return range === undefined ? '' : ` (${from === undefined ? range : `${from}-`})`;
}
