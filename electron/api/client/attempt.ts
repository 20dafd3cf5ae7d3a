import type { Socket } from 'node:net';
import { FailureError, type FailureOf } from '../../../shared/failure.ts';
import type { CallFacts } from '../call.ts';

type Phase = FailureOf<'timed-out'>['phase'];

/**
 * One try of a call. Its signal ends everything the try has open; the reason is always a `FailureError`: `cancelled`
 * when the caller's signal aborts, `timed-out` when a phase takes too long.
 */
export interface Attempt {
  readonly signal: AbortSignal;
  /** Starts the clock of a phase and stops that of the one before. */
  enter(phase: Phase, seconds: number): void;
  /** Stops the clock, for as long as it is not the service that is waited for. */
  pause(): void;
  timeOut(phase: Phase, seconds: number): void;
  /** Ends the try; to be called once, whatever came of it. */
  end(): void;
}

export function startAttempt(facts: CallFacts, outer: AbortSignal | undefined): Attempt {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const onCancel = (): void => controller.abort(new FailureError({ kind: 'cancelled' }));
  const timeOut = (phase: Phase, seconds: number): void => {
    controller.abort(
      new FailureError({ kind: 'timed-out', service: facts.service, address: facts.address, phase, seconds }),
    );
  };
  if (outer?.aborted) onCancel();
  outer?.addEventListener('abort', onCancel, { once: true });
  return {
    signal: controller.signal,
    enter: (phase, seconds) => {
      clearTimeout(timer);
      timer = setTimeout(timeOut, seconds * 1000, phase, seconds);
    },
    pause: () => clearTimeout(timer),
    timeOut,
    end: () => {
      clearTimeout(timer);
      outer?.removeEventListener('abort', onCancel);
    },
  };
}

/**
 * Waits for a socket to be connected or secured. Rejects with the socket's error, or with the signal's reason, and then
 * leaves no socket behind. From here on an error of the socket ends it silently: its user sees it closed.
 */
export function awaitConnected(socket: Socket, event: 'connect' | 'secureConnect', signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (outcome: () => void): void => {
      socket.off('close', onClose);
      signal.removeEventListener('abort', onAbort);
      outcome();
    };
    const onAbort = (): void => {
      socket.destroy();
      settle(() => reject(signal.reason));
    };
    const onClose = (): void => settle(() => reject(closedError()));
    socket.on('error', (error) => settle(() => reject(error)));
    socket.once(event, () => settle(resolve));
    socket.once('close', onClose);
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
  });
}

/** What Node reports when the other side closes without a word. */
export function closedError(): Error {
  return Object.assign(new Error('the connection was closed'), { code: 'ECONNRESET' });
}

/** Waits for what cannot be cancelled, and no longer than the signal allows. */
export function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
