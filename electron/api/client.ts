import { redactionFor } from '../base/redaction.ts';
import { announcedLength, bodyChunks, wholeBody } from './body.ts';
import type { Call, CallFacts } from './call.ts';
import type { Connection } from './connection.ts';
import { addressBytes, ownHop } from './hop.ts';
import { defaultLimits, type Limits, systemTiming, type Timing } from './limits.ts';
import type { RequestBody } from './request-body.ts';
import { type ResolveHost, systemResolve } from './resolve-host.ts';
import { retried } from './retry.ts';
import type { Sending } from './sending.ts';
import { type Reader, tryCall } from './try-call.ts';

export interface ClientOptions {
  limits?: Partial<Limits>;
  timing?: Timing;
  /** How names are resolved; tests put their own in. */
  resolve?: ResolveHost;
}
export interface CallOptions {
  signal?: AbortSignal;
}
export interface PostOptions extends CallOptions {
  /**
   * Awaited, once a try, when all but the end of the body is sent. What it throws ends the call, and nothing whole has
   * arrived.
   */
  beforeEnd?(): void | Promise<void>;
}

/** A successful reply that was read to its end. */
export interface WholeReply {
  status: number;
  body: Uint8Array;
}
/** A successful reply whose bytes are still to come. */
export interface OpenReply {
  /** As announced by the service; it may be wrong, and it counts stray bytes too. */
  expectedBytes: number | null;
  /** To be iterated to its end or left early; one that is never begun ends after the idle time limit. */
  chunks: AsyncGenerator<Uint8Array>;
  /** Of whoever answered: where redirects were followed, that need not be the service. */
  facts: CallFacts;
}
export interface OpenOptions extends CallOptions {
  /** Goes where a redirect leads, without the token. */
  followsRedirects?: boolean;
}

/** Calls to one service. Every rejection is a `FailureError`, or a defect; neither holds the token in any form. */
export interface Client {
  facts(call: Call): CallFacts;
  /** The length in bytes of the address a call is sent to, query and token included. */
  addressBytes(call: Call): number;
  /** Any 2xx reply of at most `limits.replyBytes`. Tried again where that can help, up to its last byte. */
  read(call: Call, options?: CallOptions): Promise<WholeReply>;
  /** A 200 or 206 of any length. Tried again up to its head; a transfer that breaks later is the caller's to repeat. */
  open(call: Call, options?: OpenOptions): Promise<OpenReply>;
  /**
   * Sends a body and reads any 2xx reply of at most `limits.replyBytes`. `bodyWith` makes the body of one try, and is
   * the one place besides the address where the token goes. Tried again only when nothing was sent, or when the service
   * names the pause after which it will take the call. Throws `may-have-arrived` when the end of the body was on its
   * way and there is no whole reply; what the body's source or `beforeEnd` throws, as it is.
   */
  post(call: Call, bodyWith: (token: string | null) => RequestBody, options?: PostOptions): Promise<WholeReply>;
}

export function createClient(connection: Connection, options: ClientOptions = {}): Client {
  const limits = { ...defaultLimits, ...options.limits };
  const timing = options.timing ?? systemTiming;
  const resolve = options.resolve ?? systemResolve;
  const redaction = redactionFor(connection.token);
  const facts = ({ action, hashes }: Call): CallFacts => {
    const address = `${connection.baseUrl}/api.php`;
    return { service: connection.service, address, action, hashes, hasToken: connection.token !== null, redaction };
  };
  const call = <T>(
    called: Call,
    { signal }: CallOptions,
    reader: Reader<T>,
    newSending?: () => Sending,
  ): Promise<T> => {
    const own = ownHop(called, connection, facts(called), resolve);
    const once = { reader, limits, timing, signal };
    return retried(() => tryCall(own, newSending ? { ...once, sending: newSending() } : once), {
      limits,
      timing,
      signal: signal ?? new AbortController().signal,
    });
  };
  const sendingOf = (body: RequestBody, beforeEnd: Sending['beforeEnd'] = () => {}): Sending => ({
    body,
    beforeEnd,
    timeouts: connection.timeouts,
    stalledBytesPerSecond: limits.stalledBytesPerSecond,
    stage: 'unsent',
  });

  return {
    facts,
    addressBytes: (called) => addressBytes(called, facts(called), connection.token),
    read: (called, callOptions = {}) => call(called, callOptions, wholeReader),
    open: (called, openOptions = {}) => call(called, openOptions, openReader(openOptions.followsRedirects === true)),
    post: (called, bodyWith, postOptions = {}) =>
      call(called, postOptions, wholeReader, () => sendingOf(bodyWith(connection.token), postOptions.beforeEnd)),
  };
}

const wholeReader: Reader<WholeReply> = {
  followsRedirects: false,
  accepts: (status) => status >= 200 && status < 300,
  take: async (reply) => ({ status: reply.exchange.response.statusCode ?? 0, body: await wholeBody(reply) }),
};

const openReader = (followsRedirects: boolean): Reader<OpenReply> => ({
  followsRedirects,
  accepts: (status) => status === 200 || status === 206,
  take: async (reply) => ({
    expectedBytes: announcedLength(reply.exchange),
    chunks: bodyChunks(reply),
    facts: reply.facts,
  }),
});
