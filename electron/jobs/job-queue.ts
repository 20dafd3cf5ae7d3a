import { randomUUID } from 'node:crypto';
import { type JobKind, listsItems, sleepsUntil } from '../../shared/domain/job.ts';
import { type Failure, FailureError } from '../../shared/failure.ts';
import { JobSleeps } from './job-sleep.ts';
import type { JobChange, JobStore, StoredJob } from './job-store.ts';
import { type JobClock, type JobRun, JobStop } from './job-work.ts';
import { RunningJob } from './running-job.ts';

interface JobQueueOptions {
  store: JobStore;
  records: JobRecords;
  runs: Record<JobKind, JobRun>;
  clock: JobClock;
  changed(id: number): void;
  keepAwake(): () => void;
  /** Its items are being changed: it is begun after that. */
  isBusy(id: number): boolean;
}

interface Live {
  run: RunningJob;
  /** Resolves when the run has ended and the job shows it. */
  over: Promise<void>;
}

const jobsAtOnce = 8;

/** It neither sleeps nor was halted. */
export const awake = { resumesAt: null, failure: null } as const;

/** The jobs that run, those that will as soon as they may, and those that sleep until the end of a pause. */
export class JobQueue {
  readonly #options: JobQueueOptions;
  /** In the order in which they may run. */
  readonly #waiting = new Set<number>();
  readonly #live = new Map<number, Live>();
  readonly #sleeps: JobSleeps;
  #sleepAllowed: (() => void) | null = null;
  #isClosed = false;

  constructor(options: JobQueueOptions) {
    this.#options = options;
    this.#sleeps = new JobSleeps(options.clock, (id) => this.#woken(id));
  }

  /** Without those that sleep. */
  get size(): number {
    return new Set([...this.#waiting, ...this.#live.keys()]).size;
  }

  get sleeping(): number {
    return this.#sleeps.size;
  }

  has(id: number): boolean {
    return this.#waiting.has(id) || this.#live.has(id) || this.#sleeps.has(id);
  }

  runOf(id: number): RunningJob | null {
    return this.#live.get(id)?.run ?? null;
  }

  /** Resolves when the job does not run. */
  async over(id: number): Promise<void> {
    await this.#live.get(id)?.over;
  }

  async allOver(workspaceId: string): Promise<void> {
    await Promise.all(
      [...this.#live.values()].filter(({ run }) => run.workspaceId === workspaceId).map(({ over }) => over),
    );
  }

  /** The job's state is `waiting` by now, or `running` since before a restart. */
  add(id: number): void {
    const job = this.#options.records.get(id);
    const until = job && sleepsUntil(job);
    if (until !== null) this.#sleeps.add(id, until);
    else this.#enqueue(id);
  }

  /** Where it gets no place yet, it waits like any other: its pause is over. */
  #woken(id: number): void {
    this.#enqueue(id);
    const { records } = this.#options;
    if (this.#waiting.has(id)) records.orHalt(id, () => records.change(id, awake));
  }

  #enqueue(id: number): void {
    this.#sleeps.end(id);
    this.#waiting.add(id);
    this.next();
  }

  stop(id: number, why: 'pause' | 'cancel'): void {
    this.#waiting.delete(id);
    this.#sleeps.forget(id);
    this.#live.get(id)?.run.stop(why);
    this.#rest();
  }

  /** Begins what may begin now. A job that was stopped and still ends is begun after that. */
  next(): void {
    const { records, isBusy } = this.#options;
    for (const id of this.#waiting) {
      if (this.#isClosed || this.#live.size >= jobsAtOnce) break;
      if (this.#live.has(id) || isBusy(id)) continue;
      this.#waiting.delete(id);
      records.orHalt(id, () => this.#launch(id));
    }
    this.#rest();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#sleeps.close();
    for (const { run } of this.#live.values()) run.stop('close');
    await Promise.all([...this.#live.values()].map(({ over }) => over));
    this.#waiting.clear();
    this.#rest();
  }

  #launch(id: number): void {
    const { store, records, runs, clock, changed, keepAwake } = this.#options;
    const job = records.get(id);
    if (job?.state !== 'waiting' && job?.state !== 'running') return;
    if (job.counts.waiting === 0) return records.change(id, { state: 'done', ended: clock.date(), ...awake });
    records.change(id, { state: 'running', started: job.started ?? clock.date(), expectedBytes: null, ...awake });
    const run = new RunningJob({ job, store, clock, changed: () => changed(id) });
    this.#sleepAllowed ??= keepAwake();
    this.#live.set(id, { run, over: this.#toItsEnd(run, runs[job.task.kind]) });
  }

  async #toItsEnd(run: RunningJob, work: JobRun): Promise<void> {
    await this.#drive(run, work);
    this.#live.delete(run.id);
    this.#options.changed(run.id);
    this.next();
  }

  async #drive(run: RunningJob, work: JobRun): Promise<void> {
    let failure: Failure | null = null;
    try {
      await run.drive(work);
    } catch (error) {
      failure = this.#failureOf(run, error);
    }
    this.#options.records.orHalt(run.id, () => this.#conclude(run, failure));
  }

  /** What the end of a run makes of its job. A pause or a cancel meanwhile has been written already. */
  #conclude(run: RunningJob, failure: Failure | null): void {
    const { records, clock, isBusy } = this.#options;
    const job = records.get(run.id);
    if (!job) return;
    const end = (): JobChange => {
      if (job.state !== 'running' && job.state !== 'paused') return {};
      // Items that are about to wait again are as good as waiting.
      if (job.counts.waiting === 0 && !isBusy(run.id)) return { state: 'done', ended: clock.date(), failure };
      if (run.isStopped) return {};
      // What was added after its last look for items is the next run's.
      if (failure === null && listsItems(job) && job.items > run.items) return { state: 'waiting' };
      const resumesAt = failure && this.#sleeps.endAfter(run.id, failure, job.counts.waiting);
      if (resumesAt !== null) return { state: 'waiting', resumesAt, failure };
      return {
        state: 'paused',
        failure: failure ?? records.defect(`jobs.${run.task.kind}`, new Error('the run ended while items wait')),
      };
    };
    const change = end();
    records.change(run.id, { ...run.progress, ...change });
    if (change.resumesAt && !this.#isClosed) this.#sleeps.add(run.id, change.resumesAt);
    else this.#sleeps.forget(run.id);
    if (change.state === 'waiting' && !change.resumesAt) this.#waiting.add(run.id);
  }

  /** null: it was asked to stop, and did. */
  #failureOf(run: RunningJob, error: unknown): Failure | null {
    if (run.isStopped && isStop(error)) return null;
    const failure =
      error instanceof FailureError ? error.failure : this.#options.records.defect(`jobs.${run.task.kind}`, error);
    return run.isStopped ? null : failure;
  }

  #rest(): void {
    if (this.size > 0 && !this.#isClosed) return;
    this.#sleepAllowed?.();
    this.#sleepAllowed = null;
  }
}

const isStop = (error: unknown): boolean =>
  error instanceof JobStop || (error instanceof Error && error.name === 'AbortError');

interface JobRecordsOptions {
  store: JobStore;
  changed(id: number): void;
  logDefect(id: string, operation: string, error: unknown): void;
}

/** Jobs as they are to be shown: as stored, or as they are where the disk did not take what became of them. */
export class JobRecords {
  readonly #options: JobRecordsOptions;
  readonly #unsaved = new Map<number, Pick<StoredJob, 'state' | 'failure'>>();

  constructor(options: JobRecordsOptions) {
    this.#options = options;
  }

  get(id: number): StoredJob | null {
    const job = this.#options.store.get(id);
    return job && this.#asItIs(job);
  }

  list(): StoredJob[] {
    return this.#options.store.list().map((job) => this.#asItIs(job));
  }

  unfinished(): StoredJob[] {
    return this.#options.store.unfinished().map((job) => this.#asItIs(job));
  }

  change(id: number, change: JobChange): void {
    this.#options.store.change(id, change);
    this.#unsaved.delete(id);
    this.#options.changed(id);
  }

  hide(id: number): void {
    this.#options.store.hide(id);
    this.#unsaved.delete(id);
  }

  /**
   * A disk that takes nothing cannot take the halt either: then it is known here only, until something is saved again.
   */
  orHalt(id: number, work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#unsaved.set(id, {
        state: 'paused',
        failure: error instanceof FailureError ? error.failure : this.defect('jobs.run', error),
      });
      this.#options.changed(id);
    }
  }

  /** Logs a defect. @returns what is shown instead */
  defect(operation: string, error: unknown): Failure {
    const id = randomUUID();
    this.#options.logDefect(id, operation, error);
    return { kind: 'unexpected', id };
  }

  #asItIs(job: StoredJob): StoredJob {
    return { ...job, ...this.#unsaved.get(job.id) };
  }
}
