import { FailureError, type Failure } from '../../shared/failure.ts';
import type { Limits, Timing } from './limits.ts';

/** What one try came to: a value, or a failure and the pause the service asked for. */
export type Outcome<T> = { value: T } | FailedTry;
export interface FailedTry {
  error: FailureError;
  retryAfterSeconds: number | null;
  /** Of a POST that may have been accepted: it is not sent again, whatever the failure. */
  isFinal?: boolean;
}

export interface RetryOptions {
  limits: Limits;
  timing: Timing;
  signal: AbortSignal;
}

/**
 * Tries a call again when that can help: exponential backoff with full jitter, or the pause the service asked for.
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
    const asked = outcome.retryAfterSeconds;
    if (asked !== null && asked > limits.longestRetryAfterSeconds) throw outcome.error;
    await pause(asked === null ? backoffMs(attempt, limits, timing) : asked * 1000, timing, signal);
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
  return reason !== 'protocol';
}
