import type { AddedCounts, AddedFile } from '../../../shared/domain/addition.ts';
import type { Job } from '../../../shared/domain/job.ts';
import { fail } from '../../../shared/failure.ts';
import type { JobWork } from '../../jobs/job-runner.ts';
import { stagedPlace } from '../../vault/staging.ts';
import { AdditionRun, type AdditionsOptions } from './addition-run.ts';

/** Local files into the vault, as jobs. No service is asked, and nothing leaves this computer. */
export class Additions {
  readonly #options: AdditionsOptions;
  /** What a person gave for the archives of a job. Never stored. */
  readonly #passwords = new Map<number, readonly string[]>();

  constructor(options: AdditionsOptions) {
    this.#options = options;
  }

  /** Finds again what earlier runs staged. To be called before the staging folder is swept. */
  restore(): void {
    const { store, staging } = this.#options;
    store.dropOrphans();
    for (const { stagedId, place } of store.everyStaged()) {
      const read = stagedPlace.safeParse(place);
      if (read.success) staging.restore(stagedId, read.data);
    }
  }

  /** @returns a job that is not begun */
  draft(opensArchives: boolean): number {
    return this.#options.jobs().create({ kind: 'library-add', opensArchives }, null);
  }

  /**
   * @returns how many files it has now. @throws FailureError `job-missing`, `job-state`, `staged-file-missing`, `job-
   * too-large`
   */
  addFiles(jobId: number, files: readonly { id: string; path: string }[]): number {
    const { store, staging } = this.#options;
    this.#requireDraft(jobId);
    return store.add(
      jobId,
      files.map(({ id, path }) => {
        const { name, sizeBytes } = staging.fileOf(id);
        return { name, path, stagedId: id, place: staging.placeOf(id), sizeBytes };
      }),
    );
  }

  /** @throws FailureError `job-missing`, `job-state`, `nothing-selected` */
  begin(jobId: number, passwords: readonly string[]): Job {
    const { store, jobs } = this.#options;
    this.#requireDraft(jobId);
    const files = store.given(jobId);
    if (files === 0) fail({ kind: 'nothing-selected' });
    if (passwords.length > 0) this.#passwords.set(jobId, passwords);
    jobs().addCounted(jobId, files);
    return jobs().begin(jobId);
  }

  added(
    jobId: number,
    window: { toSee: boolean; offset: number; limit: number },
  ): { files: AddedFile[]; total: number; counts: AddedCounts } {
    const { store } = this.#options;
    return { ...store.page(jobId, window), counts: store.counts(jobId) };
  }

  /** The step of jobs of kind `library-add`. */
  async run(work: JobWork): Promise<void> {
    const { settings, ...rest } = this.#options;
    await new AdditionRun({
      ...rest,
      work,
      given: this.#passwords.get(work.id) ?? [],
      exportPassword: settings().exportPassword,
    }).run();
    this.#passwords.delete(work.id);
  }

  async jobForgotten(id: number): Promise<void> {
    this.#passwords.delete(id);
    for (const stagedId of this.#options.store.forget(id)) await this.#options.staging.discard(stagedId);
  }

  #requireDraft(id: number): void {
    const { state, task } = this.#options.jobs().get(id);
    if (task.kind !== 'library-add') fail({ kind: 'job-missing', id });
    if (state !== 'draft') fail({ kind: 'job-state', id, state });
  }
}
