import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Job, JobTask } from '../../../shared/domain/job.ts';
import type { SelectionMark } from '../../../shared/domain/library.ts';
import { fail } from '../../../shared/failure.ts';
import type { JobRunner, JobWork } from '../../jobs/job-runner.ts';
import type { LibraryChangeStore } from '../../storage/library/library-change-store.ts';
import type { LibraryStore } from '../../storage/library/library-store.ts';
import { type Forgetting, forgottenATurn } from './forgetting.ts';
import type { RecordOutcome, RecordReading } from './record-reading.ts';
import { MarkOfPages } from './selection-mark.ts';
import { changedATurn, StepSize } from './step-size.ts';

export type ChangeTask = Extract<JobTask, { kind: 'library-change' }>;

export interface LibraryChangeJobsOptions {
  store: Pick<LibraryStore, 'changeSamples' | 'together'>;
  changes: LibraryChangeStore;
  forgetting: Forgetting;
  records: RecordReading;
  isCleaningUp(): boolean;
  jobs(): Pick<JobRunner, 'create' | 'get' | 'addCounted' | 'begin' | 'forget'>;
}

/**
 * So many are asked for before it is noted that they were: more than go at a time, so that no connection waits for
 * long.
 */
const recordsATurn = 50;

export interface ChangeDraft {
  task: ChangeTask;
  /** Of whose services something is asked; null: of none. */
  workspaceId: string | null;
  /** '' for none. */
  note: string;
}

export interface ChangeRequest extends ChangeDraft {
  /** What the samples are known by, none of them twice. */
  pages: AsyncIterable<readonly string[]>;
  /** Throws where they are not the samples that the person was told of. */
  requireMeant(found: SelectionMark): void;
  /** Throws where no more is to be begun. */
  requireOpen(): void;
}

/**
 * Changes of so many samples that they are jobs: of those that were found when the person said so, whatever is found by
 * then.
 */
export class LibraryChangeJobs {
  readonly #options: LibraryChangeJobsOptions;

  constructor(options: LibraryChangeJobsOptions) {
    this.#options = options;
  }

  /** Finds the samples, and begins: some seconds where there are a million. @throws FailureError `selection-changed` */
  async start(request: ChangeRequest): Promise<Job> {
    const jobs = this.#options.jobs();
    const id = this.draft(request);
    try {
      const found = await this.#keep(id, request);
      request.requireMeant(found);
      jobs.addCounted(id, found.samples);
      return jobs.begin(id);
    } catch (error) {
      jobs.forget(id);
      throw error;
    }
  }

  /** A job of no samples yet. */
  draft({ task, workspaceId, note }: ChangeDraft): number {
    const { store, changes } = this.#options;
    return store.together(() => {
      const id = this.#options.jobs().create(task, workspaceId);
      changes.begin(id, note);
      return id;
    });
  }

  /** To a draft, which has none of them already. @throws FailureError `job-missing`, `job-state` */
  async add(id: number, pages: AsyncIterable<readonly string[]>, requireOpen: () => void): Promise<void> {
    const { store, changes } = this.#options;
    for await (const hashes of pages) {
      requireOpen();
      this.#requireChange(id);
      store.together(() => {
        this.#options.jobs().addCounted(id, hashes.length);
        changes.add(id, hashes);
      });
    }
  }

  /**
   * One that was begun stays so, in whatever state it is: who asks once more did not hear the answer. @throws
   * FailureError `job-missing`
   */
  begin(id: number): void {
    if (this.#requireChange(id).state === 'draft') this.#options.jobs().begin(id);
  }

  /** What is forgotten was asked about, and is never put together like this. */
  #requireChange(id: number): Job {
    const job = this.#options.jobs().get(id);
    if (job.task.kind !== 'library-change' || job.task.what !== 'change') fail({ kind: 'job-missing', id });
    return job;
  }

  /**
   * The step of jobs of kind `library-change`. What is done and how many that were is one transaction: cut off
   * anywhere, nothing is done twice.
   */
  async run(work: JobWork): Promise<void> {
    const { task } = work;
    if (task.kind !== 'library-change') throw new TypeError(`a job of another kind: ${task.kind}`);
    if (task.what === 'change') return this.#change(work, task);
    if (task.what === 'records') return this.#readRecords(work);
    if (this.#options.isCleaningUp()) fail({ kind: 'storage-busy' });
    await this.#options.forgetting.finish(() => work.signal.throwIfAborted());
    return this.#forget(work, task.what);
  }

  async #keep(id: number, { pages, requireOpen }: ChangeRequest): Promise<SelectionMark> {
    const { changes } = this.#options;
    const found = new MarkOfPages();
    for await (const hashes of pages) {
      requireOpen();
      changes.add(id, hashes);
      found.add(hashes);
    }
    return found.whole();
  }

  async #change(work: JobWork, { add, remove, tlp, whereTlp }: ChangeTask): Promise<void> {
    const { store, changes } = this.#options;
    const note = changes.note(work.id);
    const size = new StepSize(changedATurn);
    for await (const hashes of this.#steps(work, size)) {
      size.step(() =>
        store.changeSamples(hashes, { add, remove, tlp, whereTlp, note }, ({ changed, leftOut }) =>
          this.#done(work, { done: changed, unknown: leftOut, 'already-here': hashes.length - changed - leftOut }),
        ),
      );
    }
  }

  /**
   * What was read before the program ended is there when the same samples come once more, and is not asked for again.
   */
  async #readRecords(work: JobWork): Promise<void> {
    const { store, records } = this.#options;
    const workspaceId = work.workspaceId ?? fail({ kind: 'workspace-missing', id: '' });
    for await (const hashes of this.#steps(work, { now: recordsATurn })) {
      const outcomes = await records.read(hashes, { workspaceId, job: work.id, signal: work.signal });
      const count = (sought: RecordOutcome): number => outcomes.filter((outcome) => outcome === sought).length;
      store.together(() =>
        this.#done(work, {
          done: count('done'),
          'already-here': count('already-here'),
          unknown: count('unknown'),
          forbidden: count('forbidden'),
          failed: count('failed'),
        }),
      );
    }
  }

  async #forget(work: JobWork, what: 'bytes' | 'all'): Promise<void> {
    for await (const hashes of this.#steps(work, { now: forgottenATurn })) {
      await this.#options.forgetting.step({
        hashes,
        what,
        alongside: (forgotten) => this.#done(work, { done: forgotten, 'already-here': hashes.length - forgotten }),
        requireOpen: () => work.signal.throwIfAborted(),
      });
    }
  }

  #done(work: JobWork, outcomes: Partial<Record<RecordOutcome, number>>): void {
    work.tally(outcomes);
    this.#options.changes.done(
      work.id,
      Object.values(outcomes).reduce((sum, count) => sum + count, 0),
    );
  }

  async *#steps(work: JobWork, size: Pick<StepSize, 'now'>): AsyncGenerator<readonly string[], void, void> {
    const { changes } = this.#options;
    for (let hashes = changes.next(work.id, size.now); hashes.length > 0; hashes = changes.next(work.id, size.now)) {
      work.signal.throwIfAborted();
      yield hashes;
      await nextTurn();
    }
  }
}
