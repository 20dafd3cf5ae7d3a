import { Buffer } from 'node:buffer';
import { databaseFailureIn } from '../../../shared/failure-retry.ts';
import type { Failure, FailureKind, FailureOf } from '../../../shared/failure.ts';
import type { Redaction } from '../../base/redaction.ts';
import type { CallFacts, WholeReply } from '../call.ts';
import {
  isBlank,
  isBlankBesideNotices,
  isWebPage,
  quotedReply,
  readServiceErrorBytes,
  textOf,
} from '../replies/json-reply.ts';

/** A reply that is not the success that was due. */
interface ErrorReply extends WholeReply {
  /** The `Location` header, as sent. */
  location: string | null;
  retryAfterSeconds: number | null;
  /** The `WWW-Authenticate` header, or for a 407 the `Proxy-Authenticate` header; empty when there is none. */
  challenge: string;
  /** Whether a login was sent to the server, or for a 407 to the proxy. */
  loginSent: boolean;
}

/** The calls that send something which can be too large. */
const withBody: ReadonlySet<string> = new Set(['uploadfiles', 'addcomment', 'scanfile', 'publish']);

/**
 * What an error reply means, by its status and then by its bytes, never by its content type (docs/services.md,
 * "Failures"). Pure and total: any status and any bytes give a failure.
 */
export function failureOfReply(reply: ErrorReply, facts: CallFacts): Failure {
  const { service, address, action } = facts;
  const { status } = reply;
  if (status >= 300 && status < 400) return redirectFailure(reply, facts);
  if (status === 503 && reply.retryAfterSeconds !== null) return slowDownFailure(reply, facts);
  if (status >= 500 && status < 600) return refusedReply('service-failed', reply, facts);
  switch (status) {
    case 401:
      return unauthorizedFailure(reply, facts);
    case 403:
      return forbiddenFailure(reply, facts);
    case 404:
      return notFoundFailure(reply, facts);
    case 405:
      return { kind: 'method-refused', service, address, action };
    // What a server of this family answers to a comment it will not have from this token (docs/services.md,
    // "addcomment").
    case 406:
      return action === 'addcomment'
        ? { kind: 'forbidden', service, address, status, text: '' }
        : { kind: 'method-refused', service, address, action };
    case 407:
      return proxyLoginFailure(reply, reply.loginSent, facts);
    // What refuses an address for its length is often a server in front, and answers with a page: the address is right
    // all the same.
    case 414:
    case 431:
      return refusedReply('request-refused', reply, facts);
    case 413:
      return withBody.has(action)
        ? { kind: 'too-large-for-service', service, address, status }
        : refusedReply('request-refused', reply, facts);
    case 429:
      return slowDownFailure(reply, facts);
    default:
      return otherFailure(reply, facts);
  }
}

const slowDownFailure = ({ status, retryAfterSeconds }: ErrorReply, { service, address }: CallFacts): Failure => ({
  kind: 'slow-down',
  service,
  address,
  status,
  retryAfterSeconds,
});

/**
 * The same for a server that a redirect led to. It got no token and knows of no action, so that its status means
 * nothing for either.
 */
export function failureOfTarget(reply: ErrorReply, facts: CallFacts): Failure {
  const { status } = reply;
  const isAboutTheCall = status >= 400 && status < 500 && ![407, 429].includes(status);
  return isAboutTheCall ? refusedReply('request-refused', reply, facts) : failureOfReply(reply, facts);
}

/** A service refuses a token without a challenge. One that names a login scheme comes from a web server in front. */
function unauthorizedFailure({ status, challenge, loginSent }: ErrorReply, facts: CallFacts): Failure {
  const { service, address } = facts;
  const scheme = loginScheme(challenge);
  if (scheme !== null) return { kind: 'front-login', service, address, scheme, sent: loginSent };
  return facts.hasToken ? { kind: 'token-refused', service, address, status } : { kind: 'token-missing', service };
}

type LoginScheme = FailureOf<'front-login'>['scheme'];
const loginSchemes: readonly LoginScheme[] = ['basic', 'digest', 'negotiate', 'ntlm'];

/** The first of these schemes that a challenge offers (RFC 9110, 11.6.1); null when it offers none. */
function loginScheme(challenge: string): LoginScheme | null {
  const offered = challenge
    .replace(/"(?:[^"\\]|\\.)*"/g, '""')
    .toLowerCase()
    .split(/[\s,]+/);
  return loginSchemes.find((scheme) => offered.includes(scheme)) ?? null;
}

/** What a 407 means, by its `Proxy-Authenticate` header and by whether a login was sent. */
export function proxyLoginFailure(
  { status, challenge }: Pick<ErrorReply, 'status' | 'challenge'>,
  sent: boolean,
  { service, address }: CallFacts,
): FailureOf<'unreachable'> {
  const scheme = loginScheme(challenge);
  const isOther = scheme !== null && scheme !== 'basic';
  const reason = isOther ? 'proxy-login-unsupported' : sent ? 'proxy-login-refused' : 'proxy-login-missing';
  return { kind: 'unreachable', service, address, reason, code: isOther ? `${status} ${scheme}` : String(status) };
}

/** The value of a header that carries a login (RFC 7617). */
export const basicAuthorization = ({ username, password }: { username: string; password: string }): string =>
  `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;

/** 403 is one answer for "no right" and "no such sample", unless the service's JSON states which it means. */
function forbiddenFailure(reply: ErrorReply, facts: CallFacts): Failure {
  const { service, address, action } = facts;
  const hash = requestedHash(facts);
  const said = readServiceErrorBytes(reply.body);
  if (hash !== null && (said === null || action === 'downloadfile'))
    return { kind: 'forbidden-or-unknown', service, address, status: reply.status, hash };
  return refusedReply('forbidden', reply, facts);
}

/**
 * 404: without a text, it is an action that this release does not have; a JSON error is about the hash, unless its code
 * means otherwise; a page is a wrong address.
 */
function notFoundFailure(reply: ErrorReply, facts: CallFacts): Failure {
  const { service, address, action } = facts;
  const hash = requestedHash(facts);
  const said = readServiceErrorBytes(reply.body);
  const about = said?.code ?? '';
  if (isBlankBesideNotices(textOf(reply.body)) || /action/i.test(about))
    return { kind: 'action-unknown', service, address, action };
  if (said !== null && hash !== null && !/address|path|route|url/i.test(about))
    return { kind: 'unknown-hash', service, hash };
  return otherFailure(reply, facts);
}

/**
 * What a refusal is about: the hash of the call, "" when it is one of several and the service does not say which, null
 * when there is none.
 */
function requestedHash({ hashes }: CallFacts): string | null {
  const [first = null] = hashes;
  return hashes.length > 1 ? '' : first;
}

/** What nginx answers, under 400, when it wants another client certificate or any at all; 495 and 496 are its names. */
const certificatePages: readonly (readonly [status: number, words: string, sent: boolean])[] = [
  [496, 'No required SSL certificate was sent', false],
  [495, 'The SSL certificate error', true],
];

function otherFailure(reply: ErrorReply, facts: CallFacts): Failure {
  const { service, address } = facts;
  const { status, body } = reply;
  for (const [ownStatus, words, sent] of certificatePages)
    if (status === ownStatus || (status === 400 && textOf(body).includes(words)))
      return { kind: 'client-certificate', service, address, sent, code: String(status) };
  if (isWebPage(textOf(body))) return quotedReply('html-reply', reply, facts);
  if (status >= 400 && status < 500) return refusedReply('request-refused', reply, facts);
  if (isBlank(textOf(body))) return { kind: 'empty-reply', service, address, status };
  return quotedReply('unreadable-reply', reply, facts);
}

function redirectFailure(reply: ErrorReply, facts: CallFacts): Failure {
  const { service, address, redaction } = facts;
  if (reply.location === null) return { kind: 'redirect-refused', service, target: address, reason: 'no-location' };
  return {
    kind: 'redirected',
    service,
    address,
    status: reply.status,
    target: shownTarget(URL.parse(reply.location, address), redaction),
  };
}

/** Origin and path only: a query or a user name in a redirect is often a secret. */
export function shownTarget(url: URL | null, redaction: Redaction): string {
  if (url === null) return '(unreadable)';
  return redaction.excerpt(
    Buffer.from(url.protocol === 'http:' || url.protocol === 'https:' ? url.origin + url.pathname : url.protocol),
  );
}

/** With the message of the service's JSON error, else the first characters of the body. */
function refusedReply(
  kind: 'service-failed' | 'request-refused' | 'forbidden',
  { status, body }: ErrorReply,
  facts: CallFacts,
): Failure {
  const error = readServiceErrorBytes(body);
  const message = error?.message ?? error?.code ?? databaseFailureIn(textOf(body));
  return quotedReply(kind, { status, body: message ? Buffer.from(message) : body }, facts);
}

/** Alerts about our certificate, by the names of OpenSSL and BoringSSL. A server's own certificate causes none. */
const certificateAlert =
  /_(?:CERTIFICATE_(?:REQUIRED|REVOKED|EXPIRED|UNKNOWN)|(?:BAD|UNSUPPORTED)_CERTIFICATE|UNKNOWN_CA|ACCESS_DENIED)$/;
const isCertificateAlert = (code: string): boolean => /^ERR_SSL_(?:SSL|TLS)/.test(code) && certificateAlert.test(code);

/** Whether a server ended a TLS handshake without saying what it did not accept. */
export const isHandshakeRefusal = (error: unknown): boolean => errorCode(error).endsWith('_HANDSHAKE_FAILURE');

const settingsFrame = 4;
const goawayFrame = 7;

/** Whether what could not be read as HTTP/1.1 begins with a frame about the whole connection (RFC 9113, 4.1 and 6). */
function isHttp2(error: unknown): boolean {
  const packet = error instanceof Error && 'rawPacket' in error ? error.rawPacket : null;
  if (!(packet instanceof Uint8Array) || packet.length < 9) return false;
  return (
    (packet[3] === settingsFrame || packet[3] === goawayFrame) && packet.subarray(5, 9).every((byte) => byte === 0)
  );
}

type Reason = FailureOf<'unreachable'>['reason'];

/** Codes of Node's network errors (`errno`, getaddrinfo, OpenSSL and the HTTP parser) by what they mean to a person. */
const reasons: readonly (readonly [RegExp, Reason])[] = [
  [/^(ENOTFOUND|EAI_.*|ENODATA|ESERVFAIL)$/, 'name'],
  [/^ECONNREFUSED$/, 'refused'],
  [/^(ECONNRESET|ECONNABORTED|EPIPE|ERR_STREAM_PREMATURE_CLOSE|ERR_STREAM_DESTROYED)$/, 'reset'],
  [/^(HPE_.*|ERR_SSL_.*|ERR_HTTP_.*|EPROTO)$/, 'protocol'],
  [/^E[A-Z]+$/, 'network'],
];

/**
 * null for an error that does not come from the network, which is then a defect of ours. `sentCertificate`: a client
 * certificate was sent.
 */
export function failureOfNetworkError(
  error: unknown,
  { service, address }: CallFacts,
  sentCertificate = false,
): Failure | null {
  const code = errorCode(error);
  // With TLS 1.3, a server that refuses our certificate reports it when the request is on its way.
  if (isCertificateAlert(code) && address.startsWith('https:'))
    return { kind: 'client-certificate', service, address, sent: sentCertificate, code };
  if (code.endsWith('NO_APPLICATION_PROTOCOL') || isHttp2(error))
    return { kind: 'unreachable', service, address, reason: 'http2', code };
  const reason = reasons.find(([pattern]) => pattern.test(code))?.[1];
  return reason === undefined ? null : { kind: 'unreachable', service, address, reason, code };
}

export function errorCode(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : '';
  return typeof code === 'string' ? code : '';
}

/**
 * A copy of an error that can be kept: message without secrets, its code, and none of the packets or inputs Node
 * attaches.
 */
export function scrubbedError(error: unknown, redaction: Redaction): Error {
  const message = error instanceof Error ? error.message : 'a value that is not an error was thrown';
  const copy = new Error(redaction.text(message));
  copy.name = error instanceof Error ? error.name : 'Error';
  const code = errorCode(error);
  return code === '' ? copy : Object.assign(copy, { code });
}

const openKinds: ReadonlySet<FailureKind> = new Set<FailureKind>([
  'service-failed',
  'empty-reply',
  'html-reply',
  'unreadable-reply',
  'text-around-json',
  'reply-too-large',
  'encoding-unusable',
]);

/**
 * Answers to a POST after which it may have been taken all the same: a gateway gave up, or the reply is none of the
 * service. The record shows it.
 */
export const leavesOpen = (failure: Failure): boolean =>
  openKinds.has(failure.kind) || (failure.kind === 'slow-down' && failure.status === 503);
