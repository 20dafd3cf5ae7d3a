import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Job, JobTask } from '../../../shared/domain/job.ts';
import type { LibrarySelection, SelectionMark } from '../../../shared/domain/library.ts';
import { fail } from '../../../shared/failure.ts';
import type { JobRunner, JobWork } from '../../jobs/job-runner.ts';
import type { LibraryChangeStore } from '../../storage/library/library-change-store.ts';
import { hashPages, type LibraryReader } from '../../storage/library/library-reader.ts';
import type { LibraryStore } from '../../storage/library/library-store.ts';
import type { Vault } from '../../vault/vault.ts';
import type { RecordOutcome, RecordReading } from './record-reading.ts';
import { changedATurn, StepSize } from './step-size.ts';

interface ForgettingOptions {
  store: Pick<LibraryStore, 'forget' | 'forgetComments' | 'bytesToDrop' | 'dropped'>;
  vault: Pick<Vault, 'remove'>;
}

interface ForgetStep {
  hashes: readonly string[];
  what: 'bytes' | 'all';
  /** In the transaction in which the library forgets: of how many there was something to forget. */
  alongside(forgotten: number): void;
  /** Throws where no more is to be begun. */
  requireOpen(): void;
}

/** Forgotten before the thread is free again, at most. */
export const forgottenATurn = 10;
const commentsATurn = 200;
/** Removed by the vault before what is left is looked for again. */
const droppedATurn = 100;

/**
 * Forgets samples, some at a time. Which bytes are to go the library keeps in mind: what a crash cuts off is finished
 * later.
 */
export class Forgetting {
  readonly #options: ForgettingOptions;

  constructor(options: ForgettingOptions) {
    this.#options = options;
  }

  /**
   * The library forgets first: a row whose bytes went first would promise what is not there. All of a step is tried.
   * @throws FailureError as the vault does
   */
  async step({ hashes, what, alongside, requireOpen }: ForgetStep): Promise<void> {
    if (what === 'all') await this.#forgetComments(hashes, requireOpen);
    requireOpen();
    await this.#drop(this.#options.store.forget(hashes, what, alongside));
  }

  /**
   * What was forgotten before, and could not be removed from the vault then, is removed. @throws FailureError as the
   * vault does
   */
  async finish(requireOpen: () => void): Promise<void> {
    const { store } = this.#options;
    for (let left = store.bytesToDrop(droppedATurn); left.length > 0; left = store.bytesToDrop(droppedATurn)) {
      await this.#drop(left);
      requireOpen();
    }
  }

  /**
   * First, and some at a time: a record may have twenty thousand. Cut off here, those that are gone come again with the
   * next record.
   */
  async #forgetComments(hashes: readonly string[], requireOpen: () => void): Promise<void> {
    for (const hash of hashes) {
      while (this.#options.store.forgetComments(hash, commentsATurn)) {
        await nextTurn();
        requireOpen();
      }
    }
  }

  /**
   * To be called in the very turn in which they were read from the library: the vault spares what arrives from then on.
   */
  async #drop(sha256s: readonly string[]): Promise<void> {
    const { store, vault } = this.#options;
    const removals = await Promise.allSettled(sha256s.map((sha256) => vault.remove(sha256)));
    store.dropped(sha256s.filter((_, index) => removals[index]?.status === 'fulfilled'));
    for (const removal of removals) if (removal.status === 'rejected') throw removal.reason;
  }
}

/**
 * Of samples that come some at a time: the same for the same ones in the same order, wherever one page ends. A million
 * take a tenth of a second.
 */
class MarkOfPages {
  readonly #hash = createHash('sha256');
  #samples = 0;

  add(hashes: readonly string[]): void {
    this.#samples += hashes.length;
    this.#hash.update(hashes.map((hash) => `${hash}\n`).join(''));
  }

  /** To be called once, at the end. */
  whole(): SelectionMark {
    return { samples: this.#samples, mark: this.#hash.digest('hex') };
  }
}

export function markOf(hashes: readonly string[]): SelectionMark {
  const pages = new MarkOfPages();
  pages.add(hashes);
  return pages.whole();
}

/**
 * Of a million samples this takes some seconds, the thread free between their pages. `requireOpen` throws where no more
 * is to be begun.
 */
export async function markOfSelection(
  selection: LibrarySelection,
  reader: Pick<LibraryReader, 'hashes'>,
  requireOpen: () => void,
): Promise<SelectionMark> {
  const pages = new MarkOfPages();
  for await (const hashes of hashPages(selection, reader)) {
    requireOpen();
    pages.add(hashes);
  }
  return pages.whole();
}

/**
 * What cannot be undone is done to exactly the samples that the person was shown, or to none: as many others are not
 * meant. null: they were shown none.
 *
 * @throws FailureError `selection-changed`
 */
export function requireMark(found: SelectionMark, expected: SelectionMark | null): void {
  if (found.mark !== expected?.mark)
    fail({ kind: 'selection-changed', expected: expected?.samples ?? 0, found: found.samples });
}

export type ChangeTask = Extract<JobTask, { kind: 'library-change' }>;

interface LibraryChangeJobsOptions {
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

interface ChangeDraft {
  task: ChangeTask;
  /** Of whose services something is asked; null: of none. */
  workspaceId: string | null;
  /** '' for none. */
  note: string;
}

interface ChangeRequest extends ChangeDraft {
  /** What the samples are known by, none of them twice. */
  pages: AsyncIterable<readonly string[]>;
  /** Throws where they are not the samples that the person was shown. */
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
      const { outcomes, ended } = await records.read(hashes, { workspaceId, job: work.id, signal: work.signal });
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
      ended?.throwIfAborted();
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
