import { Buffer } from 'node:buffer';
import type { Socket } from 'node:net';
import type { SocksClientOptions } from 'socks';
import { fail, FailureError, type FailureOf } from '../../../shared/failure.ts';
import type { CallFacts } from '../call.ts';
import { closedError, unlessAborted } from './attempt.ts';
import { bareHost } from './address.ts';
import { basicAuthorization, errorCode, proxyLoginFailure } from './failures.ts';
import { secureProxy } from './trust.ts';

/**
 * The one function needed of `node:http`. An import would take all of the module, its WebSocket included, for which
 * Node loads a client that is never used: that took a tenth of the program's start.
 */
export const { request: httpRequest } = process.getBuiltinModule('node:http');

type Reason = Extract<FailureOf<'unreachable'>['reason'], `proxy${string}`>;

/** A proxy between us and a service. */
export interface Proxy {
  kind: 'http' | 'https' | 'socks4' | 'socks5';
  host: string;
  port: number;
  /** From the user info of the proxy's address. */
  login: { username: string; password: string } | null;
}

/** By their schemes. Names are resolved by the proxy, whatever the scheme: `socks5` is no different from `socks5h`. */
const kinds: ReadonlyMap<string, Proxy['kind']> = new Map([
  ['http', 'http'],
  ['https', 'https'],
  ['socks', 'socks5'],
  ['socks5', 'socks5'],
  ['socks5h', 'socks5'],
  ['socks4', 'socks4'],
  ['socks4a', 'socks4'],
]);
const usualPorts = { http: 80, https: 443, socks4: 1080, socks5: 1080 } as const;
/** The longest user name or password that SOCKS5 can carry (RFC 1929). */
const longestSocksWord = 255;

/**
 * Reads the address of a proxy, `scheme://[user:password@]host:port`. What cannot be used is given as the reason and
 * the code of its failure; neither ever holds a part of the address that could be secret.
 */
export function readProxy(named: string): Proxy | { reason: Reason; code: string } {
  const [, scheme, rest = ''] = /^([a-z][a-z0-9+.-]{0,31}):\/\/(.*)$/is.exec(named.trim()) ?? [];
  if (scheme === undefined) return { reason: 'proxy-address', code: 'PROXY_ADDRESS' };
  const kind = kinds.get(scheme.toLowerCase());
  if (kind === undefined) return { reason: 'proxy-kind', code: scheme.toLowerCase() };
  // Read as http, whose hosts have one normal form. It drops its own port, 80, which https then shows.
  const [url, other] = [URL.parse(`http://${rest}`), URL.parse(`https://${rest}`)];
  const isAddress = url !== null && other !== null && /^\/?$/.test(url.pathname) && !/[?#]/.test(rest);
  if (!isAddress) return { reason: 'proxy-address', code: 'PROXY_ADDRESS' };
  const [username, password] = [unquoted(url.username), unquoted(url.password)];
  if (kind === 'socks5' && [username, password].some((word) => Buffer.byteLength(word) > longestSocksWord))
    return { reason: 'proxy-address', code: 'PROXY_LOGIN_TOO_LONG' };
  return {
    kind,
    host: bareHost(url.hostname),
    port: Number(url.port || other.port || usualPorts[kind]),
    login: username === '' && password === '' ? null : { username, password },
  };
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

/** Where a connection through a proxy leads, and what its failures say. */
interface Route {
  target: URL;
  proxy: Proxy;
  facts: CallFacts;
  connectSeconds: number;
}

/**
 * Makes a connection to a proxy into one to a service (https, or anything by SOCKS), or leaves it at the proxy, which
 * then takes plain http requests itself. Throws failures, or the signal's reason.
 */
export async function leadThroughProxy(
  connect: () => Promise<Socket>,
  route: Route,
  signal: AbortSignal,
): Promise<{ socket: Socket; isForwarding: boolean }> {
  const { target, proxy, facts } = route;
  try {
    const plain = await connect();
    if (proxy.kind === 'socks4' || proxy.kind === 'socks5')
      return { socket: await throughSocks(plain, route, signal), isForwarding: false };
    const socket =
      proxy.kind === 'http'
        ? plain
        : await secureProxy(plain, proxy.host, signal, (code) => fail(proxyFailure('proxy-not-trusted', code, facts)));
    if (target.protocol !== 'https:') return { socket, isForwarding: true };
    return { socket: await tunnel(socket, route, signal), isForwarding: false };
  } catch (error) {
    const code = errorCode(error);
    if (error instanceof FailureError || signal.aborted || code === '') throw error;
    return fail(proxyFailure(/^(HPE_|ERR_SSL_|ERR_HTTP_|EPROTO)/.test(code) ? 'proxy-answer' : 'proxy', code, facts));
  }
}

/**
 * Asks the proxy for a tunnel to an https service (RFC 9110, 9.3.6), so that it sees host and port and nothing else.
 * Resolves with the same socket, now leading to the service.
 */
async function tunnel(socket: Socket, { proxy, target, facts }: Route, signal: AbortSignal): Promise<Socket> {
  const authority = `${target.hostname}:${target.port || '443'}`;
  const answer = await requestTunnel(socket, authority, proxyHeaders(proxy, authority), signal);
  if (answer.status < 200 || answer.status > 299) {
    socket.destroy();
    fail(
      // tinyproxy answers 407 to no login, and 401 to a wrong one.
      answer.status === 407 || answer.status === 401
        ? proxyLoginFailure(answer, proxy.login !== null, facts)
        : proxyFailure('proxy-refused', String(answer.status), facts),
    );
  }
  if (answer.head.length > 0) socket.unshift(answer.head);
  return socket;
}

interface TunnelAnswer {
  status: number;
  challenge: string;
  head: Buffer;
}

function requestTunnel(
  socket: Socket,
  authority: string,
  headers: Record<string, string>,
  signal: AbortSignal,
): Promise<TunnelAnswer> {
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
      const challenge = response.headers['proxy-authenticate'] ?? response.headers['www-authenticate'] ?? '';
      resolve({ status: response.statusCode ?? 0, challenge, head });
    });
    outgoing.on('error', reject);
    outgoing.on('close', () => reject(closedError()));
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
    else outgoing.end();
  });
}

/** The headers meant for the proxy itself. */
export function proxyHeaders({ login }: Proxy, authority: string): Record<string, string> {
  return { Host: authority, ...(login === null ? {} : { 'Proxy-Authorization': basicAuthorization(login) }) };
}

/** Longer than any attempt: the attempt ends the wait, not the library. */
const spareMs = 60_000;

async function throughSocks(socket: Socket, route: Route, signal: AbortSignal): Promise<Socket> {
  const { target, proxy, facts, connectSeconds } = route;
  // Most calls need none of it.
  const { SocksClient } = await import('socks');
  const onAbort = (): void => void socket.destroy();
  signal.addEventListener('abort', onAbort, { once: true });
  const options: SocksClientOptions = {
    proxy: {
      host: proxy.host,
      port: proxy.port,
      type: proxy.kind === 'socks4' ? 4 : 5,
      ...(proxy.login && { userId: proxy.login.username, password: proxy.login.password }),
    },
    command: 'connect',
    // The proxy resolves the name.
    destination: {
      host: bareHost(target.hostname),
      port: Number(target.port || (target.protocol === 'https:' ? 443 : 80)),
    },
    timeout: connectSeconds * 1000 + spareMs,
    existing_socket: socket,
  };
  try {
    if (signal.aborted) onAbort();
    return (await unlessAborted(SocksClient.createConnection(options), signal)).socket;
  } catch (error) {
    socket.destroy();
    signal.throwIfAborted();
    // Its errors hold the proxy's password: only the meaning of the message is kept.
    return fail(socksFailure(error instanceof Error ? error.message : '', proxy, facts));
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

/** By the messages of the library, which gives its errors no codes. */
function socksFailure(message: string, { login }: Proxy, facts: CallFacts): FailureOf<'unreachable'> {
  const refused = /^Socks([45]) proxy rejected connection(?:\W+(\w+))?/i.exec(message);
  if (refused) return proxyFailure('proxy-refused', `SOCKS${refused[1]} ${refused[2] ?? 'Refused'}`, facts);
  if (/authentication failed/i.test(message)) return proxyFailure('proxy-login-refused', 'SOCKS5', facts);
  if (/authentication type/i.test(message))
    return proxyFailure(login === null ? 'proxy-login-missing' : 'proxy-login-unsupported', 'SOCKS5', facts);
  if (/received invalid/i.test(message)) return proxyFailure('proxy-answer', 'SOCKS_ANSWER', facts);
  return proxyFailure('proxy', /\bE[A-Z]{4,}\b/.exec(message)?.[0] ?? 'ECONNRESET', facts);
}

export function proxyFailure(
  reason: Reason,
  code: string,
  { service, address }: Pick<CallFacts, 'service' | 'address'>,
): FailureOf<'unreachable'> {
  return { kind: 'unreachable', service, address, reason, code };
}
