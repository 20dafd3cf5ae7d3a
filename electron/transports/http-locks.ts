import type { IncomingMessage } from 'node:http';
import { fail } from '../../shared/failure.ts';
import { sessionHeader } from '../../shared/transport.ts';
import type { Sessions } from './session.ts';

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

export function checkMethod(request: IncomingMessage, ...allowed: string[]): void {
  if (!allowed.includes(request.method ?? '')) fail({ kind: 'sender-refused', reason: 'method' });
}

/** A type no HTML form can send, so that a request from elsewhere needs a preflight, which is never granted. */
export function checkMediaType(request: IncomingMessage, type: string): void {
  const sent = request.headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  if (sent !== type) fail({ kind: 'sender-refused', reason: 'media-type' });
}

/** @returns the key of the session */
export function checkSession(request: IncomingMessage, sessions: Sessions): string {
  const key = request.headers[sessionHeader];
  if (key === undefined || key === '') fail({ kind: 'session-missing' });
  if (typeof key !== 'string' || !sessions.accepts(key)) return fail({ kind: 'session-refused' });
  return key;
}
