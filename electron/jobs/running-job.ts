import type { ActiveItem, JobItem, JobStep, JobTask } from '../../shared/domain/job.ts';
import type { Failure } from '../../shared/failure.ts';
import { JobMeter, type LiveFacts, type Progress } from './job-meter.ts';
import type { ItemOutcome, JobStore, StoredJob, Tally } from './job-store.ts';
import { type JobClock, type JobRun, JobStop, type JobWork } from './job-work.ts';

export interface RunOptions {
  job: StoredJob;
  store: JobStore;
  clock: JobClock;
  /** Something that is shown of the job is different now. */
  changed(): void;
}

const tickMs = 1000;
const ticksASave = 5;

/** One run of one job, from its start until its work is through. */
export class RunningJob implements JobWork {
  readonly id: number;
  readonly workspaceId: string | null;
  /** How many there were when it began. */
  readonly items: number;
  readonly #options: RunOptions;
  readonly #abort = new AbortController();
  readonly #meter: JobMeter;
  #task: JobTask;
  #taken = 0;
  #isOver = false;
  #stop: JobStop | null = null;
  #broken: { error: unknown } | null = null;
  #ticks = 0;
  #preventTick: () => void = () => {};

  constructor(options: RunOptions) {
    const { job, clock } = options;
    this.#options = options;
    this.id = job.id;
    this.workspaceId = job.workspaceId;
    this.items = job.items;
    this.#task = job.task;
    this.#meter = new JobMeter(job, clock);
  }

  get task(): JobTask {
    return this.#task;
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** A caller stopped it: what it then rejects with is no failure of the job. */
  get isStopped(): boolean {
    return this.#stop !== null;
  }

  get progress(): Progress {
    return this.#meter.progress;
  }

  live(waiting: number): LiveFacts {
    return this.#meter.live(waiting);
  }

  /** Resolves or rejects as the work does; rejects too when what it did could not be saved. */
  async drive(work: JobRun): Promise<void> {
    this.#tickLater();
    try {
      await this.#do(work);
    } finally {
      this.#isOver = true;
      this.#preventTick();
      this.#meter.tick();
      this.#abort.abort(new JobStop('halt'));
    }
  }

  stop(why: 'pause' | 'cancel' | 'close'): void {
    if (this.#isOver) return;
    this.#stop ??= new JobStop(why);
    this.#abort.abort(this.#stop);
  }

  take(count: number): JobItem[] {
    if (this.signal.aborted) return [];
    const items = this.#options.store.take(this.id, this.#taken, count);
    this.#taken = items.at(-1)?.position ?? this.#taken;
    return items;
  }

  settle(outcomes: readonly ItemOutcome[]): void {
    this.#requireRunning();
    this.#options.store.settle(this.id, outcomes);
    this.#meter.settled(outcomes.map(({ position }) => position));
    this.#options.changed();
  }

  tally(outcomes: Tally): void {
    this.#requireRunning();
    this.#options.store.tally(this.id, outcomes);
    this.#meter.tallied(Object.values(outcomes).reduce((sum, items) => sum + items, 0));
    this.#options.changed();
  }

  recount(items: number): void {
    this.#requireRunning();
    this.#options.store.recount(this.id, items);
    this.#options.changed();
  }

  active(position: number, item: ActiveItem | null): void {
    this.#meter.active(position, item);
    this.#options.changed();
  }

  step(step: JobStep | null): void {
    this.#meter.step(step);
    this.#options.changed();
  }

  moved(bytes: number): void {
    this.#meter.moved(bytes);
    this.#options.changed();
  }

  expect(bytes: number | null): void {
    this.#meter.expect(bytes);
    this.#options.changed();
  }

  notice(failure: Failure): void {
    this.#meter.notice(failure);
    this.#options.changed();
  }

  setTask(task: JobTask): void {
    this.#options.store.change(this.id, { task });
    this.#task = task;
    this.#options.changed();
  }

  #requireRunning(): void {
    if (this.#isOver) throw new Error(`an item of job ${this.id} was settled after its run had ended`);
  }

  async #do(work: JobRun): Promise<void> {
    try {
      await work(this);
    } catch (error) {
      if (!this.#broken) throw error;
    }
    if (this.#broken) throw this.#broken.error;
  }

  #tickLater(): void {
    this.#preventTick = this.#options.clock.after(tickMs, () => this.#tick());
  }

  /** Also when nothing comes: a rate that falls to nothing is news. */
  #tick(): void {
    this.#meter.tick();
    this.#ticks += 1;
    if (this.#ticks % ticksASave === 0) this.#save();
    this.#options.changed();
    this.#tickLater();
  }

  /** What cannot be saved halts the job, as it would when an item is settled. */
  #save(): void {
    try {
      this.#options.store.change(this.id, this.#meter.progress);
    } catch (error) {
      this.#broken ??= { error };
      this.#abort.abort(new JobStop('halt'));
    }
  }
}
