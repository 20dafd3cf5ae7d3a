import { Buffer } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Timeouts, Trust } from '../../../shared/domain/workspace.ts';
import { fail, type FailureOf } from '../../../shared/failure.ts';
import type { Call, CallFacts } from '../call.ts';
import type { BasicCredentials, ClientCertificate, Connection } from '../connections.ts';
import { withoutQuery } from '../query-redaction.ts';
import { isPrivateAddress, isPrivateHost, publicOnly, type ResolveHost } from './address.ts';
import { shownTarget } from './failures.ts';
import type { Proxy } from './proxy.ts';

/** One request of a call: the call's own, or one that a redirect leads to. */
export interface ServiceRequest {
  /** Whom it is sent to. */
  origin: URL;
  /**
   * Path and query, as they are sent. Never shown: the query of the first holds our token, that of a signed link its
   * own secrets.
   */
  path: string;
  /** What its failures say. */
  facts: CallFacts;
  trust: Trust;
  /** For the web server in front of the service; null for any other server. */
  basic: BasicCredentials | null;
  clientCertificate: ClientCertificate | null;
  timeouts: Timeouts;
  proxyFor: Connection['proxyFor'];
  /** The addresses that a name may be reached at; resolved once, and not where a proxy does it. */
  resolve: ResolveHost;
  /** How many redirects led here; 0 for the call's own. */
  redirects: number;
  /** `Range` and `If-Range`, of a download that is resumed. */
  rangeHeaders: Readonly<Record<string, string>>;
}

/** A reply whose head has arrived. Its socket serves this one request and is then destroyed. */
export interface ReplyHead {
  response: IncomingMessage;
  socket: Socket;
  /** The address that answered; null when a proxy was between, and it is unknown here. */
  peer: string | null;
  /** The proxy that was asked for it by its full address; null where the service itself was asked. */
  forwardingProxy: Proxy | null;
}

/** The call's own request to its service. */
export function ownRequest(
  call: Call,
  connection: Connection,
  facts: CallFacts,
  resolve: ResolveHost,
  rangeHeaders: ServiceRequest['rangeHeaders'] = {},
): ServiceRequest {
  const { token, trust, basic, clientCertificate, timeouts, proxyFor } = connection;
  const origin = new URL(facts.address);
  return {
    origin,
    path: origin.pathname + query(call, token),
    facts,
    trust,
    basic,
    clientCertificate,
    timeouts,
    proxyFor,
    resolve,
    redirects: 0,
    rangeHeaders,
  };
}

/**
 * The length in bytes of the address a call is sent to. Servers limit the path and query of it; a proxy may get, and
 * limit, all of it.
 */
export function addressBytes(call: Call, { address }: CallFacts, token: string | null): number {
  return Buffer.byteLength(address + query(call, token));
}

/** The only place where the token meets a URL. */
function query(call: Call, token: string | null): string {
  const named = [
    ['action', call.action] as const,
    ...call.parameters,
    ...(token === null ? [] : [['token', token] as const]),
  ];
  const pairs = named.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value.toWellFormed())}`);
  return `?${pairs.join('&')}`;
}

type Reason = FailureOf<'redirect-refused'>['reason'];

const mostRedirects = 5;
const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

export const isRedirect = (status: number): boolean => redirectStatuses.has(status);

/** The redirects of one try of a call. */
export interface Redirects {
  /**
   * The next request, after a reply that is a redirect (docs/services.md, "downloadpublication"). It carries nothing of
   * ours: no token, no referrer, no cookie; and no login or certificate to another origin than the service's. Only a
   * service that has a private address itself may lead to one. A target's name is resolved once, every address it
   * has is judged, and the connection goes to one of these. Through a proxy it is the proxy that resolves: of what is
   * reached by one, service or target, only an address and a name of this computer are seen to be private.
   *
   * Throws `redirect-refused`; so does the `resolve` of what it gives.
   */
  next(request: ServiceRequest, reply: ReplyHead): ServiceRequest;
}

export function followRedirects(own: ServiceRequest): Redirects {
  let isPrivate: boolean | null = null;
  return {
    next: (request, { response, peer }) => {
      isPrivate ??= isPrivateHost(own.origin.hostname) || (peer !== null && isPrivateAddress(peer));
      const { facts } = request;
      const url = targetOf(response.headers.location ?? '', request);
      const address = shownTarget(url, facts.redaction);
      const refuse = (reason: Reason): never =>
        fail({ kind: 'redirect-refused', service: facts.service, target: address, reason });
      const refusal = refusalOf(url, request) ?? (!isPrivate && isPrivateHost(url.hostname) ? 'private-target' : null);
      if (refusal !== null) refuse(refusal);
      const isElsewhere = url.origin !== own.origin.origin;
      return {
        ...request,
        origin: new URL(url.origin),
        path: url.pathname + url.search,
        facts: {
          ...facts,
          address,
          hashes: [],
          hasToken: false,
          redaction: withoutQuery(facts.redaction, url.search.slice(1)),
        },
        // A pin names one certificate, and that is the service's: it neither proves another server nor condemns it.
        trust: own.trust.kind === 'pin' && isElsewhere ? { kind: 'system' } : own.trust,
        // The server in front of the service is the same for all its addresses, and for no other origin.
        basic: isElsewhere ? null : own.basic,
        clientCertificate: isElsewhere ? null : own.clientCertificate,
        resolve: isPrivate ? own.resolve : publicOnly(own.resolve, () => refuse('private-target')),
        redirects: request.redirects + 1,
      };
    },
  };
}

function refusalOf(url: URL, request: ServiceRequest): Reason | null {
  if (request.redirects >= mostRedirects) return 'too-many';
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'scheme';
  if (url.username !== '' || url.password !== '') return 'user-info';
  if (request.origin.protocol === 'https:' && url.protocol === 'http:') return 'downgrade';
  // Written out, an international name may be longer than what is read as one.
  return URL.canParse(url.origin) ? null : 'no-location';
}

function targetOf(location: string, { origin, path, facts }: ServiceRequest): URL {
  // Node reads a header byte by byte: what is not ASCII is passed on as the bytes that came.
  const sent = location.trim().replace(/[\x80-\xFF]/g, (byte) => `%${byte.charCodeAt(0).toString(16)}`);
  const url = sent === '' ? null : URL.parse(sent, origin.origin + path);
  return (
    url ??
    fail({
      kind: 'redirect-refused',
      service: facts.service,
      target: sent === '' ? facts.address : shownTarget(null, facts.redaction),
      reason: 'no-location',
    })
  );
}
