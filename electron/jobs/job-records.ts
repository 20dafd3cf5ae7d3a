import { randomUUID } from 'node:crypto';
import { FailureError, type Failure } from '../../shared/failure.ts';
import type { JobChange, JobStore, StoredJob } from './job-store.ts';

export interface JobRecordsOptions {
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
