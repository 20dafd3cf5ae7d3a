import { currentInstant } from '../../../shared/domain/clock.ts';
import type { CheckProgress, LastCheck } from '../../../shared/domain/publication.ts';
import { fail, type Failure, FailureError } from '../../../shared/failure.ts';
import type { PackageStore } from '../../storage/packages/package-store.ts';
import type { CheckResult } from './check-run.ts';
import type { OpeningWatch } from './package-opening.ts';

interface ChecksOptions {
  changed(workspaceId: string): void;
  /** @returns the failure under whose id the log has it */
  logDefect(error: unknown): Failure;
}

interface Running {
  progress: CheckProgress;
  stop: AbortController;
  over: Promise<void>;
}

/** Work that ends as a new candidate or reports why there is none: one at a time in a workspace. */
export class Checks {
  readonly #options: ChecksOptions;
  readonly #running = new Map<string, Running>();
  readonly #unwritten = new Map<string, LastCheck>();

  constructor(options: ChecksOptions) {
    this.#options = options;
  }

  progressOf(workspaceId: string): CheckProgress | null {
    return this.#running.get(workspaceId)?.progress ?? null;
  }

  /**
   * Why the last check of this run could not be written down, such as a disk that is full; null when it was, or another
   * one has begun.
   */
  unwritten(workspaceId: string): LastCheck | null {
    return this.#unwritten.get(workspaceId) ?? null;
  }

  /**
   * Does the work and passes its result on, in this order without a break: no observer sees the one without the other.
   * A result that cannot be settled is passed on once more as the reason. Resolves when it is over, and never rejects.
   *
   * @throws FailureError `check-busy`, at once
   */
  begin(
    workspaceId: string,
    work: (watch: OpeningWatch) => Promise<CheckResult>,
    settle: (result: CheckResult) => Promise<void>,
  ): Promise<void> {
    if (this.#running.has(workspaceId)) fail({ kind: 'check-busy' });
    const stop = new AbortController();
    const running: Running = { progress: { phase: 'asking', done: 0, total: null }, stop, over: Promise.resolve() };
    const watch: OpeningWatch = {
      signal: stop.signal,
      onProgress: (progress) => {
        running.progress = progress;
        this.#options.changed(workspaceId);
      },
    };
    this.#running.set(workspaceId, running);
    this.#unwritten.delete(workspaceId);
    this.#options.changed(workspaceId);
    running.over = this.#run(workspaceId, () => work(watch), settle);
    return running.over;
  }

  cancel(workspaceId: string): void {
    this.#running.get(workspaceId)?.stop.abort(new FailureError({ kind: 'cancelled' }));
  }

  /** Resolves when none is under way in the workspace. */
  async ended(workspaceId: string): Promise<void> {
    await this.#running.get(workspaceId)?.over;
  }

  async close(): Promise<void> {
    for (const workspaceId of this.#running.keys()) this.cancel(workspaceId);
    await Promise.all([...this.#running.values()].map(({ over }) => over));
  }

  async #run(
    workspaceId: string,
    work: () => Promise<CheckResult>,
    settle: (result: CheckResult) => Promise<void>,
  ): Promise<void> {
    try {
      const failed = (error: unknown): CheckResult => ({ check: this.#failed(error), found: null });
      const result = await work().catch(failed);
      await settle(result).catch((error: unknown) => settle(failed(error)));
    } catch (error) {
      this.#unwritten.set(workspaceId, this.#failed(error));
    } finally {
      this.#running.delete(workspaceId);
      this.#options.changed(workspaceId);
    }
  }

  #failed(error: unknown): LastCheck {
    const failure = error instanceof FailureError ? error.failure : this.#options.logDefect(error);
    const isCancelled = failure.kind === 'cancelled';
    return {
      at: currentInstant(),
      outcome: isCancelled ? 'cancelled' : 'failed',
      version: null,
      failure: isCancelled ? null : failure,
      reply: null,
      missing: [],
    };
  }
}

/** When the automatic checks come. */
export interface Clock {
  now(): number;
  /** @returns what takes it back */
  after(milliseconds: number, act: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  after: (milliseconds, act) => {
    // A process that only waits for a check may end.
    const timer = setTimeout(act, milliseconds).unref();
    return () => clearTimeout(timer);
  },
};

const hourMs = 3_600_000;
/** After the start, and after one that failed: the lab comes up, the network comes back. */
const earliestMs = 15_000;
/** A computer that sleeps counts no time: the clock is looked at this often. */
const longestWaitMs = hourMs;

/** Begins a check of each workspace that wants one every so many hours. */
export class CheckClock {
  readonly #store: Pick<PackageStore, 'scheduled'>;
  readonly #check: (workspaceId: string) => void;
  readonly #clock: Clock;
  #takeBack: () => void = () => {};

  constructor(store: Pick<PackageStore, 'scheduled'>, check: (workspaceId: string) => void, clock: Clock) {
    this.#store = store;
    this.#check = check;
    this.#clock = clock;
  }

  /** To be called at the start and whenever a check ended or the options changed. */
  wind(): void {
    this.#takeBack();
    const waits = this.#store.scheduled().map((scheduled) => this.#waitFor(scheduled));
    if (waits.length === 0) return;
    this.#takeBack = this.#clock.after(Math.min(longestWaitMs, Math.max(earliestMs, Math.min(...waits))), () =>
      this.#ring(),
    );
  }

  stop(): void {
    this.#takeBack();
  }

  #ring(): void {
    for (const scheduled of this.#store.scheduled())
      if (this.#waitFor(scheduled) <= 0) this.#check(scheduled.workspaceId);
    this.wind();
  }

  /** Milliseconds. A last time that lies ahead was written by a clock that was wrong. */
  #waitFor({ everyHours, lastAt }: { everyHours: number; lastAt: string | null }): number {
    const sinceMs = lastAt === null ? Number.POSITIVE_INFINITY : this.#clock.now() - Date.parse(lastAt);
    return sinceMs < 0 ? 0 : Math.max(0, everyHours * hourMs - sinceMs);
  }
}
