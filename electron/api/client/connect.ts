import { Buffer } from 'node:buffer';
import { connect, isIP, type Socket } from 'node:net';
import { fail, FailureError } from '../../../shared/failure.ts';
import type { CallFacts } from '../call.ts';
import type { Connection } from '../connections.ts';
import { bareHost, isLoopback, type ResolveHost, settledLookup, systemResolve } from './address.ts';
import { closedError, awaitConnected, unlessAborted } from './attempt.ts';
import { errorCode } from './failures.ts';
import type { ServiceRequest } from './requests.ts';
import { createTlsClient } from './trust.ts';

/**
 * The one function needed of `node:http`. An import would take all of the module, its WebSocket included, for which
 * Node loads a client that is never used: that took a tenth of the program's start.
 */
export const { request: httpRequest } = process.getBuiltinModule('node:http');

/** An http proxy between us and a service. */
export interface Proxy {
  host: string;
  port: number;
  /** `Proxy-Authorization`, from the user info of the proxy's address. */
  authorization: string | null;
}

/** A connection on which nothing has been sent to the service. */
interface OpenConnection {
  socket: Socket;
  /** The address that answered; null when a proxy was between, and it is unknown here. */
  peer: string | null;
  /** The proxy that takes requests itself, as it does for plain http; null when they go to the service. */
  forwardingProxy: Proxy | null;
}

/**
 * Connects to a service, through a proxy where one is set, and proves who answers. Throws failures, network errors as
 * Node made them, or the signal's reason.
 */
export async function openConnection(
  { origin, trust, facts, proxyFor, resolve }: ServiceRequest,
  signal: AbortSignal,
): Promise<OpenConnection> {
  const tls = origin.protocol === 'https:' ? createTlsClient(trust, facts) : null;
  const proxy = await unlessAborted(findProxy(origin, proxyFor, facts), signal);
  const host = bareHost(origin.hostname);
  const port = Number(origin.port || (tls ? 443 : 80));
  const plain =
    proxy === null ? await openTcp(host, port, resolve, signal) : await throughProxy(origin, proxy, facts, signal);
  const socket = tls === null ? plain : await tls.secure(plain, host, signal);
  return {
    socket,
    peer: proxy === null ? (socket.remoteAddress ?? null) : null,
    forwardingProxy: tls === null ? proxy : null,
  };
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
  await awaitConnected(socket, 'connect', signal);
  return socket;
}

/** The proxy for a target; null for loopback, whatever the environment sets: the lab's token goes to no proxy. */
async function findProxy(target: URL, proxyFor: Connection['proxyFor'], facts: CallFacts): Promise<Proxy | null> {
  if (isLoopback(target.hostname)) return null;
  const named = await proxyFor(target.origin);
  if (named === null) return null;
  const url = URL.parse(named);
  if (url?.protocol !== 'http:' || url.hostname === '') return fail(proxyFailure('PROXY_ADDRESS', facts));
  return { host: bareHost(url.hostname), port: Number(url.port || 80), authorization: authorizationOf(url) };
}

/**
 * Asks the proxy for a tunnel to an https service (RFC 9110, 9.3.6), so that it sees host and port and nothing else.
 * Resolves with the same socket, now leading to the service.
 */
async function tunnel(
  socket: Socket,
  proxy: Proxy,
  target: URL,
  facts: CallFacts,
  signal: AbortSignal,
): Promise<Socket> {
  const authority = `${target.hostname}:${target.port || '443'}`;
  const answer = await requestTunnel(socket, authority, proxyHeaders(proxy, authority), signal);
  if (answer.status < 200 || answer.status > 299) {
    socket.destroy();
    fail(proxyFailure(String(answer.status), facts));
  }
  if (answer.head.length > 0) socket.unshift(answer.head);
  return socket;
}

function requestTunnel(
  socket: Socket,
  authority: string,
  headers: Record<string, string>,
  signal: AbortSignal,
): Promise<{ status: number; head: Buffer }> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => {
      socket.destroy();
      reject(signal.reason);
    };
    const outgoing = httpRequest({
      method: 'CONNECT',
      path: authority,
      headers,
      setHost: false,
      createConnection: () => socket,
    });
    outgoing.on('connect', (response, _, head) => {
      signal.removeEventListener('abort', onAbort);
      resolve({ status: response.statusCode ?? 0, head });
    });
    outgoing.on('error', reject);
    outgoing.on('close', () => reject(closedError()));
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
    else outgoing.end();
  });
}

/** The headers meant for the proxy itself. */
export function proxyHeaders(proxy: Proxy, authority: string): Record<string, string> {
  return { Host: authority, ...(proxy.authorization === null ? {} : { 'Proxy-Authorization': proxy.authorization }) };
}

function proxyFailure(
  code: string,
  { service, address }: CallFacts,
): { kind: 'unreachable'; service: CallFacts['service']; address: string; reason: 'proxy'; code: string } {
  return { kind: 'unreachable', service, address, reason: 'proxy', code };
}

function authorizationOf(url: URL): string | null {
  if (url.username === '' && url.password === '') return null;
  return `Basic ${Buffer.from(`${unquoted(url.username)}:${unquoted(url.password)}`).toString('base64')}`;
}

/** User info as it was meant; left as it is when it is not valid percent-encoding. */
function unquoted(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return text;
    throw error;
  }
}
