import type { IncomingMessage, ServerResponse } from 'node:http';
import { fail, success } from '../../shared/failure.ts';
import {
  callLimitBytes,
  type EventLine,
  fileNameHeader,
  heartbeatSeconds,
  sessionHeader,
  sessionRequest,
} from '../../shared/transport.ts';
import type { Dispatch } from '../dispatcher.ts';
import type { EventHub } from '../event-hub.ts';
import { dataHeaders, sendDownload, sendResult } from './http-reply.ts';
import type { ExportsPort, StagingPort } from './ports.ts';
import type { Sessions, StagedOwners } from './session.ts';
import { sendPageFile } from './static-files.ts';

export interface HttpServices {
  dispatch: Dispatch;
  events: EventHub;
  staging: StagingPort;
  exports: ExportsPort;
  pageDirectory: string;
  sessions: Sessions;
  owners: StagedOwners;
  limits: HttpLimits;
}

interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  /** As sent, without the query. */
  path: string;
}
type Answer = (exchange: Exchange, services: HttpServices) => Promise<void>;

const sessionBodyBytes = 1024;
const longestFileName = 1024;

/**
 * The whole surface of the web host. `operation` is what a log entry may say: paths carry keys and are not for logs.
 */
export function routeFor(path: string): { operation: string; answer: Answer } {
  if (path === '/session') return { operation: 'session', answer: swapSession };
  if (path === '/events') return { operation: 'events', answer: openEvents };
  if (path === '/stage') return { operation: 'stage', answer: stage };
  if (path.startsWith('/call/')) return { operation: 'call', answer: call };
  if (path.startsWith('/export/')) return { operation: 'export', answer: takeExport };
  return { operation: 'page', answer: page };
}

async function swapSession({ request, response }: Exchange, { sessions, limits }: HttpServices): Promise<void> {
  checkMethod(request, 'POST');
  checkMediaType(request, 'application/json');
  const read = sessionRequest.safeParse(await readJson(request, 'session', jsonBounds(limits, sessionBodyBytes)));
  const session = read.success ? sessions.swap(read.data.secret) : null;
  if (session === null) fail({ kind: 'link-used' });
  sendResult(response, 200, success({ session }));
}

const jsonBounds = ({ bodyIdleMs, callBodyMs }: HttpLimits, bytes: number): JsonBounds => ({
  bytes,
  idleMs: bodyIdleMs,
  wholeMs: callBodyMs,
});

/** Whatever the dispatcher answers is 200: the call was carried out, and its failure is data like its success. */
async function call(
  { request, response, path }: Exchange,
  { dispatch, sessions, owners, limits }: HttpServices,
): Promise<void> {
  checkMethod(request, 'POST');
  const key = checkSession(request, sessions);
  checkMediaType(request, 'application/json');
  const name = decoded(path.slice('/call/'.length), 'call');
  const input = await readJson(request, name.slice(0, 80), jsonBounds(limits, limits.callBytes));
  owners.handOver(input, key);
  sendResult(response, 200, await dispatch(name, input));
}

async function openEvents({ request, response }: Exchange, { events, sessions, limits }: HttpServices): Promise<void> {
  checkMethod(request, 'GET');
  checkSession(request, sessions);
  streamEvents(response, events, limits);
}

async function stage(
  { request, response }: Exchange,
  { staging, sessions, owners, limits }: HttpServices,
): Promise<void> {
  checkMethod(request, 'POST');
  const key = checkSession(request, sessions);
  checkMediaType(request, 'application/octet-stream');
  const staged = await staging.stageStream(fileNameOf(request), bodyOf(request, limits.bodyIdleMs));
  owners.add(staged.id, key);
  sendResult(response, 200, success(staged));
}

/** No session header: a browser's own download cannot send one. The id is the key, random, and dead after this. */
async function takeExport({ request, response, path }: Exchange, { exports }: HttpServices): Promise<void> {
  checkMethod(request, 'GET');
  const download = exports.take(path.slice('/export/'.length));
  if (download === null) fail({ kind: 'export-gone' });
  await sendDownload(response, download);
}

async function page({ request, response, path }: Exchange, { pageDirectory }: HttpServices): Promise<void> {
  checkMethod(request, 'GET', 'HEAD');
  await sendPageFile(response, pageDirectory, path);
}

function fileNameOf(request: IncomingMessage): string {
  const sent = request.headers[fileNameHeader];
  const name = typeof sent === 'string' ? decoded(sent, 'stage') : '';
  if (name === '' || name.length > longestFileName) {
    fail({
      kind: 'bad-input',
      operation: 'stage',
      issues: [{ path: 'name', message: `a file name of 1 to ${longestFileName} characters` }],
    });
  }
  return name;
}

function decoded(text: string, operation: string): string {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    return fail({ kind: 'bad-input', operation, issues: [{ path: '', message: 'percent-encoded UTF-8' }] }, error);
  }
}

/** What the web host grants a page. Sizes are bytes, times milliseconds. */
export interface HttpLimits {
  callBytes: number;
  /** Time until a request's headers are there, also on a silent connection. */
  headersMs: number;
  /** Until the body of a call is there, however it moves: one that drips would hold a connection for days. */
  callBodyMs: number;
  /** Without a byte of a body that is due. An upload that moves has no limit. */
  bodyIdleMs: number;
  /** How long the rest of a refused request is still read, so that the page gets to see the refusal. */
  refusedBodyMs: number;
  heartbeatMs: number;
  /** Events waiting for one page that does not read them; beyond it the page is disconnected. */
  eventBufferBytes: number;
  connections: number;
}

export const defaultHttpLimits: HttpLimits = {
  callBytes: callLimitBytes,
  headersMs: 10_000,
  callBodyMs: 120_000,
  bodyIdleMs: 60_000,
  refusedBodyMs: 5_000,
  heartbeatMs: heartbeatSeconds * 1000,
  eventBufferBytes: 1024 * 1024,
  connections: 256,
};

/**
 * Only names of ours, so that a page whose DNS name was pointed at 127.0.0.1 (DNS rebinding) is refused;
 * and only our own origin, so that another site's page is. Browsers set both headers and no page can change them.
 * A request that changes something must carry its Origin.
 */
export function checkSender(request: IncomingMessage, port: number): void {
  const [host, ...more] = (request.headersDistinct.host ?? []).map((name) => name.toLowerCase());
  if (host === undefined || more.length > 0 || !ownHosts(port).includes(host))
    fail({ kind: 'sender-refused', reason: 'host' });
  const { origin } = request.headers;
  const mayLackOrigin = request.method === 'GET' || request.method === 'HEAD';
  if (origin === undefined ? !mayLackOrigin : origin !== `http://${host}`)
    fail({ kind: 'sender-refused', reason: 'origin' });
}

function ownHosts(port: number): string[] {
  const names = ['127.0.0.1', 'localhost'];
  const withPort = names.map((name) => `${name}:${port}`);
  // Browsers leave out a scheme's own port.
  return port === 80 ? [...withPort, ...names] : withPort;
}

function checkMethod(request: IncomingMessage, ...allowed: string[]): void {
  if (!allowed.includes(request.method ?? '')) fail({ kind: 'sender-refused', reason: 'method' });
}

/** A type no HTML form can send, so that a request from elsewhere needs a preflight, which is never granted. */
function checkMediaType(request: IncomingMessage, type: string): void {
  const sent = request.headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  if (sent !== type) fail({ kind: 'sender-refused', reason: 'media-type' });
}

/** @returns the key of the session */
function checkSession(request: IncomingMessage, sessions: Sessions): string {
  const key = request.headers[sessionHeader];
  if (key === undefined || key === '') fail({ kind: 'session-missing' });
  if (typeof key !== 'string' || !sessions.accepts(key)) return fail({ kind: 'session-refused' });
  return key;
}

/**
 * A request's body as it comes, with backpressure. Fails with `cancelled` when the sender goes away or sends
 * nothing for `idleMs`; the time a slow reader takes is not counted.
 */
async function* bodyOf(request: IncomingMessage, idleMs: number): AsyncGenerator<Uint8Array> {
  let waiting = true;
  const idle = setTimeout(() => waiting && request.destroy(), idleMs).unref();
  try {
    // Kept alive when the reader stops early: the refusal still has to go out on this connection.
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      waiting = false;
      yield bytesOf(chunk);
      waiting = true;
      idle.refresh();
    }
  } catch (error) {
    fail({ kind: 'cancelled' }, error);
  } finally {
    clearTimeout(idle);
  }
}

function bytesOf(chunk: unknown): Uint8Array {
  if (chunk instanceof Uint8Array) return chunk;
  throw new TypeError('a request body is not bytes');
}

/** Bounds of a JSON body. `wholeMs` is for all of it, `idleMs` for its next byte. */
interface JsonBounds {
  bytes: number;
  idleMs: number;
  wholeMs: number;
}

/** Fails with `body-too-large`, `bad-input` or `cancelled`. */
async function readJson(
  request: IncomingMessage,
  operation: string,
  { bytes, idleMs, wholeMs }: JsonBounds,
): Promise<unknown> {
  if (Number(request.headers['content-length'] ?? 0) > bytes) fail({ kind: 'body-too-large', limitBytes: bytes });
  const late = setTimeout(() => request.destroy(), wholeMs).unref();
  try {
    return parseJson(await wholeOf(bodyOf(request, idleMs), bytes), operation);
  } finally {
    clearTimeout(late);
  }
}

async function wholeOf(body: AsyncIterable<Uint8Array>, limitBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (size > limitBytes) fail({ kind: 'body-too-large', limitBytes });
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function parseJson(bytes: Uint8Array, operation: string): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    return fail({ kind: 'bad-input', operation, issues: [{ path: '', message: 'JSON in UTF-8' }] }, error);
  }
}

/**
 * Streams the host's events to one page as newline-delimited JSON until either end closes. A streamed `fetch` and no
 * `EventSource`, which cannot send the session header. The first line is sent at once: it carries the headers, and
 * shows the page that it is connected. A page that does not read is disconnected rather than kept in memory; it
 * connects again.
 */
function streamEvents(response: ServerResponse, hub: EventHub, limits: HttpLimits): void {
  response.writeHead(200, { ...dataHeaders, 'content-type': 'application/x-ndjson' });
  const isBehind = (): boolean => response.writableLength > limits.eventBufferBytes;
  const write = (line: EventLine): void => {
    response.write(`${JSON.stringify(line)}\n`);
    // Checked again once this turn's lines had their chance to go out: a burst alone makes no page slow.
    if (isBehind()) setImmediate(() => isBehind() && response.destroy());
  };
  const unsubscribe = hub.subscribe((event) => write({ kind: 'event', ...event }));
  const heartbeat = setInterval(() => write({ kind: 'heartbeat' }), limits.heartbeatMs).unref();
  response.once('close', () => {
    unsubscribe();
    clearInterval(heartbeat);
  });
  write({ kind: 'heartbeat' });
}
