import { currentInstant } from '../../../shared/domain/clock.ts';
import type { Failure } from '../../../shared/failure.ts';

const mostKept = 200;

export interface RecentFailure {
  time: string;
  operation: string;
  failure: Failure;
}

/** What this program answered with when it could not do what it was asked, for a bug report. In memory alone. */
export class RecentFailures {
  readonly #kept: RecentFailure[] = [];

  /** What a person cancelled did not fail. */
  note(operation: string, failure: Failure): void {
    if (failure.kind === 'cancelled') return;
    this.#kept.push({ time: currentInstant(), operation, failure });
    if (this.#kept.length > mostKept) this.#kept.shift();
  }

  newestFirst(): RecentFailure[] {
    return this.#kept.toReversed();
  }
}
