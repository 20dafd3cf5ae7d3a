import { FailureError, type FailureOf } from '../../shared/failure.ts';
import type { CallFacts } from './call.ts';

type Phase = FailureOf<'timed-out'>['phase'];

/**
 * One try of a call. Its signal ends everything the try has open; the reason is always a `FailureError`:
 * `cancelled` when the caller's signal says so, `timed-out` when a phase takes too long.
 */
export interface Attempt {
  readonly signal: AbortSignal;
  /** Starts the clock of a phase and stops that of the one before. */
  enter(phase: Phase, seconds: number): void;
  /** Stops the clock, for as long as it is not the service that is waited for. */
  rest(): void;
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
    rest: () => clearTimeout(timer),
    timeOut,
    end: () => {
      clearTimeout(timer);
      outer?.removeEventListener('abort', onCancel);
    },
  };
}
