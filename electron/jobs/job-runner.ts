import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  isAsleep,
  isFinalJob,
  type ItemState,
  type Job,
  type JobKind,
  type JobState,
  type JobTask,
  listsItems,
} from '../../shared/domain/job.ts';
import { fail, type Failure, type FailureKind } from '../../shared/failure.ts';
import { atRest, mostNotices } from './job-meter.ts';
import { awake, JobQueue, JobRecords } from './job-queue.ts';
import type { ItemMove, JobStore, NewItem, StoredJob } from './job-store.ts';
import { type JobClock, type JobRun, systemClock } from './job-work.ts';

const leastMsBetween = 100;

interface LastNotice {
  at: number;
  /** Prevents a pending report; null when all is reported. */
  prevent: (() => void) | null;
}

/**
 * Reports jobs at most ten times a second each: the first change at once, the last one always. Never within the call
 * that changed something: that may be part of a transaction which is undone.
 */
export class JobNotifier {
  readonly #clock: JobClock;
  readonly #report: (id: number) => void;
  readonly #notified = new Map<number, LastNotice>();
  #isClosed = false;

  constructor(clock: JobClock, report: (id: number) => void) {
    this.#clock = clock;
    this.#report = report;
  }

  changed(id: number): void {
    const notified = this.#notified.get(id);
    if (this.#isClosed || notified?.prevent) return;
    const wait = notified ? Math.max(0, notified.at + leastMsBetween - this.#clock.now()) : 0;
    this.#notified.set(id, { at: notified?.at ?? 0, prevent: this.#clock.after(wait, () => this.#now(id)) });
  }

  /** Reports nothing more of a job. */
  forget(id: number): void {
    this.#notified.get(id)?.prevent?.();
    this.#notified.delete(id);
  }

  close(): void {
    this.#isClosed = true;
    for (const id of this.#notified.keys()) this.forget(id);
  }

  #now(id: number): void {
    this.#notified.set(id, { at: this.#clock.now(), prevent: null });
    this.#report(id);
  }
}

/**
 * Long changes of jobs: one after the other for each job, a few items at a time, so that the thread is free in between.
 */
class JobTurns {
  readonly #last = new Map<number, Promise<void>>();
  readonly #options: { ended(): void; defect(error: unknown): void };
  #isClosed = false;

  constructor(options: { ended(): void; defect(error: unknown): void }) {
    this.#options = options;
  }

  has(id: number): boolean {
    return this.#last.has(id);
  }

  add(id: number, work: () => Promise<void>): void {
    const turn = this.#after(this.#last.get(id), work);
    this.#last.set(id, turn);
    void this.#forget(id, turn);
  }

  /** Resolves when nothing is left to do for the job. */
  async over(id: number): Promise<void> {
    await this.#last.get(id);
  }

  /** Repeats a step until it returns that nothing is left. What a close leaves undone is done at the next start. */
  async inSteps(step: () => boolean): Promise<void> {
    while (!this.#isClosed && step()) await nextTurn();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(this.#last.values());
  }

  async #after(before: Promise<void> | undefined, work: () => Promise<void>): Promise<void> {
    await before;
    try {
      await work();
    } catch (error) {
      this.#options.defect(error);
    }
  }

  async #forget(id: number, turn: Promise<void>): Promise<void> {
    await turn;
    if (this.#last.get(id) !== turn) return;
    this.#last.delete(id);
    this.#options.ended();
  }
}

export type { ItemOutcome, JobStore, NewItem } from './job-store.ts';
export type { JobRun, JobWork } from './job-work.ts';

export interface JobRunnerOptions {
  store: JobStore;
  runs: Record<JobKind, JobRun>;
  /**
   * Kinds that cannot continue after a restart, from a pause neither: what was not done when the program ended fails
   * with `interrupted`, and the job is done. The function cleans up what such a job had begun.
   */
  interrupted?: Partial<Record<JobKind, (job: Job) => void | Promise<void>>>;
  /** At most ten times a second for each job, and always its last state. Not for drafts. */
  report(job: Job): void;
  forgotten(id: number): void;
  keepAwake(): () => void;
  logDefect(id: string, operation: string, error: unknown): void;
  clock?: JobClock;
}

/** Items changed or removed before the thread is free again: some milliseconds' worth. */
const itemsAStep = 500;
const hashesATurn = 100;
const everything = 0;

const isGoing = (state: JobState): boolean => state === 'running' || state === 'waiting';

/** Runs jobs: several at a time, each to its end over pauses, halts and restarts of the program. */
export class JobRunner {
  readonly #options: JobRunnerOptions;
  readonly #store: JobStore;
  readonly #clock: JobClock;
  readonly #records: JobRecords;
  readonly #notifier: JobNotifier;
  readonly #turns: JobTurns;
  readonly #queue: JobQueue;

  constructor(options: JobRunnerOptions) {
    const { store, runs, logDefect, keepAwake, clock = systemClock } = options;
    const changed = (id: number): void => this.#notifier.changed(id);
    this.#options = options;
    this.#store = store;
    this.#clock = clock;
    this.#notifier = new JobNotifier(clock, (id) => this.#report(id));
    this.#records = new JobRecords({ store, changed, logDefect });
    this.#turns = new JobTurns({
      ended: () => this.#queue.next(),
      defect: (error) => this.#records.defect('jobs.change', error),
    });
    this.#queue = new JobQueue({
      store,
      records: this.#records,
      runs,
      clock,
      changed,
      keepAwake,
      isBusy: (id) => this.#turns.has(id),
    });
  }

  /** How many are running, or will as soon as they may. */
  get running(): number {
    return this.#queue.size;
  }

  /** How many sleep, and resume by themselves. */
  get sleeping(): number {
    return this.#queue.sleeping;
  }

  /** Whether it runs here, or will: one that an earlier program left in the middle does not. */
  isUnderWay(id: number): boolean {
    return this.#queue.has(id);
  }

  /**
   * Removes what was never begun, and resumes what was waiting or running when the program ended. `resumesUnfinished`
   * false: that stays as it was, until a person resumes it or the next program starts.
   */
  start({ resumesUnfinished }: { resumesUnfinished: boolean } = { resumesUnfinished: true }): void {
    for (const id of this.#store.drafts()) this.#store.hide(id);
    this.#removeHidden(everything);
    for (const id of this.#store.halfCancelled()) this.#cancelWaiting(id);
    for (const job of resumesUnfinished ? this.#records.unfinished() : []) {
      if (this.#options.interrupted?.[job.task.kind]) this.#interrupt(job);
      else if (isGoing(job.state)) this.#queue.add(job.id);
    }
  }

  /** Makes a draft: it takes items, is in no list, and is gone at the next start when it is not begun. */
  create(task: JobTask, workspaceId: string | null): number {
    return this.#store.create({ task, workspaceId, created: this.#clock.date() });
  }

  /** Adds to a draft, each hash once; a thousand items take about ten milliseconds. @returns how many it has now */
  add(id: number, items: readonly NewItem[]): number {
    this.#checked(id, ['draft']);
    return this.#store.add(id, items);
  }

  /**
   * The same for hashes that are resolved first, some in each turn of the event loop: some milliseconds' worth.
   * `toBegun`: to a job that was begun, see `append`.
   */
  async addHashes(
    id: number,
    hashes: readonly string[],
    itemOf: (hash: string) => NewItem,
    { toBegun = false } = {},
  ): Promise<number> {
    let items = 0;
    for (let at = 0; at < hashes.length; at += hashesATurn) {
      const some = hashes.slice(at, at + hashesATurn).map(itemOf);
      items = toBegun ? this.append(id, some) : this.add(id, some);
      await nextTurn();
    }
    return items;
  }

  /**
   * Adds to a job that was begun, each hash once. One that is over runs again where something of it waits then; a
   * paused one stays paused. @returns how many it has now
   */
  append(id: number, items: readonly NewItem[]): number {
    const { state } = this.#checked(id, ['waiting', 'running', 'paused', 'done', 'cancelled']);
    const isOver = state === 'done' || state === 'cancelled';
    // What waits is being cancelled: what is added would be, too.
    if (isOver && this.#turns.has(id)) fail({ kind: 'job-state', id, state });
    const count = this.#store.add(id, items);
    if (isOver && this.get(id).counts.waiting > 0) {
      this.#makeWaiting(id);
      this.#queue.add(id);
    } else this.#notifier.changed(id);
    return count;
  }

  /**
   * Adds items to a draft that are counted and not listed: of millions each needs no row. The run of the job tallies
   * them.
   */
  addCounted(id: number, items: number): void {
    this.#checked(id, ['draft']);
    this.#store.count(id, items);
  }

  /** What the person should know of a draft as a whole. */
  note(id: number, notices: readonly Failure[]): void {
    this.#checked(id, ['draft']);
    this.#records.change(id, { notices: notices.slice(0, mostNotices), noticeCount: notices.length });
  }

  /** Runs a draft as soon as it may; one with nothing to do is done. */
  begin(id: number): Job {
    this.#checked(id, ['draft']);
    this.#makeWaiting(id);
    this.#queue.add(id);
    return this.get(id);
  }

  get(id: number): Job {
    const job = this.#records.get(id);
    return job ? this.#view(job) : fail({ kind: 'job-missing', id });
  }

  /** Newest first, the newest 500 and whatever is not over, without drafts. */
  list(): Job[] {
    return this.#records.list().map((job) => this.#view(job));
  }

  /** Its items are not what they were, though it is over. */
  itemsChanged(id: number): void {
    this.#notifier.changed(id);
  }

  /** What is under way may end; until it has, the job is paused with active items. */
  pause(id: number): void {
    this.#checked(id, ['waiting', 'running']);
    this.#records.change(id, { state: 'paused', ...awake });
    this.#queue.stop(id, 'pause');
  }

  /** One that another program left in the middle too; one that sleeps, at once. */
  resume(id: number): void {
    const job = this.#checked(id, ['paused', 'waiting', 'running']);
    if (job.state !== 'paused') {
      if (this.#queue.has(id) && !isAsleep(job)) fail({ kind: 'job-state', id, state: job.state });
      if (this.#options.interrupted?.[job.task.kind]) return this.#interrupt(job);
    }
    this.#makeWaiting(id);
    this.#queue.add(id);
  }

  /** What halted them is gone. A job that a person paused stays paused. */
  resumeHaltedBy(kind: FailureKind): void {
    for (const { id, state, failure } of this.#records.unfinished())
      if (state === 'paused' && failure?.kind === kind) this.resume(id);
  }

  /** What waits is cancelled when what is under way has ended, a few items at a time. */
  cancel(id: number): void {
    this.#checked(id, ['waiting', 'running', 'paused']);
    this.#records.change(id, { state: 'cancelled', ended: this.#clock.date(), ...awake });
    this.#queue.stop(id, 'cancel');
    this.#cancelWaiting(id);
  }

  /** Items in these states wait again, a few at a time, and then the job runs again. `job-state` when it has none. */
  retry(id: number, states: readonly ItemState[]): void {
    const { state, counts } = this.#checked(id, ['done', 'cancelled', 'paused']);
    const waits = state === 'cancelled' && states.includes('cancelled') ? counts.waiting : 0;
    if (waits === 0 && !states.some((one) => counts[one] > 0)) fail({ kind: 'job-state', id, state });
    this.#makeWaiting(id);
    this.#turns.add(id, () => this.#move(id, { from: states, to: 'waiting', failure: null }));
    this.#queue.add(id);
  }

  /** Takes a job that is over out of the list, or a draft out of the way. */
  forget(id: number): void {
    this.#checked(id, ['done', 'cancelled', 'draft']);
    this.#records.hide(id);
    this.#notifier.forget(id);
    this.#removeHidden(id);
    this.#options.forgotten(id);
  }

  /** Resolves when nothing of the workspace runs or waits any more. */
  async cancelAllOf(workspaceId: string): Promise<void> {
    const unfinished = this.#unfinishedOf(workspaceId);
    for (const { id } of unfinished) this.cancel(id);
    await this.#queue.allOver(workspaceId);
    await Promise.all(unfinished.map(({ id }) => this.#turns.over(id)));
  }

  /** Ends what runs and waits for it. For the store it is still running, so that the next start resumes it. */
  async close(): Promise<void> {
    this.#notifier.close();
    await Promise.all([this.#queue.close(), this.#turns.close()]);
  }

  #makeWaiting(id: number): void {
    this.#records.change(id, { state: 'waiting', ended: null, ...awake });
  }

  #interrupt(job: StoredJob): void {
    this.#turns.add(job.id, async () => {
      await this.#options.interrupted?.[job.task.kind]?.(this.#view(job));
    });
    this.#turns.add(job.id, async () => {
      await this.#move(job.id, { from: ['waiting'], to: 'failed', failure: { kind: 'interrupted' } });
      // No item of such a job could say it
      if (!listsItems(job)) this.#records.change(job.id, { notices: [{ kind: 'interrupted' }], noticeCount: 1 });
      const now = this.#records.get(job.id);
      if (now && !isFinalJob(now) && now.counts.waiting === 0)
        this.#records.change(job.id, { state: 'done', ended: this.#clock.date() });
    });
  }

  #cancelWaiting(id: number): void {
    this.#turns.add(id, () => this.#move(id, { from: ['waiting'], to: 'cancelled', failure: null }));
  }

  async #move(id: number, move: Omit<ItemMove, 'limit'>): Promise<void> {
    await this.#queue.over(id);
    await this.#turns.inSteps(() => {
      const moved = this.#store.move(id, { ...move, limit: itemsAStep });
      this.#notifier.changed(id);
      return moved === itemsAStep;
    });
  }

  #removeHidden(id: number): void {
    this.#turns.add(id, async () => {
      await this.#queue.over(id);
      await this.#turns.inSteps(() => this.#store.removeHidden(itemsAStep));
    });
  }

  #unfinishedOf(workspaceId: string): StoredJob[] {
    return this.#records.unfinished().filter((job) => job.workspaceId === workspaceId);
  }

  #checked(id: number, states: readonly JobState[]): StoredJob {
    const job = this.#records.get(id) ?? fail({ kind: 'job-missing', id });
    return states.includes(job.state) ? job : fail({ kind: 'job-state', id, state: job.state });
  }

  #view(job: StoredJob): Job {
    const run = this.#queue.runOf(job.id);
    return run ? { ...job, ...run.progress, ...run.live(job.counts.waiting) } : { ...job, ...atRest };
  }

  #report(id: number): void {
    try {
      const job = this.#records.get(id);
      if (job && job.state !== 'draft') this.#options.report(this.#view(job));
    } catch (error) {
      this.#records.defect('jobs.tell', error);
    }
  }
}

/** A sample as the library goes through them: by a number that rises. */
interface NumberedSample {
  id: number;
  sha256: string;
  md5: string;
  name: string | null;
  sizeBytes: number;
}

/** Samples put into a job before the thread is free again. */
const samplesATurn = 500;

/**
 * Puts samples into a job that has not begun. `pageBehind` reads the next ones behind a number of theirs, none at the
 * end. Fails with `job-too-large`, or as it does.
 */
export async function putIntoJob(
  id: number,
  jobs: Pick<JobRunner, 'add'>,
  pageBehind: (after: number, limit: number) => NumberedSample[],
): Promise<void> {
  for (let page = pageBehind(0, samplesATurn); page.length > 0; page = pageBehind(page.at(-1)?.id ?? 0, samplesATurn)) {
    jobs.add(
      id,
      page.map(({ sha256, md5, name, sizeBytes }) => ({ hash: sha256, sha256, md5, name, sizeBytes })),
    );
    await nextTurn();
  }
}
