import { FailureError, type Failure, type FailureKind } from '../../shared/failure.ts';
import { type Attempt, startAttempt } from './attempt.ts';
import { type BodyOptions, startOfBody } from './body.ts';
import type { CallFacts } from './call.ts';
import { exchange } from './exchange.ts';
import { failureOfReply, failureOfTarget } from './failures.ts';
import type { Hop } from './hop.ts';
import type { Limits, Timing } from './limits.ts';
import { failureOfNetworkError, scrubbedError } from './network-failures.ts';
import { followRedirects, isRedirect, type Redirects } from './redirects.ts';
import { readRetryAfter } from './retry-after.ts';
import type { FailedTry, Outcome } from './retry.ts';
import { type Sending, SourceError } from './sending.ts';

/** What a call takes from a reply. */
export interface Reader<T> {
  readonly followsRedirects: boolean;
  accepts(status: number): boolean;
  take(reply: BodyOptions): Promise<T>;
}

export interface TryOptions<T> {
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
export async function tryCall<T>(own: Hop, options: TryOptions<T>): Promise<Outcome<T>> {
  const redirects = followRedirects(own);
  for (let hop = own; ;) {
    const outcome = await tryHop(hop, redirects, options);
    if (!('next' in outcome)) return outcome;
    hop = outcome.next;
  }
}

async function tryHop<T>(
  hop: Hop,
  redirects: Redirects,
  { reader, limits, timing, signal, sending }: TryOptions<T>,
): Promise<Outcome<T> | { next: Hop }> {
  const { facts } = hop;
  const attempt = startAttempt(facts, signal);
  try {
    const head = await exchange(hop, attempt, sending);
    const reply = { exchange: head, facts, attempt, idleSeconds: hop.timeouts.idleSeconds, limits, timing };
    const status = head.response.statusCode ?? 0;
    if (reader.accepts(status)) return { value: await reader.take(reply) };
    if (!reader.followsRedirects || !isRedirect(status)) return await refused(reply, hop, sending);
    // What a redirect says besides where it leads is not read.
    head.socket.destroy();
    attempt.end();
    return { next: redirects.next(hop, head) };
  } catch (error) {
    attempt.end();
    const failedTry = { error: failureError(error, attempt, facts), retryAfterSeconds: null };
    return sending ? unanswered(failedTry, sending, facts) : failedTry;
  }
}

/**
 * The status of a reply to a POST says what became of it, even when its words break off: a server that refuses a body
 * may hang up on it.
 */
async function refused(reply: BodyOptions, hop: Hop, sending: Sending | undefined): Promise<FailedTry> {
  const { statusCode, headers } = reply.exchange.response;
  const retryAfterSeconds = readRetryAfter(headers['retry-after'], reply.timing.date());
  const body = await startOfBody(reply, errorReplyBytes, sending !== undefined);
  const judge = hop.redirects === 0 ? failureOfReply : failureOfTarget;
  const failure = judge(
    { status: statusCode ?? 0, body, location: headers.location ?? null, retryAfterSeconds },
    reply.facts,
  );
  // Some services refuse what they have kept: once all of it has left, the caller looks before it goes again.
  const isInvited = failure.kind === 'slow-down' && retryAfterSeconds !== null && sending?.stage !== 'ending';
  return { error: new FailureError(failure), retryAfterSeconds, isFinal: sending !== undefined && !isInvited };
}

/** How a POST ended without a whole reply. */
function unanswered(failedTry: FailedTry, { stage }: Sending, { service, address, action }: CallFacts): FailedTry {
  const { error } = failedTry;
  if (stage !== 'ending' || !tellsNothing.has(error.failure.kind)) return { ...failedTry, isFinal: stage !== 'unsent' };
  return {
    ...failedTry,
    error: new FailureError({ kind: 'may-have-arrived', service, address, action }, { cause: error }),
    isFinal: true,
  };
}

/** Failures that leave open what the service did. */
const tellsNothing: ReadonlySet<FailureKind> = new Set<FailureKind>([
  'cancelled',
  'timed-out',
  'unreachable',
  'connection-lost',
]);

/**
 * What ended a try, as a failure. Throws what is no failure, scrubbed: a defect must not carry the token to the log
 * either.
 */
function failureError(error: unknown, attempt: Attempt, facts: CallFacts): FailureError {
  const reason: unknown = attempt.signal.aborted ? attempt.signal.reason : error;
  if (reason instanceof FailureError) return reason;
  if (reason instanceof SourceError) throw reason.thrown;
  const cause = scrubbedError(reason, facts.redaction);
  const failure: Failure | null = failureOfNetworkError(reason, facts);
  if (failure === null) throw cause;
  return new FailureError(failure, { cause });
}
