import type { ClientRequest, IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { connect, isIP, type Socket } from 'node:net';
import { fail, FailureError } from '../../shared/failure.ts';
import type { Attempt } from './attempt.ts';
import type { CallFacts } from './call.ts';
import type { Hop } from './hop.ts';
import { errorCode } from './network-failures.ts';
import { request } from './node-http.ts';
import { closedError, opened, unlessAborted } from './opened.ts';
import { bareHost, findProxy, type Proxy, proxyFailure, proxyHeaders, tunnel } from './proxy.ts';
import type { RequestBody } from './request-body.ts';
import { type ResolveHost, settledLookup, systemResolve } from './resolve-host.ts';
import { sendBody, type Sending } from './sending.ts';
import { createTlsClient, type TlsClient } from './trust.ts';

/** A reply whose head has arrived. Its socket serves this one exchange and is then destroyed. */
export interface Exchange {
  response: IncomingMessage;
  socket: Socket;
  /** The address that answered; null when a proxy stood between, and nobody here knows. */
  peer: string | null;
}

/**
 * Sends one GET, or a POST when there is something to send, over a connection of its own and waits for the head of the
 * reply. A connection is never used twice: bytes a server sends after its reply (docs/services.md, "downloadfile") can
 * then spoil no other call. Throws failures, network errors as Node made them, `SourceError`, or the attempt's reason.
 */
export async function exchange(hop: Hop, attempt: Attempt, sending?: Sending): Promise<Exchange> {
  const { origin, path, facts, timeouts } = hop;
  attempt.signal.throwIfAborted();
  attempt.enter('connect', timeouts.connectSeconds);
  const tls = origin.protocol === 'https:' ? createTlsClient(hop.trust, facts) : null;
  const proxy = await unlessAborted(findProxy(origin, hop.proxyFor, facts), attempt.signal);
  const socket = await openSocket(hop, proxy, tls, attempt.signal);
  attempt.signal.addEventListener('abort', () => socket.destroy(), { once: true });
  attempt.enter('first-byte', timeouts.firstByteSeconds);
  try {
    const peer = proxy === null ? (socket.remoteAddress ?? null) : null;
    const asked = openRequest(origin, tls === null ? proxy : null, path, socket, sending?.body);
    const answered = responseTo(asked, socket, attempt.signal);
    if (sending) await sendBody(asked, socket, answered, sending, attempt);
    else asked.end();
    const response = await answered;
    // A reply that nobody begins to read must not hold its connection for ever.
    attempt.enter('idle', timeouts.idleSeconds);
    return { response, socket, peer };
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

async function openSocket(
  { origin, resolve, facts }: Hop,
  proxy: Proxy | null,
  tls: TlsClient | null,
  signal: AbortSignal,
): Promise<Socket> {
  const host = bareHost(origin.hostname);
  const port = Number(origin.port || (tls ? 443 : 80));
  const socket =
    proxy === null ? await openTcp(host, port, resolve, signal) : await throughProxy(origin, proxy, facts, signal);
  return tls === null ? socket : tls.secure(socket, host, signal);
}

async function throughProxy(target: URL, proxy: Proxy, facts: CallFacts, signal: AbortSignal): Promise<Socket> {
  try {
    const socket = await openTcp(proxy.host, proxy.port, systemResolve, signal);
    return target.protocol === 'https:' ? await tunnel(socket, proxy, target, facts, signal) : socket;
  } catch (error) {
    if (error instanceof FailureError || errorCode(error) === '') throw error;
    return fail(proxyFailure(errorCode(error), facts));
  }
}

async function openTcp(host: string, port: number, resolve: ResolveHost, signal: AbortSignal): Promise<Socket> {
  const addresses = isIP(host) === 0 ? await unlessAborted(resolve(host), signal) : [];
  const socket = connect({ host, port, lookup: settledLookup(addresses) });
  await opened(socket, 'connect', signal);
  return socket;
}

function openRequest(
  target: URL,
  proxy: Proxy | null,
  path: string,
  socket: Socket,
  body: RequestBody | undefined,
): ClientRequest {
  return request({
    method: body ? 'POST' : 'GET',
    path: (proxy === null ? '' : target.origin) + path,
    headers: {
      ...headersFor(target, proxy),
      ...(body ? { 'Content-Type': body.contentType, 'Content-Length': body.sizeBytes } : {}),
    },
    setHost: false,
    createConnection: () => socket,
  });
}

function responseTo(asked: ClientRequest, socket: Socket, signal: AbortSignal): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    socket.once('close', () => reject(signal.aborted ? signal.reason : closedError()));
    // A reply that is complete is not spoiled by what comes after it: later errors show in the reply, or nowhere.
    asked.on('error', (error) => reject(signal.aborted ? signal.reason : error));
    asked.on('upgrade', () =>
      reject(Object.assign(new Error('the reply switches protocols'), { code: 'HPE_UPGRADE' })),
    );
    asked.on('response', (response) => {
      response.on('error', () => socket.destroy());
      resolve(response);
    });
    if (socket.destroyed) reject(signal.aborted ? signal.reason : closedError());
  });
}

/** No cookies: a session's cookie would override the token. No compression: lengths and hashes must mean the file. */
function headersFor(target: URL, proxy: Proxy | null): OutgoingHttpHeaders {
  const own = {
    Host: target.host,
    Accept: '*/*',
    'Accept-Encoding': 'identity',
    'User-Agent': 'Vitrine',
    Connection: 'close',
  };
  return proxy === null ? own : { ...own, ...proxyHeaders(proxy, target.host) };
}
