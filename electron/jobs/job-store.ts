import type { ItemState, Job, JobItem, JobTask } from '../../shared/domain/job.ts';
import type { Failure } from '../../shared/failure.ts';

/** A job without what is true only while it runs. */
export type StoredJob = Omit<Job, 'bytesPerSecond' | 'secondsLeft' | 'active'>;

export type JobChange = Partial<
  Pick<
    StoredJob,
    | 'task'
    | 'state'
    | 'started'
    | 'ended'
    | 'resumesAt'
    | 'bytes'
    | 'expectedBytes'
    | 'throughput'
    | 'failure'
    | 'notices'
    | 'noticeCount'
  >
>;

/** An item as a draft takes it: `waiting` unless it has its outcome already. */
export interface NewItem {
  hash: string;
  md5: string | null;
  sha256?: string | null;
  state?: ItemState;
  sizeBytes?: number | null;
  /** Of a file that is uploaded; untrusted text. */
  name?: string | null;
}

/** What became of an item. A hash or a size that is null or missing leaves what is known. */
export interface ItemOutcome {
  position: number;
  state: Exclude<ItemState, 'waiting'>;
  md5?: string | null;
  sha256?: string | null;
  sizeBytes?: number | null;
  failure?: Failure | null;
}

/** How many items came to what. */
export type Tally = Partial<Record<ItemOutcome['state'], number>>;

export interface ItemMove {
  from: readonly ItemState[];
  to: ItemState;
  failure: Failure | null;
  /** At most so many, so that the caller's thread is free in between. */
  limit: number;
}

/**
 * Where jobs outlive the program. Every call is one transaction, or joins the caller's, and takes a few milliseconds
 * however many items there are. A hidden job is gone for every call but `removeHidden`.
 */
export interface JobStore {
  /** Makes a draft without items. `created` is UTC, ISO 8601. */
  create(facts: { task: JobTask; workspaceId: string | null; created: string }): number;
  /**
   * Appends items; a hash the job has already is left out. @returns the items it has now. Fails with `job-too-large`.
   */
  add(id: number, items: readonly NewItem[]): number;
  /** So many items more that wait, and are counted and not listed: the run of the job knows them. It has no others. */
  count(id: number, items: number): void;
  /** So many, all waiting, in place of those that were counted before. */
  recount(id: number, items: number): void;
  get(id: number): StoredJob | null;
  /** Newest first, the newest 500 and whatever is not over, without drafts. */
  list(): StoredJob[];
  /** Those waiting, running or paused, oldest first. */
  unfinished(): StoredJob[];
  /** Jobs that were cancelled, and whose waiting items are not all cancelled yet. */
  halfCancelled(): number[];
  drafts(): number[];
  change(id: number, change: JobChange): void;
  /** Items that wait behind a position, by position. */
  take(id: number, after: number, count: number): JobItem[];
  /** An item that has its outcome keeps it. */
  settle(id: number, outcomes: readonly ItemOutcome[]): void;
  /** So many of those that are counted have these outcomes. */
  tally(id: number, outcomes: Tally): void;
  /**
   * What is counted and not listed moves from `waiting` to `cancelled` and back, and from there to `failed`, alone, all
   * of it at once. @returns how many were moved: fewer than the limit when none is left
   */
  move(id: number, move: ItemMove): number;
  hide(id: number): void;
  /** Removes hidden jobs, at most so many items at a time. @returns whether anything is left to remove */
  removeHidden(limit: number): boolean;
}
