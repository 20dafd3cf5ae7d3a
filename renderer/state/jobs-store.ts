import { isFinalJob, type Job } from '../../shared/domain/job.ts';
import { paced } from './pacing.ts';

/** The jobs as they are drawn. */
export interface KnownJobs {
  /** Those that are not over first, then the newest first. */
  all: readonly Job[];
  byId: ReadonlyMap<number, Job>;
  /** Whether the host has told its list. */
  isKnown: boolean;
}

const drawnEveryMs = 250;
/** As many as the host lists. */
const kept = 500;

/**
 * Every job the host tells of, as it stands. It tells more often than a person can read: drawn at most four times a
 * second.
 */
export class JobsStore {
  readonly #jobs = new Map<number, Job>();
  /** When each job was last told of, by the count of tellings: a list asked for before that is older. */
  readonly #toldAt = new Map<number, number>();
  readonly #listeners = new Set<() => void>();
  readonly #publish = paced(drawnEveryMs, () => this.#draw());
  #told = 0;
  #isKnown = false;
  #shown: KnownJobs = { all: [], byId: new Map(), isKnown: false };

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };
  readonly snapshot = (): KnownJobs => this.#shown;

  /** The job as last told, drawn or not. */
  latest(id: number): Job | null {
    return this.#jobs.get(id) ?? null;
  }

  note(job: Job): void {
    this.#tell(job.id);
    this.#jobs.set(job.id, job);
    this.#publish();
  }

  forget(id: number): void {
    this.#tell(id);
    this.#jobs.delete(id);
    this.#publish();
  }

  /**
   * Call it when a list is asked for, and what it gives with the answer: what was told meanwhile is newer than the
   * list.
   */
  beginList(): (jobs: readonly Job[]) => void {
    const began = this.#told;
    return (jobs) => {
      const isOlder = (id: number): boolean => (this.#toldAt.get(id) ?? 0) <= began;
      for (const id of this.#jobs.keys()) if (isOlder(id)) this.#jobs.delete(id);
      for (const job of jobs) if (isOlder(job.id)) this.#jobs.set(job.id, job);
      this.#isKnown = true;
      this.#publish();
    };
  }

  #tell(id: number): void {
    this.#told += 1;
    this.#toldAt.set(id, this.#told);
  }

  #draw(): void {
    const all = [...this.#jobs.values()].toSorted(
      (one, other) => Number(isFinalJob(one)) - Number(isFinalJob(other)) || other.id - one.id,
    );
    for (const { id } of all.splice(kept)) this.#jobs.delete(id);
    this.#shown = { all, byId: new Map(all.map((job) => [job.id, job])), isKnown: this.#isKnown };
    for (const listener of this.#listeners) listener();
  }
}
