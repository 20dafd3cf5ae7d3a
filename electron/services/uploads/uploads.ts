import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Hashes } from '../../../shared/domain/hash.ts';
import type { Job } from '../../../shared/domain/job.ts';
import type { ArchiveLimits, NameEncoding } from '../../../shared/domain/opened-archive.ts';
import type { Settings } from '../../../shared/domain/settings.ts';
import type {
  RequestLimits,
  TickedFiles,
  UploadChange,
  UploadDraft,
  UploadFile,
  UploadIntake,
  UploadOrder,
  UploadRemoval,
  UploadTarget,
} from '../../../shared/domain/upload.ts';
import type { RepositoryOptions } from '../../../shared/domain/workspace.ts';
import { fail } from '../../../shared/failure.ts';
import { Mutex } from '../../../shared/mutex.ts';
import type { Connect } from '../../api/connections.ts';
import { systemTiming, type Timing } from '../../api/limits.ts';
import { createRepositoryApi } from '../../api/repository-api.ts';
import { type EventHub, WorkspaceEvents } from '../../event-hub.ts';
import type { JobRunner, JobWork } from '../../jobs/job-runner.ts';
import type { WorkspaceSlots } from '../../jobs/workspace-slots.ts';
import type { LibraryStore } from '../../storage/library/library-store.ts';
import type { StoredUploadFile, UploadStore } from '../../storage/uploads/upload-store.ts';
import type { StagedFacts } from '../../vault/staged-facts/staged-facts.ts';
import { stagedPlace, type Staging } from '../../vault/staging.ts';
import { ArchiveOpening } from './archive-opening.ts';
import { DraftLookups } from './draft-lookups.ts';
import { DraftReading } from './draft-reading.ts';
import { placeLost, placeMoved } from './moved-files.ts';
import { UploadRun } from './upload-run.ts';

export interface UploadsOptions {
  connect: Connect;
  store: UploadStore;
  library: LibraryStore;
  staging: Staging;
  facts: StagedFacts;
  /** For large files, beside the others. */
  largeFacts: StagedFacts;
  events: EventHub;
  slots: WorkspaceSlots;
  settings(): Pick<Settings, 'uploadFiles' | 'uploadMebibytes' | 'exportPassword'>;
  /** null for a workspace that is not there. */
  repositoryOptions(workspaceId: string): RepositoryOptions | null;
  /** Asked for when a job is made: the runner itself needs `run`. */
  jobs(): Pick<JobRunner, 'create' | 'add' | 'begin' | 'forget'>;
  /** A record showed whether a workspace's repository decodes the comments of uploads once more. */
  decodingLearnt(workspaceId: string, decodes: boolean): void;
  logDefect(error: unknown): void;
  /** For pauses; the machine's own where it is left out. */
  timing?: Timing;
  /** Of archives that are opened; those of the field where it is left out. */
  archiveLimits?: ArchiveLimits;
}

const itemsATurn = 500;

/** A staged file that came by itself. `path`: the folder it lies in, shown only. */
export interface HeldFile {
  stagedId: string;
  path: string;
  hashes: Hashes;
}

/** Of these files and no others, as long as there is a data directory. */
const markOf = (ids: readonly number[]): string => createHash('sha256').update(JSON.stringify(ids)).digest('hex');

/** From dropped files to samples at the repository: a draft for each workspace, and the jobs made of it. */
export class Uploads {
  readonly #options: UploadsOptions & { timing: Timing };
  readonly #news: WorkspaceEvents;
  readonly #archives: ArchiveOpening;
  readonly #lookups: DraftLookups;
  readonly #reading: DraftReading;
  /** Each with its number of steps; one after the other, so that no step of one comes between two of another. */
  readonly #mutex = new Mutex();
  /** Files of drafts that the library calls more closed than they are there. */
  readonly #toRaise: number[] = [];

  constructor(options: UploadsOptions) {
    const { store, staging, settings, logDefect, events, timing = systemTiming } = options;
    this.#options = { ...options, timing };
    this.#news = new WorkspaceEvents((workspaceId) =>
      events.emit({ name: 'uploads.changed', payload: { workspaceId } }),
    );
    this.#archives = new ArchiveOpening({
      ...options,
      store,
      staging,
      news: this.#news,
      exportPassword: () => settings().exportPassword,
      added: () => this.#reading.kick(),
    });
    this.#lookups = new DraftLookups({
      ...this.#options,
      news: this.#news,
      logDefect,
      lookedUp: (workspaceId, failure) => events.emit({ name: 'uploads.asked', payload: { workspaceId, failure } }),
    });
    this.#reading = new DraftReading({
      ...options,
      news: this.#news,
      openArchive: (archive, signal) => this.#archives.open(archive, signal),
      read: () => this.#lookups.kick(),
    });
    store.watchKnown((id) => this.#raiseSoon(id));
  }

  /** Finds again what earlier runs staged, and resumes reading it. */
  async start({ resumesUnfinished }: { resumesUnfinished: boolean } = { resumesUnfinished: true }): Promise<void> {
    const { store, staging } = this.#options;
    store.returnOrphans();
    for (const { stagedId, place } of store.everyStaged()) {
      const read = stagedPlace.safeParse(place);
      if (read.success) staging.restore(stagedId, read.data);
    }
    await staging.sweep();
    if (resumesUnfinished) this.#findOut();
  }

  async close(): Promise<void> {
    await Promise.all([this.#reading.close(), this.#lookups.close()]);
    this.#news.close();
    await this.#mutex.idle();
  }

  draft(workspaceId: string): UploadDraft {
    return this.#options.store.draft(workspaceId, this.#limits());
  }

  files(workspaceId: string, offset: number, limit: number): { files: UploadFile[]; total: number } {
    return this.#options.store.window(workspaceId, offset, limit);
  }

  /**
   * Throws `staged-file-missing` for a file that was not staged, `draft-too-large`, `workspace-missing`; nothing is
   * added then.
   */
  add(
    workspaceId: string,
    staged: readonly { id: string; path: string }[],
    { isTicked = true, archives = 'once', passwords = [], nameEncoding = null }: UploadIntake = {},
  ): number[] {
    const { store, staging, repositoryOptions } = this.#options;
    // Files dropped into a workspace that was removed meanwhile would lie there for ever.
    if (repositoryOptions(workspaceId) === null) fail({ kind: 'workspace-missing', id: workspaceId });
    const files = staged.map(({ id, path }) => {
      const { name, sizeBytes } = staging.fileOf(id);
      return {
        parentId: null,
        name,
        path,
        stagedId: id,
        place: staging.placeOf(id),
        sizeBytes,
        isTicked,
        archives,
        nameEncoding,
      };
    });
    const ids = store.add(workspaceId, files);
    if (passwords.length > 0)
      this.#archives.give(
        staged.map(({ id }) => id),
        passwords,
      );
    this.#news.changed(workspaceId);
    this.#reading.kick();
    return ids;
  }

  /**
   * Takes files in that came by themselves. They are not ticked, and no question is shown about them; what the person
   * ticks of them is as any other file, as long as it is ticked. Throws as `add` does.
   */
  addHeld(workspaceId: string, files: readonly HeldFile[]): void {
    const { store, staging, repositoryOptions } = this.#options;
    if (repositoryOptions(workspaceId) === null) fail({ kind: 'workspace-missing', id: workspaceId });
    store.add(
      workspaceId,
      files.map(({ stagedId, path, hashes }) => {
        const { name, sizeBytes } = staging.fileOf(stagedId);
        return {
          parentId: null,
          name,
          path,
          stagedId,
          place: staging.placeOf(stagedId),
          sizeBytes,
          hashes,
          isTicked: false,
          cameByItself: true,
        };
      }),
    );
    this.#news.changed(workspaceId);
    this.#reading.kick();
  }

  /**
   * Of bytes that came by themselves once more: files that were moved are found again where they lie now, and none of a
   * person's becomes such a one.
   */
  async placeMoved(workspaceId: string, contents: readonly Hashes[]): Promise<void> {
    for (const { md5, sha256 } of contents)
      if (await placeMoved(this.#options, { workspaceId, md5, sha256 })) this.#news.changed(workspaceId);
  }

  /**
   * What came by itself and could not be read, since its folder was away or it was moved, is read where it lies now.
   */
  async placeLost(): Promise<void> {
    const workspaces = await placeLost(this.#options);
    for (const workspaceId of workspaces) this.#news.changed(workspaceId);
    if (workspaces.size > 0) this.#reading.kick();
  }

  /**
   * Throws `archive-password` for one that opens no member, `upload-file-missing` also for what is no locked archive
   * any more.
   */
  async openArchive(id: number, password: string): Promise<void> {
    const { store } = this.#options;
    const file = this.#archive(id, 'locked');
    if (!(await this.#archives.tryPassword(file, password))) fail({ kind: 'archive-password', name: file.name });
    this.#archive(id, 'locked');
    store.setArchive(id, { state: 'opening', members: 0, failure: null, nameEncoding: file.nameEncoding, remarks: [] });
    this.#news.changed(file.workspaceId);
    this.#reading.kick();
  }

  /** Throws `upload-file-missing` for what is no open archive any more, and as the disk does. */
  readNames(id: number, encoding: NameEncoding): Promise<void> {
    return this.#mutex.run(async () => {
      const file = this.#archive(id, 'open');
      const names = await this.#archives.names(file, encoding);
      for (const _ of this.#options.store.renameInSteps(id, encoding, names)) await nextTurn();
      this.#news.changed(file.workspaceId);
    });
  }

  change(
    workspaceId: string,
    target: UploadTarget,
    change: UploadChange,
  ): Promise<{ changed: number; refused: number }> {
    return this.#mutex.run(async () => {
      const done = { changed: 0, refused: 0 };
      for (const { changed, refused } of this.#options.store.changeInSteps(workspaceId, target, change)) {
        done.changed += changed;
        done.refused += refused;
        await nextTurn();
      }
      this.#news.changed(workspaceId);
      // What came by itself is asked about as soon as it is ticked.
      if (change.isTicked) this.#lookups.kick();
      return done;
    });
  }

  ticked(workspaceId: string): Promise<TickedFiles> {
    return this.#mutex.run(async () => {
      const ids = this.#options.store.ticked(workspaceId);
      return { files: ids.length, mark: markOf(ids) };
    });
  }

  /** Throws `ticks-changed` where other files are ticked than those that the user confirmed. */
  remove(workspaceId: string, target: UploadRemoval): Promise<void> {
    return this.#mutex.run(async () => {
      const meant = target.kind === 'ticked' ? this.#lookedUpTarget(workspaceId, target.mark) : target;
      for (const staged of this.#options.store.removeInSteps(workspaceId, meant)) await this.discard(staged);
      this.#news.changed(workspaceId);
      this.#findOut();
    });
  }

  comment(workspaceId: string, text: string): void {
    this.#options.store.setComment(workspaceId, text);
    this.#news.changed(workspaceId);
  }

  askAgain(workspaceId: string): void {
    this.#lookups.lookUpAgain(workspaceId);
    this.#news.changed(workspaceId);
  }

  /** Throws `draft-busy`, `nothing-to-send`, `workspace-missing`. */
  send(workspaceId: string, only?: UploadOrder): Promise<Job> {
    return this.#mutex.run(async () => {
      const { files, busy } = await this.#toSend(workspaceId, only);
      if (busy > 0) fail({ kind: 'draft-busy', files: busy });
      if (files === 0) fail({ kind: 'nothing-to-send' });
      try {
        const { job, emptied } = await this.#begun(workspaceId, only);
        for (const staged of this.#options.store.removeInSteps(workspaceId, { kind: 'files', ids: emptied }))
          await this.discard(staged);
        return job;
      } finally {
        this.#news.changed(workspaceId);
        this.#findOut();
      }
    });
  }

  /** The step of jobs of kind `upload`. */
  async run(work: JobWork): Promise<void> {
    const { connect, repositoryOptions, ...rest } = this.#options;
    const workspaceId = work.workspaceId ?? fail({ kind: 'workspace-missing', id: '' });
    const repository = repositoryOptions(workspaceId) ?? fail({ kind: 'workspace-missing', id: workspaceId });
    const api = createRepositoryApi(await connect(workspaceId, 'repository'), { timing: rest.timing });
    const run = new UploadRun({
      ...rest,
      work,
      workspaceId,
      repository,
      api,
      limits: this.#limits(),
      draftChanged: () => this.#news.changed(workspaceId),
      decodingLearnt: (decodes) => this.#options.decodingLearnt(workspaceId, decodes),
    });
    try {
      await run.run();
    } finally {
      await run.close();
    }
  }

  /** Its files that were not sent go with it, and the journal shows which may have arrived. */
  async jobForgotten(id: number): Promise<void> {
    const { store, library } = this.#options;
    await this.discard(
      store.together(() => {
        library.recordUploads(store.inDoubt(id));
        return store.forgetJob(id);
      }),
    );
  }

  /** What was copied of files that no draft and no job has any more. They are not read any further. */
  async discard(staged: readonly string[]): Promise<void> {
    this.#reading.gone(staged);
    this.#archives.gone(staged);
    for (const id of staged) await this.#options.staging.discard(id);
  }

  /** What the guard would do when it is sent is shown before. Not at once: the statement that closed it is not over. */
  #raiseSoon(id: number): void {
    if (this.#toRaise.push(id) > 1) return;
    this.#mutex
      .run(async () => {
        const ids = this.#toRaise.splice(0);
        for (let at = 0; at < ids.length; at += itemsATurn) {
          for (const workspaceId of this.#options.store.raiseToKnown(ids.slice(at, at + itemsATurn)))
            this.#news.changed(workspaceId);
          await nextTurn();
        }
      })
      .catch(this.#options.logDefect);
  }

  /** Copies replace what left the draft: nothing was found out about them until now. */
  #findOut(): void {
    this.#reading.kick();
    this.#lookups.kick();
  }

  async #toSend(workspaceId: string, only: UploadOrder | undefined): Promise<{ files: number; busy: number }> {
    if (only) return this.#named(workspaceId, only.ids);
    const { toSend, busy } = this.draft(workspaceId);
    return { files: toSend.files, busy };
  }

  async #named(workspaceId: string, ids: readonly number[]): Promise<{ files: number; busy: number }> {
    const sum = { files: 0, busy: 0 };
    for (let at = 0; at < ids.length; at += itemsATurn) {
      const { files, busy } = this.#options.store.named(workspaceId, ids.slice(at, at + itemsATurn));
      sum.files += files;
      sum.busy += busy;
      await nextTurn();
    }
    return sum;
  }

  /**
   * `emptied`: archives of which all is sent now. They leave the draft once the job has begun: until then it may be
   * given up.
   */
  async #begun(workspaceId: string, only: UploadOrder | undefined): Promise<{ job: Job; emptied: number[] }> {
    const jobs = this.#options.jobs();
    const id = jobs.create({ kind: 'upload' }, workspaceId);
    try {
      await this.#fill(id, workspaceId, only);
      const emptied = this.#options.store.emptiedBy(id);
      return { job: jobs.begin(id), emptied };
    } catch (error) {
      // First of all: with the job would go what it has of the draft.
      this.#options.store.returnOrphans();
      jobs.forget(id);
      throw error;
    }
  }

  async #fill(id: number, workspaceId: string, only: UploadOrder | undefined): Promise<void> {
    for (const items of this.#options.store.sendInSteps(workspaceId, id, only)) {
      for (let at = 0; at < items.length; at += itemsATurn)
        this.#options.jobs().add(id, items.slice(at, at + itemsATurn));
      await nextTurn();
    }
  }

  #lookedUpTarget(workspaceId: string, mark: string): UploadTarget {
    const ids = this.#options.store.ticked(workspaceId);
    return markOf(ids) === mark ? { kind: 'files', ids } : fail({ kind: 'ticks-changed' });
  }

  #archive(id: number, state: 'locked' | 'open'): StoredUploadFile {
    const file = this.#options.store.get(id);
    return file && file.jobId === null && file.archive?.state === state
      ? file
      : fail({ kind: 'upload-file-missing', id });
  }

  #limits(): RequestLimits {
    const { uploadFiles, uploadMebibytes } = this.#options.settings();
    return { files: uploadFiles, bytes: uploadMebibytes * 1024 * 1024 };
  }
}
