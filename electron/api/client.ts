import { FailureError, type Failure, type FailureKind } from '../../shared/failure.ts';
import { type Attempt, startAttempt } from './attempt.ts';
import { announcedLength, bodyChunks, type BodyOptions, startOfBody, wholeBody } from './body.ts';
import type { Call, CallFacts } from './call.ts';
import type { Connection } from './connection.ts';
import { addressBytes, exchange } from './exchange.ts';
import { failureOfReply } from './failures.ts';
import { defaultLimits, type Limits, systemTiming, type Timing } from './limits.ts';
import { failureOfNetworkError, scrubbedError } from './network-failures.ts';
import { redactionFor } from './redaction.ts';
import { readRetryAfter } from './retry-after.ts';
import type { RequestBody } from './request-body.ts';
import { type FailedTry, type Outcome, retried } from './retry.ts';
import { type Sending, SourceError } from './sending.ts';

export interface ClientOptions {
  limits?: Partial<Limits>;
  timing?: Timing;
}
export interface CallOptions {
  signal?: AbortSignal;
}
export interface PostOptions extends CallOptions {
  /** Awaited, once a try, when all but the end of the body is sent. What it throws ends the call, and nothing whole has arrived. */
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
}

/** Calls to one service. Every rejection is a `FailureError`, or a defect; neither holds the token in any form. */
export interface Client {
  facts(call: Call): CallFacts;
  /** The length in bytes of the address a call is sent to, query and token included. */
  addressBytes(call: Call): number;
  /** Any 2xx reply of at most `limits.replyBytes`. Tried again where that can help, up to its last byte. */
  read(call: Call, options?: CallOptions): Promise<WholeReply>;
  /** A 200 or 206 of any length. Tried again up to its head; a transfer that breaks later is the caller's to repeat. */
  open(call: Call, options?: CallOptions): Promise<OpenReply>;
  /**
   * Sends a body and reads any 2xx reply of at most `limits.replyBytes`. `bodyWith` makes the body of one try, and is the one
   * place besides the address where the token goes. Tried again only when nothing was sent, or when the service names the
   * pause after which it will take the call. Throws `may-have-arrived` when the end of the body was on its way and
   * there is no whole reply; what the body's source or `beforeEnd` throws, as it is.
   */
  post(call: Call, bodyWith: (token: string | null) => RequestBody, options?: PostOptions): Promise<WholeReply>;
}

const errorReplyBytes = 64 * 1024;

export function createClient(connection: Connection, options: ClientOptions = {}): Client {
  const limits = { ...defaultLimits, ...options.limits };
  const timing = options.timing ?? systemTiming;
  const redaction = redactionFor(connection.token);
  const facts = ({ action, hashes }: Call): CallFacts => {
    const address = `${connection.baseUrl}/api.php`;
    return { service: connection.service, address, action, hashes, hasToken: connection.token !== null, redaction };
  };

  const tryOnce = async <T>(call: Call, signal: AbortSignal | undefined, reader: Reader<T>, sending?: Sending): Promise<Outcome<T>> => {
    const known = facts(call);
    const attempt = startAttempt(known, signal);
    try {
      const head = await exchange(call, connection, known, attempt, sending);
      const reply = { exchange: head, facts: known, attempt, idleSeconds: connection.timeouts.idleSeconds, limits, timing };
      if (reader.accepts(head.response.statusCode ?? 0)) return { value: await reader.take(reply) };
      return await refused(reply, sending);
    } catch (error) {
      attempt.end();
      const failedTry = { error: failureError(error, attempt, known), retryAfterSeconds: null };
      return sending ? unanswered(failedTry, sending, known) : failedTry;
    }
  };
  const tried = <T>(once: () => Promise<Outcome<T>>, { signal }: CallOptions): Promise<T> =>
    retried(once, { limits, timing, signal: signal ?? new AbortController().signal });
  const call = <T>(called: Call, callOptions: CallOptions, reader: Reader<T>): Promise<T> =>
    tried(() => tryOnce(called, callOptions.signal, reader), callOptions);
  const newSending = (body: RequestBody, beforeEnd: Sending['beforeEnd'] = () => {}): Sending =>
    ({ body, beforeEnd, timeouts: connection.timeouts, stalledBytesPerSecond: limits.stalledBytesPerSecond, stage: 'unsent' });

  return {
    facts,
    addressBytes: (called) => addressBytes(called, facts(called), connection.token),
    read: (called, callOptions = {}) => call(called, callOptions, wholeReader),
    open: (called, callOptions = {}) => call(called, callOptions, openReader),
    post: (called, bodyWith, postOptions = {}) =>
      tried(() => tryOnce(called, postOptions.signal, wholeReader, newSending(bodyWith(connection.token), postOptions.beforeEnd)), postOptions),
  };
}

interface Reader<T> {
  accepts(status: number): boolean;
  take(reply: BodyOptions): Promise<T>;
}

const wholeReader: Reader<WholeReply> = {
  accepts: (status) => status >= 200 && status < 300,
  take: async (reply) => ({ status: reply.exchange.response.statusCode ?? 0, body: await wholeBody(reply) }),
};

const openReader: Reader<OpenReply> = {
  accepts: (status) => status === 200 || status === 206,
  take: async (reply) => ({ expectedBytes: announcedLength(reply.exchange), chunks: bodyChunks(reply) }),
};

/** The status of a reply to a POST says what became of it, even when its words break off: a server that refuses a body may hang up on it. */
async function refused(reply: BodyOptions, sending: Sending | undefined): Promise<FailedTry> {
  const { statusCode, headers } = reply.exchange.response;
  const retryAfterSeconds = readRetryAfter(headers['retry-after'], reply.timing.date());
  const body = await startOfBody(reply, errorReplyBytes, sending !== undefined);
  const failure = failureOfReply({ status: statusCode ?? 0, body, location: headers.location ?? null, retryAfterSeconds }, reply.facts);
  // Some services refuse what they have kept: once all of it has left, the caller looks before it goes again.
  const isInvited = failure.kind === 'slow-down' && retryAfterSeconds !== null && sending?.stage !== 'ending';
  return { error: new FailureError(failure), retryAfterSeconds, isFinal: sending !== undefined && !isInvited };
}

/** How a POST ended without a whole reply. */
function unanswered(failedTry: FailedTry, { stage }: Sending, { service, address, action }: CallFacts): FailedTry {
  const { error } = failedTry;
  if (stage !== 'ending' || !tellsNothing.has(error.failure.kind)) return { ...failedTry, isFinal: stage !== 'unsent' };
  return { ...failedTry, error: new FailureError({ kind: 'may-have-arrived', service, address, action }, { cause: error }), isFinal: true };
}

/** Failures that leave open what the service did. */
const tellsNothing: ReadonlySet<FailureKind> = new Set<FailureKind>(['cancelled', 'timed-out', 'unreachable', 'connection-lost']);

/** What ended a try, as a failure. Throws what is no failure, scrubbed: a defect must not carry the token to the log either. */
function failureError(error: unknown, attempt: Attempt, facts: CallFacts): FailureError {
  const reason: unknown = attempt.signal.aborted ? attempt.signal.reason : error;
  if (reason instanceof FailureError) return reason;
  if (reason instanceof SourceError) throw reason.thrown;
  const cause = scrubbedError(reason, facts.redaction);
  const failure: Failure | null = failureOfNetworkError(reason, facts);
  if (failure === null) throw cause;
  return new FailureError(failure, { cause });
}
