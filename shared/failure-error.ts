import type { Failure } from './failure.ts';

// Apart from the catalogue, whose schemas take a process that starts for every scan a fifth of a second to load.

/** How a room below the dispatcher reports a failure: thrown, so that streams and clean-up see it too. */
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
