import { type Failure, FailureError, type FailureKind } from '../../../shared/failure.ts';
import { redactionFor, withSecret } from '../../base/redaction.ts';
import type { Call, CallFacts, WholeReply } from '../call.ts';
import type { Connection } from '../connections.ts';
import type { ServerAction } from '../../../shared/domain/server-action.ts';
import { defaultLimits, type Limits, systemTiming, type Timing } from '../limits.ts';
import type { RequestBody } from '../request-body.ts';
import { type ResolveHost, systemResolve } from './address.ts';
import { type Attempt, startAttempt } from './attempt.ts';
import { failureOfNetworkError, failureOfReply, failureOfTarget, scrubbedError } from './failures.ts';
import { partIn, rangeHeaders, type RangeStart, type ReplyPart } from './range.ts';
import { bodyChunks, expectedLength, type IncomingReply, startOfBody, wholeBody } from './reply-body.ts';
import {
  addressBytes,
  followRedirects,
  isRedirect,
  ownRequest,
  type Redirects,
  type ServiceRequest,
} from './requests.ts';
import { type Sending, sendRequest, SourceError } from './send-request.ts';

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

/** A successful reply whose bytes are still to come. */
export interface OpenReply {
  /** As announced by the service; it may be wrong, and it counts stray bytes too. */
  expectedBytes: number | null;
  /** To be iterated to its end or left early; one that is never begun ends after the idle time limit. */
  chunks: AsyncGenerator<Uint8Array>;
  /** Of the server that answered: after redirects, that need not be the service. */
  facts: CallFacts;
  /** Which bytes these are, and whether more can be requested later. */
  part: ReplyPart;
}
interface OpenOptions extends CallOptions {
  /** Goes where a redirect leads, without the token. */
  followsRedirects?: boolean;
  /** The bytes from there on are enough, if the server has the same ones still. */
  from?: RangeStart;
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
  const redaction = redactionFor(connection.token, connection.basic?.password);
  const facts = ({ action, hashes }: Call): CallFacts => {
    const address = `${connection.baseUrl}/api.php`;
    return { service: connection.service, address, action, hashes, hasToken: connection.token !== null, redaction };
  };
  const call = <T>(
    called: Call,
    { signal }: CallOptions,
    reader: Reader<T>,
    { newSending, from }: { newSending?: () => Sending; from?: RangeStart | undefined } = {},
  ): Promise<T> => {
    const own = ownRequest(called, connection, facts(called), resolve, rangeHeaders(from));
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
    open: (called, openOptions = {}) =>
      call(called, openOptions, openReader(openOptions.followsRedirects === true, openOptions.from), {
        from: openOptions.from,
      }),
    post: (called, bodyWith, postOptions = {}) =>
      call(called, postOptions, wholeReader, {
        newSending: () => sendingOf(bodyWith(connection.token), postOptions.beforeEnd),
      }),
  };
}

/** The oldest releases answer an unknown sample in the way in which they answer an unknown action: an empty 404. */
export const hidesItsAbsence = (action: ServerAction): boolean => action === 'downloadfile';

/**
 * Runs a call, and notes what its outcome shows about its action: a reply that could be read, or an unknown sample,
 * that the server has it; an empty 404 that it has not (docs/services.md, "Releases"). Nothing else shows either: a
 * server in front may refuse, fail or redirect whatever it likes.
 */
export async function noting<T>(connection: Connection, action: ServerAction, run: () => Promise<T>): Promise<T> {
  try {
    const value = await run();
    connection.noteAction?.(action, true);
    return value;
  } catch (error) {
    const kind = error instanceof FailureError ? error.failure.kind : null;
    if (kind === 'action-unknown' && !hidesItsAbsence(action)) connection.noteAction?.(action, false);
    if (kind === 'unknown-hash') connection.noteAction?.(action, true);
    throw error;
  }
}

const wholeReader: Reader<WholeReply> = {
  followsRedirects: false,
  accepts: (status) => status >= 200 && status < 300,
  take: async (reply) => ({ status: reply.head.response.statusCode ?? 0, body: await wholeBody(reply) }),
};

const openReader = (followsRedirects: boolean, from: RangeStart | undefined): Reader<OpenReply> => ({
  followsRedirects,
  accepts: (status) => status === 200 || status === 206,
  take: async (reply) => ({
    expectedBytes: expectedLength(reply.head),
    chunks: bodyChunks(reply),
    facts: reply.facts,
    part: partIn(reply.head, from),
  }),
});

/** What a call takes from a reply. */
interface Reader<T> {
  readonly followsRedirects: boolean;
  accepts(status: number): boolean;
  take(reply: IncomingReply): Promise<T>;
}

interface TryOptions<T> {
  reader: Reader<T>;
  limits: Limits;
  timing: Timing;
  signal: AbortSignal | undefined;
  /** The body of a POST. */
  sending?: Sending;
}

const errorReplyBytes = 64 * 1024;

/**
 * One try of a call, with the redirects it leads to where the reader follows them. Each request has the time limits for
 * itself.
 */
async function tryCall<T>(own: ServiceRequest, options: TryOptions<T>): Promise<Outcome<T>> {
  const redirects = followRedirects(own);
  for (let request = own; ;) {
    const outcome = await tryRequest(request, redirects, options);
    if (!('next' in outcome)) return outcome;
    request = outcome.next;
  }
}

async function tryRequest<T>(
  request: ServiceRequest,
  redirects: Redirects,
  { reader, limits, timing, signal, sending }: TryOptions<T>,
): Promise<Outcome<T> | { next: ServiceRequest }> {
  const { facts } = request;
  const attempt = startAttempt(facts, signal);
  try {
    const head = await sendRequest(request, attempt, sending);
    const proxyPassword = head.forwardingProxy?.login?.password;
    const reply = {
      head,
      facts: proxyPassword ? { ...facts, redaction: withSecret(facts.redaction, proxyPassword) } : facts,
      attempt,
      idleSeconds: request.timeouts.idleSeconds,
      limits,
      timing,
    };
    const status = head.response.statusCode ?? 0;
    if (reader.accepts(status)) return { value: await reader.take(reply) };
    if (!reader.followsRedirects || !isRedirect(status)) return await refused(reply, request, sending);
    // The body of a redirect is not read.
    head.socket.destroy();
    attempt.end();
    return { next: redirects.next(request, head) };
  } catch (error) {
    attempt.end();
    const failedTry = { error: failureError(error, attempt, request), retryAfterSeconds: null };
    return sending ? unanswered(failedTry, sending, facts) : failedTry;
  }
}

/**
 * The status of a reply to a POST gives its outcome, even when the reply's text breaks off: a server that refuses a
 * body may hang up on it.
 */
async function refused(
  reply: IncomingReply,
  request: ServiceRequest,
  sending: Sending | undefined,
): Promise<FailedTry> {
  const { statusCode, headers } = reply.head.response;
  const retryAfterSeconds = readRetryAfter(headers['retry-after'], reply.timing.date());
  const body = await startOfBody(reply, errorReplyBytes, sending !== undefined);
  const isOfProxy = statusCode === 407;
  const judge = request.redirects === 0 ? failureOfReply : failureOfTarget;
  const failure = judge(
    {
      status: statusCode ?? 0,
      body,
      location: headers.location ?? null,
      retryAfterSeconds,
      challenge: headers[isOfProxy ? 'proxy-authenticate' : 'www-authenticate']?.toString() ?? '',
      loginSent: isOfProxy ? (reply.head.forwardingProxy?.login ?? null) !== null : request.basic !== null,
    },
    reply.facts,
  );
  // Some services refuse what they have kept: once all of it was sent, the caller checks before it sends again.
  const isInvited = failure.kind === 'slow-down' && retryAfterSeconds !== null && sending?.stage !== 'ending';
  return { error: new FailureError(failure), retryAfterSeconds, isFinal: sending !== undefined && !isInvited };
}

/** How a POST ended without a whole reply. */
function unanswered(failedTry: FailedTry, { stage }: Sending, { service, address, action }: CallFacts): FailedTry {
  const { error } = failedTry;
  if (stage !== 'ending' || !leavesOutcomeUnknown.has(error.failure.kind))
    return { ...failedTry, isFinal: stage !== 'unsent' };
  return {
    ...failedTry,
    error: new FailureError({ kind: 'may-have-arrived', service, address, action }, { cause: error }),
    isFinal: true,
  };
}

/** Failures that leave open what the service did. */
const leavesOutcomeUnknown: ReadonlySet<FailureKind> = new Set<FailureKind>([
  'cancelled',
  'timed-out',
  'unreachable',
  'connection-lost',
]);

/**
 * What ended a try, as a failure. Throws what is no failure, scrubbed: a defect must not carry the token to the log
 * either.
 */
function failureError(error: unknown, attempt: Attempt, { facts, clientCertificate }: ServiceRequest): FailureError {
  const reason: unknown = attempt.signal.aborted ? attempt.signal.reason : error;
  if (reason instanceof FailureError) return reason;
  if (reason instanceof SourceError) throw reason.thrown;
  const cause = scrubbedError(reason, facts.redaction);
  const failure: Failure | null = failureOfNetworkError(reason, facts, clientCertificate !== null);
  if (failure === null) throw cause;
  return new FailureError(failure, { cause });
}

/** What one try came to: a value, or a failure and the pause the service requests. */
export type Outcome<T> = { value: T } | FailedTry;
interface FailedTry {
  error: FailureError;
  retryAfterSeconds: number | null;
  /** Of a POST that may have been accepted: it is not sent again, whatever the failure. */
  isFinal?: boolean;
}

interface RetryOptions {
  limits: Limits;
  timing: Timing;
  signal: AbortSignal;
}

/**
 * Tries a call again when that can help: exponential backoff with full jitter, or the pause the service requests.
 * Throws the last failure, or `cancelled` when the signal is aborted while it waits.
 */
export async function retried<T>(
  once: () => Promise<Outcome<T>>,
  { limits, timing, signal }: RetryOptions,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    const outcome = await once();
    if ('value' in outcome) return outcome.value;
    if (attempt >= limits.attempts || outcome.isFinal === true || !isTransient(outcome.error.failure))
      throw outcome.error;
    const { retryAfterSeconds } = outcome;
    if (retryAfterSeconds !== null && retryAfterSeconds > limits.longestRetryAfterSeconds) throw outcome.error;
    const waitMs = retryAfterSeconds === null ? backoffMs(attempt, limits, timing) : retryAfterSeconds * 1000;
    await pause(waitMs, timing, signal);
  }
}

function backoffMs(attempt: number, limits: Limits, timing: Timing): number {
  return timing.random() * Math.min(limits.longestWaitMs, limits.firstWaitMs * 2 ** (attempt - 1));
}

async function pause(milliseconds: number, timing: Timing, signal: AbortSignal): Promise<void> {
  try {
    await timing.sleep(milliseconds, signal);
  } catch (error) {
    throw signal.aborted ? new FailureError({ kind: 'cancelled' }) : error;
  }
  if (signal.aborted) throw new FailureError({ kind: 'cancelled' });
}

/** Failures that may be gone a moment later and that mean nothing was answered. A long silence is not repeated. */
function isTransient(failure: Failure): boolean {
  switch (failure.kind) {
    case 'connection-lost':
    case 'slow-down':
      return true;
    case 'timed-out':
      return failure.phase === 'connect';
    case 'service-failed':
      return [502, 503, 504].includes(failure.status);
    case 'unreachable':
      return isTransientNetwork(failure.reason, failure.code);
    default:
      return false;
  }
}

function isTransientNetwork(reason: string, code: string): boolean {
  if (reason === 'name') return code === 'EAI_AGAIN';
  if (reason === 'proxy') return /^E[A-Z]+$/.test(code);
  return reason === 'refused' || reason === 'network' || reason === 'reset';
}

/**
 * The pause in a `Retry-After` header (RFC 9110, 10.2.3) in seconds, never negative; null when there is none or it
 * cannot be read.
 */
export function readRetryAfter(header: string | undefined, nowMs: number): number | null {
  const text = header?.trim() ?? '';
  if (/^\d{1,10}$/.test(text)) return Number(text);
  const date = /^[A-Za-z]{3}/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? null : Math.max(0, Math.ceil((date - nowMs) / 1000));
}
