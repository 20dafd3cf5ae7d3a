import type { OperationOutput, OperationRequest } from '../../../shared/contract.ts';
import type { ItemFilter, Job, JobItem } from '../../../shared/domain/job.ts';
import type {
  LibraryChange,
  LibrarySample,
  LibrarySelection,
  SavedView,
  SelectionMark,
} from '../../../shared/domain/library.ts';
import { fail, FailureError } from '../../../shared/failure.ts';
import type { EventHub } from '../../event-hub.ts';
import type { JobRunner, JobWork } from '../../jobs/job-runner.ts';
import type { LibraryChangeStore } from '../../storage/library/library-change-store.ts';
import { hashPages, type LibraryReader } from '../../storage/library/library-reader.ts';
import type { ChangeCount, LibraryStore } from '../../storage/library/library-store.ts';
import type { SavedViewStore } from '../../storage/library/saved-view-store.ts';
import type { TriageStore } from '../../storage/library/triage-store.ts';
import type { Vault } from '../../vault/vault.ts';
import {
  type ChangeTask,
  Forgetting,
  forgottenATurn,
  LibraryChangeJobs,
  markOf,
  markOfSelection,
  requireMark,
} from './library-change-jobs.ts';
import type { RecordReading } from './record-reading.ts';
import { changedATurn, fewSamples, inSteps, mostOfACall, StepSize } from './step-size.ts';

export interface LibraryOptions {
  store: LibraryStore;
  reader: LibraryReader;
  changes: LibraryChangeStore;
  views: SavedViewStore;
  vault: Pick<Vault, 'remove'>;
  records: RecordReading;
  /** What is known of a hash; null: nothing. */
  known: TriageStore['known'];
  items: { itemsForExport(id: number, filter: ItemFilter): AsyncIterable<readonly JobItem[]> };
  /** A clean-up looks for bytes that the library lost: it would bring back what is just being forgotten. */
  isCleaningUp(): boolean;
  events: EventHub;
  jobs(): Pick<JobRunner, 'create' | 'get' | 'addCounted' | 'begin' | 'forget'>;
  most?: typeof mostOfACall;
}

/** A person's queries over all local data, and changes to it. */
export class Library {
  readonly #options: LibraryOptions;
  readonly #end = new AbortController();
  readonly #running = new Set<Promise<unknown>>();
  readonly #most: typeof mostOfACall;
  readonly #forget: Forgetting;
  readonly #jobs: LibraryChangeJobs;
  #forgetting = 0;

  constructor(options: LibraryOptions) {
    this.#options = options;
    this.#most = options.most ?? mostOfACall;
    this.#forget = new Forgetting(options);
    this.#jobs = new LibraryChangeJobs({ ...options, forgetting: this.#forget });
  }

  async list(request: OperationRequest<'library.list'>): Promise<OperationOutput<'library.list'>> {
    const began = performance.now();
    const { rows, total } = await this.#options.reader.list(request);
    return { rows, total, elapsedMs: performance.now() - began };
  }

  async totals({ queries }: OperationRequest<'library.totals'>): Promise<OperationOutput<'library.totals'>> {
    return { totals: await this.#options.reader.totals(queries) };
  }

  /** @throws FailureError `not-in-library` */
  sample(hash: string): LibrarySample {
    return this.#options.store.sample(hash) ?? fail({ kind: 'not-in-library', hash });
  }

  facts(request: OperationRequest<'library.facts'>): Promise<OperationOutput<'library.facts'>> {
    return this.#options.reader.facts(request);
  }

  async suggest({ kind, beginning }: OperationRequest<'library.suggest'>): Promise<OperationOutput<'library.suggest'>> {
    return { choices: await this.#options.reader.suggest(kind, beginning) };
  }

  /** A query's samples are changed in steps: when one fails, those before it stay changed. */
  change(request: OperationRequest<'library.change'>): Promise<OperationOutput<'library.change'>> {
    return this.#untilClosed(this.#change(request));
  }

  /** More samples than a call names, for one change. */
  draftChange({ change }: OperationRequest<'library.draftChange'>): OperationOutput<'library.draftChange'> {
    this.#requireOpen();
    return { job: this.#jobs.draft({ task: changeTaskOf(change), workspaceId: null, note: change.note ?? '' }) };
  }

  /** @throws FailureError `job-missing`, `job-state` */
  addToChange({ job, selection }: OperationRequest<'library.addToChange'>): Promise<void> {
    return this.#untilClosed(this.#jobs.add(job, hashPages(selection, this.#options.reader), this.#requireOpen));
  }

  /** @throws FailureError `job-missing` */
  beginChange({ job }: OperationRequest<'library.beginChange'>): void {
    this.#jobs.begin(job);
  }

  async #change(request: OperationRequest<'library.change'>): Promise<OperationOutput<'library.change'>> {
    const { selection, change } = request;
    if (addsNote(change)) return this.#addNote(request);
    const few = await fewSamples(selection, this.#options.reader, this.#most.change);
    return few === null ? this.#changeByJob(selection, change) : this.#changeFew(few, change);
  }

  /**
   * One that failed when some samples had it would come to these twice when it is tried again: all get it at once, or a
   * job knows which have it.
   */
  async #addNote({
    selection,
    change,
    again,
  }: OperationRequest<'library.change'>): Promise<OperationOutput<'library.change'>> {
    const few = await fewSamples(selection, this.#options.reader, this.#most.note);
    this.#requireOpen();
    return few === null || few.length > this.#most.note
      ? this.#changeByJob(selection, change)
      : this.#options.store.changeSamples(few, { ...change, again });
  }

  async #changeByJob(selection: LibrarySelection, change: LibraryChange): Promise<OperationOutput<'library.change'>> {
    const pages = hashPages(selection, this.#options.reader);
    const { id } = await this.#jobs.start({
      pages,
      task: changeTaskOf(change),
      workspaceId: null,
      note: change.note ?? '',
      requireMeant: nothing,
      requireOpen: this.#requireOpen,
    });
    return { changed: 0, leftOut: 0, job: id };
  }

  async #changeFew(few: readonly string[], change: LibraryChange): Promise<ChangeCount> {
    const sum = { changed: 0, leftOut: 0 };
    const size = new StepSize(changedATurn);
    for await (const hashes of inSteps(few, size)) {
      this.#requireOpen();
      const { changed, leftOut } = size.step(() => this.#options.store.changeSamples(hashes, change));
      sum.changed += changed;
      sum.leftOut += leftOut;
    }
    return sum;
  }

  /** Of those that came without one, whatever else is among them. @throws FailureError `nothing-selected` */
  readRecords({ selection, workspaceId }: OperationRequest<'library.readRecords'>): Promise<Job> {
    const { reader, items } = this.#options;
    const pages =
      selection.kind === 'job'
        ? samplesOf(items.itemsForExport(selection.id, selection.filter))
        : hashPages(selection, reader);
    return this.#untilClosed(
      this.#jobs.start({
        pages,
        task: taskOf('records'),
        workspaceId,
        note: '',
        requireMeant: requireSome,
        requireOpen: this.#requireOpen,
      }),
    );
  }

  /**
   * A job for the records of a download's samples that came without theirs: none of it fails the download. No job where
   * each has one. Rejects with the reason of `signal`, and has begun none then.
   */
  async readMissing(work: Pick<JobWork, 'id' | 'workspaceId' | 'notice' | 'signal'>): Promise<void> {
    const here: ItemFilter = { states: ['done', 'already-here'], find: '' };
    const pages = withoutRecord(samplesOf(this.#options.items.itemsForExport(work.id, here)), this.#options.known);
    try {
      await this.#untilClosed(
        this.#jobs.start({
          pages,
          task: taskOf('records'),
          workspaceId: work.workspaceId,
          note: '',
          requireMeant: (found) => {
            work.signal.throwIfAborted();
            requireSome(found);
          },
          requireOpen: () => {
            work.signal.throwIfAborted();
            this.#requireOpen();
          },
        }),
      );
    } catch (error) {
      if (!(error instanceof FailureError)) throw error;
      if (error.failure.kind !== 'nothing-selected' && error.failure.kind !== 'cancelled') work.notice(error.failure);
    }
  }

  /** The step of jobs of kind `library-change`. */
  run(work: JobWork): Promise<void> {
    return this.#jobs.run(work);
  }

  note({ sha256, text }: OperationRequest<'library.note'>): void {
    this.#options.store.setNote(sha256, text);
  }

  /** Which samples a selection means at this moment, for `forget`. */
  meant({ selection }: OperationRequest<'library.meant'>): Promise<SelectionMark> {
    return this.#untilClosed(markOfSelection(selection, this.#options.reader, this.#requireOpen));
  }

  /** How many are being forgotten right now. */
  get forgetting(): number {
    return this.#forgetting;
  }

  /**
   * All of a step is tried; what could not be removed then is removed before the next time.
   *
   * @throws FailureError `storage-busy` while a clean-up runs, `selection-changed`, `cancelled` when it is closed, or
   * as the vault does
   */
  async forget(request: OperationRequest<'library.forget'>): Promise<OperationOutput<'library.forget'>> {
    if (this.#options.isCleaningUp()) fail({ kind: 'storage-busy' });
    this.#forgetting += 1;
    try {
      return await this.#untilClosed(this.#forgetSelected(request));
    } finally {
      this.#forgetting -= 1;
    }
  }

  /**
   * What was forgotten before, and could not be removed from the vault then, is removed. @throws FailureError as the
   * vault does
   */
  finishForgetting(): Promise<void> {
    return this.#untilClosed(this.#forget.finish(this.#requireOpen));
  }

  /** Resolves when nothing is written any more; what is left of a selection stays as it is. */
  async close(): Promise<void> {
    this.#end.abort();
    await Promise.allSettled(this.#running);
  }

  listViews(): SavedView[] {
    return this.#options.views.list();
  }

  /** @throws FailureError `view-missing`, `view-name-taken`, `too-many-views` */
  saveView(view: OperationRequest<'views.save'>): SavedView {
    const saved = this.#options.views.save(view);
    this.#reportViews();
    return saved;
  }

  /** @throws FailureError `view-missing`, `view-name-taken` */
  renameView(id: number, name: string): SavedView {
    const renamed = this.#options.views.rename(id, name);
    this.#reportViews();
    return renamed;
  }

  removeView(id: number): void {
    this.#options.views.remove(id);
    this.#reportViews();
  }

  /** @throws FailureError `view-missing` */
  moveView(id: number, before: number | null): void {
    this.#options.views.move(id, before);
    this.#reportViews();
  }

  async #forgetSelected({
    selection,
    what,
    expected,
  }: OperationRequest<'library.forget'>): Promise<OperationOutput<'library.forget'>> {
    await this.#forget.finish(this.#requireOpen);
    const few = await fewSamples(selection, this.#options.reader, this.#most.forget);
    const requireMeant = (found: SelectionMark): void => requireMark(found, expected);
    if (few === null) {
      const pages = hashPages(selection, this.#options.reader);
      const { id } = await this.#jobs.start({
        pages,
        task: taskOf(what),
        workspaceId: null,
        note: '',
        requireMeant,
        requireOpen: this.#requireOpen,
      });
      return { forgotten: 0, job: id };
    }
    // One named is one meant; it may be gone, and then nothing is done to it.
    if (selection.kind === 'query') requireMeant(markOf(few));
    return { forgotten: await this.#forgetFew(few, what) };
  }

  async #forgetFew(few: readonly string[], what: 'bytes' | 'all'): Promise<number> {
    let sum = 0;
    const alongside = (forgotten: number): void => void (sum += forgotten);
    for await (const hashes of inSteps(few, { now: forgottenATurn }))
      await this.#forget.step({ hashes, what, alongside, requireOpen: this.#requireOpen });
    return sum;
  }

  async #untilClosed<T>(work: Promise<T>): Promise<T> {
    this.#running.add(work);
    try {
      return await work;
    } finally {
      this.#running.delete(work);
    }
  }

  readonly #requireOpen = (): void => {
    if (this.#end.signal.aborted) fail({ kind: 'cancelled' });
  };

  #reportViews(): void {
    this.#options.events.emit({ name: 'views.changed', payload: {} });
  }
}

const nothing = (): void => {};
const requireSome = ({ samples }: SelectionMark): void => void (samples === 0 && fail({ kind: 'nothing-selected' }));

/** Two hashes may mean one sample. */
async function* samplesOf(pages: AsyncIterable<readonly JobItem[]>): AsyncGenerator<readonly string[], void, void> {
  const seen = new Set<string>();
  for await (const items of pages)
    yield items.map(({ sha256, md5, hash }) => sha256 ?? md5 ?? hash).filter((hash) => seen.size < seen.add(hash).size);
}

async function* withoutRecord(
  pages: AsyncIterable<readonly string[]>,
  known: LibraryOptions['known'],
): AsyncGenerator<readonly string[], void, void> {
  for await (const hashes of pages) yield hashes.filter((hash) => known(hash)?.isRecorded === false);
}

const addsNote = ({ note = '' }: LibraryChange): boolean => note.trim() !== '';
const changeTaskOf = ({ add, remove, tlp, whereTlp, note }: LibraryChange): ChangeTask => ({
  kind: 'library-change',
  what: 'change',
  add,
  remove,
  tlp,
  whereTlp,
  addsNote: addsNote({ add, remove, note }),
});
const taskOf = (what: Exclude<ChangeTask['what'], 'change'>): ChangeTask => ({
  kind: 'library-change',
  what,
  add: [],
  remove: [],
  addsNote: false,
});
