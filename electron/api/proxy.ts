import { Buffer } from 'node:buffer';
import type { Socket } from 'node:net';
import { fail } from '../../shared/failure.ts';
import { isLoopback } from './address.ts';
import type { CallFacts } from './call.ts';
import type { Connection } from './connection.ts';
import { request } from './node-http.ts';
import { closedError } from './opened.ts';

/** An http proxy between us and a service. */
export interface Proxy {
  host: string;
  port: number;
  /** `Proxy-Authorization`, from the user info of the proxy's address. */
  authorization: string | null;
}

/** The proxy for a target; null for loopback, whatever the environment says: the lab's token goes to no proxy. */
export async function findProxy(
  target: URL,
  proxyFor: Connection['proxyFor'],
  facts: CallFacts,
): Promise<Proxy | null> {
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
export async function tunnel(
  socket: Socket,
  proxy: Proxy,
  target: URL,
  facts: CallFacts,
  signal: AbortSignal,
): Promise<Socket> {
  const authority = `${target.hostname}:${target.port || '443'}`;
  const answer = await askForTunnel(socket, authority, proxyHeaders(proxy, authority), signal);
  if (answer.status < 200 || answer.status > 299) {
    socket.destroy();
    fail(proxyFailure(String(answer.status), facts));
  }
  if (answer.head.length > 0) socket.unshift(answer.head);
  return socket;
}

function askForTunnel(
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
    const asked = request({
      method: 'CONNECT',
      path: authority,
      headers,
      setHost: false,
      createConnection: () => socket,
    });
    asked.on('connect', (response, _, head) => {
      signal.removeEventListener('abort', onAbort);
      resolve({ status: response.statusCode ?? 0, head });
    });
    asked.on('error', reject);
    asked.on('close', () => reject(closedError()));
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
    else asked.end();
  });
}

/** The headers meant for the proxy itself. */
export function proxyHeaders(proxy: Proxy, authority: string): Record<string, string> {
  return { Host: authority, ...(proxy.authorization === null ? {} : { 'Proxy-Authorization': proxy.authorization }) };
}

export function proxyFailure(
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

/** A host as sockets take it: an IPv6 address without its brackets. */
export function bareHost(hostname: string): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
}
