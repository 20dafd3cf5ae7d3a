import type { Failure } from './failure-kinds.ts';

export type { Failure, FailureKind, FailureOf, ServiceName } from './failure-kinds.ts';

// Apart from the catalogue of kinds: its schemas take a process that starts for every scan a fifth of a second to load.

/** How a layer below the dispatcher reports a failure: thrown, so that streams and clean-up see it too. */
export class FailureError extends Error {
  readonly failure: Failure;
  constructor(failure: Failure, options?: ErrorOptions) {
    super(failure.kind, options);
    this.name = 'FailureError';
    this.failure = failure;
  }
}

/** As which failure an error crosses the boundary, and goes into the journal: a defect is `unexpected`. */
export const failureKindOf = (error: unknown): Failure['kind'] =>
  error instanceof FailureError ? error.failure.kind : 'unexpected';

export function fail(failure: Failure, cause?: unknown): never {
  throw new FailureError(failure, cause === undefined ? undefined : { cause });
}

export type Result<T> = { ok: true; value: T } | { ok: false; failure: Failure };

export const success = <T>(value: T): Result<T> => ({ ok: true, value });
export const failed = (failure: Failure): Result<never> => ({ ok: false, failure });
