import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { BlockList, isIP, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { systemErrorCode } from '../../shared/disk-failure.ts';
import { fail, FailureError } from '../../shared/failure.ts';
import { type Action, readTarget, type RequestTarget, sendJson, type Service } from './action.ts';
import { LabError, OperatorError, rawError, sendError } from './errors.ts';
import { RequestBody } from './request-body.ts';
import { StoreUnavailable } from './stores/blob-store.ts';
import type { Caller, CallerOf } from './tokens.ts';

export interface LabServerOptions {
  /** 0 for any free port. */
  port: number;
  /** The address to listen on; 127.0.0.1 where it is not set. */
  address?: string;
  /**
   * Names that a Host header may have besides 127.0.0.1 and localhost, in lower case. One without a port is accepted
   * alone and with the port that is listened on.
   */
  hosts?: readonly string[];
  /** Each service under the path its `api.php` has, such as `/repository/api.php`. */
  services: ReadonlyMap<string, Service>;
  /**
   * What a path answers a GET with that is no service's, and takes no token: it is the secret itself. Null for a path
   * that is none.
   */
  linkAt?: LinkAt;
  callerOf: CallerOf;
  /** What is answered without a token and under any name, such as whether it is ready. Null for any other path. */
  probeAt?: (path: string) => Promise<Probed> | null;
  watch?: LabWatch;
  /** Proxies whose `X-Forwarded-For` is believed, as addresses. */
  trustedProxies?: readonly string[];
  /** Receives defects and damaged data; never addresses, which carry tokens. */
  report: (error: unknown) => void;
  limits?: LabLimits;
}

export type LinkAt = (path: string) => Promise<((response: ServerResponse) => Promise<void>) | null>;

interface Probed {
  status: number;
  body: object;
}

/** What an operator of a lab hears of its calls. Nothing of it holds a token. */
export interface LabWatch {
  /** Refuses a caller that asks too often. Throws LabError. */
  admit(caller: Caller): void;
  /** Puts on record who asks for what. */
  record(entry: { caller: Caller; action: string; about: readonly string[]; from: string }): Promise<void>;
  /** Once the answer is sent or the connection is lost. */
  answered(call: AnsweredCall): void;
}

export interface AnsweredCall {
  /** Null where no action was reached. */
  action: string | null;
  caller: Caller | null;
  /** The address of the client, or what a trusted proxy gives for it. */
  from: string;
  /** 0 where the client was gone before. */
  status: number;
  milliseconds: number;
  /** Of the bodies, as far as they came. */
  receivedBytes: number;
  sentBytes: number;
}

export interface LabLimits {
  connections: number;
  /** Until a request's headers are there. */
  headersMs: number;
  /** Until a request's body is there, besides a second for each KiB of it: an upload that moves is never cut off. */
  bodyMs: number;
  /** How long what a refused client still sends is taken in, so that it can read why. */
  dropMs: number;
  /** How long the client may send nothing where it is waited for, and may read nothing that is there for it. */
  idleMs: number;
}

export interface LabServer {
  readonly port: number;
  /** Takes no new call, lets running ones end for the grace given, then cuts them off. */
  close(graceMs: number): Promise<void>;
}

/** For Vitrine, its tools and a few other clients; more are refused rather than kept in memory. */
const usualLimits: LabLimits = { connections: 256, headersMs: 10_000, bodyMs: 300_000, dropMs: 2_000, idleMs: 120_000 };
const keepAliveMs = 5_000;
/** For what an action does after its connection was cut off. */
const settleMs = 5_000;

/** Fails with `port-busy`. */
export async function serveLab(options: LabServerOptions): Promise<LabServer> {
  const limits = options.limits ?? usualLimits;
  const server = createServer({
    maxHeaderSize: headerBytesAtMost,
    headersTimeout: limits.headersMs,
    // Node's own would cut off a long upload; RequestBody minds its pace.
    requestTimeout: 0,
    keepAliveTimeout: keepAliveMs,
    connectionsCheckingInterval: Math.min(limits.headersMs, keepAliveMs),
    // A request without one is refused like a foreign one, with a readable answer.
    requireHostHeader: false,
  });
  server.maxConnections = limits.connections;
  server.setTimeout(limits.idleMs);
  server.on('clientError', refuseUnreadable);
  const port = await listen(server, options.port, options.address ?? loopback);
  const front: Front = {
    linkAt: async () => null,
    probeAt: () => null,
    watch: unwatched,
    ...options,
    trustedProxies: addressList(options.trustedProxies ?? []),
    hosts: hostsWith(options.hosts ?? [], port),
    limits,
  };
  const answering = new Set<Promise<void>>();
  const onRequest = (request: IncomingMessage, response: ServerResponse): void => {
    response.once('close', () => server.listening || server.closeIdleConnections());
    const answered = answer(front, request, response).finally(() => void answering.delete(answered));
    answering.add(answered);
  };
  server.on('request', onRequest);
  // A client that sends `Expect: 100-continue` gets the go-ahead when its body is read, and sends no body when refused.
  server.on('checkContinue', onRequest);
  return {
    port,
    close: async (graceMs) => {
      await close(server, graceMs);
      // What was committed for a client that was cut off is still to be put on record.
      await Promise.race([Promise.allSettled(answering), delay(settleMs, undefined, { ref: false })]);
    },
  };
}

const loopback = '127.0.0.1';

function hostsWith(named: readonly string[], port: number): string[] {
  const own = [loopback, 'localhost'].flatMap((name) => [`${name}:${port}`, ...(port === 80 ? [name] : [])]);
  return [...own, ...named.flatMap((name) => (/:\d+$/.test(name) ? [name] : [name, `${name}:${port}`]))];
}

const unwatched: LabWatch = { admit: () => {}, record: async () => {}, answered: () => {} };
type Front = Required<Omit<LabServerOptions, 'address' | 'port' | 'trustedProxies'>> & { trustedProxies: BlockList };

/** @returns its port. Fails with `port-busy`, or OperatorError for an address that is not this computer's */
export async function listen(server: Server, port: number, host: string): Promise<number> {
  server.listen({ port, host, exclusive: true });
  try {
    await once(server, 'listening');
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'EADDRINUSE' || error.code === 'EACCES'))
      fail({ kind: 'port-busy', port }, error);
    if (systemErrorCode(error) === null) throw error;
    throw new OperatorError(`The lab cannot listen on ${host} (${systemErrorCode(error)}).`, { cause: error });
  }
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : port;
}

async function answer(front: Front, request: IncomingMessage, response: ServerResponse): Promise<void> {
  harden(response);
  const [probed = ''] = (request.url ?? '').split('?');
  const probe = request.method === 'GET' && !hasBody(request) ? front.probeAt(probed) : null;
  if (probe !== null) {
    const { status, body: found } = await probe;
    return sendJson(response, status, found);
  }
  const body = new RequestBody(request, response, front.limits.bodyMs);
  const call: Pick<AnsweredCall, 'action' | 'caller' | 'from'> = {
    action: null,
    caller: null,
    from: clientAddress(request, front.trustedProxies),
  };
  watchAnswer(front.watch, call, { request, response, body });
  endIdleClient({ response, body });
  try {
    requireOwnHost(request, front.hosts);
    await answerAction(front, call, { request, response, body });
  } catch (error) {
    const refusal = refusalFor(front, response, error);
    if (refusal === null) return;
    if (hasBody(request) && !response.headersSent) response.setHeader('Connection', 'close');
    sendError(response, refusal, refusalForm(front, request.url ?? ''));
    if (request.method === 'POST') await body.drop(front.limits.dropMs);
    response.end();
  }
}

interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  body: RequestBody;
}

async function answerAction(
  front: Front,
  call: Pick<AnsweredCall, 'action' | 'caller' | 'from'>,
  { request, response, body }: Exchange,
): Promise<void> {
  const { path, parameters, lists } = readTarget(request.url ?? '');
  const sendLinked = await front.linkAt(path);
  if (sendLinked !== null) {
    requireMethod(request, 'GET');
    return sendLinked(response);
  }
  const action = askedAction(front, path, parameters);
  requireMethod(request, action.method);
  const name = parameters.get('action') ?? '';
  call.action = name;
  const token = parameters.get('token');
  const caller = await requireCaller(front.callerOf, token);
  call.caller = caller;
  // Before its rights: calls that are refused for them count too.
  front.watch.admit(caller);
  requireRight(caller, action);
  await action.answer({
    parameters,
    lists,
    caller,
    request,
    response,
    body: (mostBytes) => body.read(mostBytes),
    record: (about) => front.watch.record({ caller, action: name, about, from: call.from }),
    recordChange: (about) => front.watch.record({ caller, action: name, about, from: call.from }).catch(front.report),
    recheck: async () => requireRight(await requireCaller(front.callerOf, token), action),
  });
}

function watchAnswer(
  watch: LabWatch,
  call: Pick<AnsweredCall, 'action' | 'caller' | 'from'>,
  { request: { socket }, response, body }: Exchange,
): void {
  const began = performance.now();
  const sentBefore = socket.bytesWritten;
  response.once('close', () =>
    watch.answered({
      ...call,
      status: response.headersSent ? response.statusCode : 0,
      milliseconds: performance.now() - began,
      receivedBytes: body.receivedBytes,
      sentBytes: socket.bytesWritten - sentBefore,
    }),
  );
}

/** Work of the lab has limits of its own: a store that puts a large object together takes its time, and so do scans. */
function endIdleClient({ response, body }: Pick<Exchange, 'response' | 'body'>): void {
  response.on('timeout', (socket: Socket) => {
    if (body.isAwaited || response.writableLength > 0) socket.destroy();
    else socket.setTimeout(socket.timeout ?? 0);
  });
}

/**
 * The last address that no trusted proxy has: what is before it in the header is the client's own word (RFC 7239,
 * section 8.1, which holds for `X-Forwarded-For` too).
 */
function clientAddress({ socket, headers }: IncomingMessage, trusted: BlockList): string {
  const plain = (address: string): string => address.trim().replace(/^::ffff:(?=\d+\.)/i, '');
  const header = headers['x-forwarded-for'] ?? '';
  const hops = [...(typeof header === 'string' ? header : header.join(',')).split(','), socket.remoteAddress ?? ''];
  const known = hops.map(plain).filter((address) => address !== '');
  const own = known.findLast((address) => !isListed(trusted, address));
  return isIP(own ?? '') === 0 ? plain(socket.remoteAddress ?? '') : (own ?? '');
}

/** Compared as numbers: an address of IPv6 has many forms as text. */
function addressList(addresses: readonly string[]): BlockList {
  const list = new BlockList();
  for (const address of addresses) list.addAddress(address, familyOf(address));
  return list;
}

const isListed = (list: BlockList, address: string): boolean =>
  isIP(address) !== 0 && list.check(address, familyOf(address));
const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

/** Nothing here is a page: a browser that is led here must neither render nor store it. */
function harden(response: ServerResponse): void {
  response.setHeader('X-Content-Type-Options', 'nosniff');
  response.setHeader('Content-Security-Policy', `default-src 'none'; sandbox`);
  response.setHeader('Cross-Origin-Resource-Policy', 'same-origin');
  response.setHeader('Referrer-Policy', 'no-referrer');
  response.setHeader('Cache-Control', 'no-store');
}

/** A name that a foreign page made to point here (DNS rebinding) is not ours. */
function requireOwnHost(request: IncomingMessage, hosts: readonly string[]): void {
  const [host, ...more] = (request.headersDistinct.host ?? []).map((name) => name.toLowerCase());
  if (more.length > 0) throw new LabError('foreign-host', 'A request must have one Host header.');
  if (host === undefined || !hosts.includes(host))
    throw new LabError('foreign-host', `The lab accepts only these hosts: ${hosts.join(', ')}.`);
}

/** Asked before the token is: what a caller without one can learn is which actions exist, and nothing else. */
function askedAction({ services }: Front, path: string, parameters: RequestTarget['parameters']): Action {
  const service = services.get(path);
  if (service === undefined) throw new LabError('unknown-address', 'No service at this address.');
  const name = parameters.get('action');
  if (!name) throw new LabError('missing-parameter', 'The parameter "action" is missing.');
  const action = service.get(name);
  if (action === undefined) throw new LabError('unknown-action', 'This service does not know this action.');
  return action;
}

/** By the address alone, which may itself be what is refused. */
function refusalForm({ services }: Front, url: string): 'json' | 'text' {
  const [path = '', ...query] = url.split('?');
  const [name, ...more] = new URLSearchParams(query.join('?')).getAll('action');
  return name !== undefined && more.length === 0 && services.get(path)?.get(name)?.refusals === 'text'
    ? 'text'
    : 'json';
}

function requireMethod(request: IncomingMessage, method: Action['method']): void {
  if (request.method !== method) throw new LabError('wrong-method', `Use ${method}.`, { Allow: method });
  if (method === 'GET' && hasBody(request)) throw new LabError('body-not-expected', 'This action has no body.');
}

/**
 * A body that will not be read: the connection must end with the answer, or it would be read to its end for nothing.
 */
function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

async function requireCaller(callerOf: CallerOf, token: string | undefined): Promise<Caller> {
  if (!token) throw new LabError('token-missing', 'The parameter "token" is missing.');
  const caller = await callerOf(token);
  if (caller === null) throw new LabError('token-unknown', 'Unknown token.');
  return caller;
}

function requireRight({ rights }: Caller, { right }: Action): void {
  if (!rights.has(right)) throw new LabError('right-missing', `This token has no right to ${right}.`);
}

/** As long as a database or a proxy takes to come back. */
const retryAfterSeconds = '5';

/** The answer that refuses a call; null when the client is gone. Errors that the caller did not cause are reported. */
function refusalFor({ report }: Front, response: ServerResponse, error: unknown): LabError | null {
  if (error instanceof LabError) return error;
  if (response.destroyed && isClientGone(error)) return null;
  const kind = error instanceof FailureError ? error.failure.kind : null;
  if (kind === 'cancelled') return new LabError('busy', 'The lab is stopping.');
  report(error);
  if (error instanceof StoreUnavailable)
    return new LabError('unavailable', 'The storage of the lab does not answer.', { 'Retry-After': retryAfterSeconds });
  // Its keys were revoked, for example, while the lab served.
  if (error instanceof OperatorError)
    return new LabError('unavailable', 'The lab cannot use its storage. Its log has the reason.', {
      'Retry-After': retryAfterSeconds,
    });
  switch (kind) {
    case 'vault-damaged':
    case 'not-in-vault':
      return new LabError('file-damaged', 'The bytes of this file are damaged.');
    case 'disk-full':
      return new LabError('disk-full', 'The disk of the lab is full.');
    default:
      return new LabError('internal', 'The lab failed.');
  }
}

/** What `pipeline` reports when the other side closed the connection before it had everything. */
function isClientGone(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    ['ERR_STREAM_PREMATURE_CLOSE', 'ECONNRESET', 'EPIPE', 'ERR_STREAM_UNABLE_TO_PIPE'].includes(String(error.code))
  );
}

async function close(server: Server, graceMs: number): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearTimeout(timer);
}

/** An address of 64 KiB, about 1,600 hashes of a bulk download, and the headers beside it. */
const headerBytesAtMost = 80 * 1024;

/** Answers bytes that are no request Node could read, or one that took too long, and hangs up. */
function refuseUnreadable(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const refusal = refusalOfParser(error.code);
  socket.end(rawError(refusal, STATUS_CODES[refusal.status] ?? 'Error'), () => socket.destroy());
}

function refusalOfParser(code: string | undefined): LabError {
  if (code === 'HPE_HEADER_OVERFLOW')
    return new LabError(
      'request-too-large',
      `The address and headers together are over ${headerBytesAtMost / 1024} KiB.`,
    );
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return new LabError('request-timeout', 'The request did not arrive in time.');
  return new LabError('bad-request', 'The lab cannot read this request.');
}

/**
 * What this layer needs of `node:http`. It is not imported: an import would load all of the module, and its WebSocket
 * too, for which Node reads an unused client. That took a tenth of the program's start.
 */
const { createServer, STATUS_CODES } = process.getBuiltinModule('node:http');
