import { currentInstant } from '../../shared/domain/clock.ts';
import type { ActiveItem, JobItem, JobStep, JobTask } from '../../shared/domain/job.ts';
import { databaseFailureIn, isUnavailable } from '../../shared/failure-retry.ts';
import { type Failure, FailureError, type FailureKind, type FailureOf } from '../../shared/failure.ts';
import type { ItemOutcome, Tally } from './job-store.ts';

/** One run of a job, as the code that does the work sees it. */
export interface JobWork {
  readonly id: number;
  readonly task: JobTask;
  readonly workspaceId: string | null;
  /** Aborted by pause, cancel, halt and close; its reason is a `JobStop`. */
  readonly signal: AbortSignal;
  /**
   * The next items that wait and were not taken in this run yet, by position; empty when none is left, or the run is to
   * stop.
   */
  take(count: number): JobItem[];
  /**
   * Durable when it returns, or with the caller's transaction. What is under way may still be settled after an abort.
   */
  settle(outcomes: readonly ItemOutcome[]): void;
  /** The same for items that are counted and not listed. */
  tally(outcomes: Tally): void;
  /** Of items that are counted and not listed: begins again with so many, and all of them wait. */
  recount(items: number): void;
  /**
   * Sets or (null) clears what is shown as being worked on; a settled item is cleared by itself. At most sixteen are
   * shown.
   */
  active(position: number, item: ActiveItem | null): void;
  /** What is shown as being done before the first item; null: that is over. */
  step(step: JobStep | null): void;
  /** Bytes that came or went since the last call. */
  moved(bytes: number): void;
  /** How many bytes this run moves in all, from its beginning; null when that is not known. */
  expect(bytes: number | null): void;
  /** Something that belongs to no item. */
  notice(failure: Failure): void;
  /** Changes the task's shown facts, e.g. an export's result. */
  setTask(task: JobTask): void;
}

/**
 * Ends when no item is left; rejects with a `FailureError` to halt the job: it is then paused with that failure, its
 * items still waiting. Any other error is a defect, and pauses it too. After an abort it ends as soon as it can,
 * however it likes. What it began is over when it ends: nothing can be settled afterwards.
 */
export type JobRun = (work: JobWork) => Promise<void>;

/** Why a run is to stop. */
export class JobStop extends Error {
  readonly why: 'pause' | 'cancel' | 'halt' | 'close';

  constructor(why: JobStop['why']) {
    super(`the job stops: ${why}`);
    this.name = 'JobStop';
    this.why = why;
  }
}

/** The time a job runner lives in; tests bring their own. */
export interface JobClock {
  /** Milliseconds of a steady clock. */
  now(): number;
  /** UTC, ISO 8601. */
  date(): string;
  /** Does `work` once, after so many milliseconds. @returns how to prevent it */
  after(ms: number, work: () => void): () => void;
}

export const systemClock: JobClock = {
  now: () => performance.now(),
  date: currentInstant,
  after: (ms, work) => {
    const timer = setTimeout(work, ms);
    return () => clearTimeout(timer);
  },
};

/** Every other item would meet it too: the job halts, and what waits keeps waiting. */
const haltingKinds: ReadonlySet<FailureKind> = new Set<FailureKind>([
  'unreachable',
  'not-trusted',
  'token-missing',
  'token-refused',
  'token-for-other-host',
  'secret-for-other-host',
  'slow-down',
  'redirected',
  'redirect-refused',
  'method-refused',
  'trust-file-unreadable',
  'client-certificate',
  'client-certificate-unreadable',
  'front-login',
  'workspace-missing',
  'service-not-set',
  'address-invalid',
  'http-not-allowed',
  'lab-down',
  'lab-failed',
  'secrets-locked',
  'secrets-damaged',
  'keychain-failed',
  'disk-full',
  'not-writable',
  'disk-failed',
  'data-damaged',
  'data-gone',
  'folder-gone',
  'data-not-held',
  'worker-ended',
  'unexpected',
  'cancelled',
]);

/** A service without its database answers nothing at all; other failures of a service may be about one item. */
export const isHalting = (failure: Failure): boolean =>
  haltingKinds.has(failure.kind) || (failure.kind === 'service-failed' && databaseFailureIn(failure.text) !== null);

/** Its job sleeps: what is under way may come to its end, and nothing more is requested. */
export const asksForPause = (failure: Failure): failure is FailureOf<'slow-down' | 'service-failed'> =>
  failure.kind === 'slow-down' || isUnavailable(failure);

/** The failure in an error. A defect, and a failure that every other item would meet, are thrown on. */
export function ownFailure(error: unknown): Failure {
  if (!(error instanceof FailureError) || isHalting(error.failure)) throw error;
  return error.failure;
}
