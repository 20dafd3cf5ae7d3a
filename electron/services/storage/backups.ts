import { resolve } from 'node:path';
import { currentInstant } from '../../../shared/domain/clock.ts';
import type { Job, JobTask } from '../../../shared/domain/job.ts';
import type { LastBackup } from '../../../shared/domain/storage.ts';
import { fail, FailureError } from '../../../shared/failure.ts';
import { Mutex } from '../../../shared/mutex.ts';
import type { JobRunner, JobWork } from '../../jobs/job-runner.ts';
import { JobStop } from '../../jobs/job-work.ts';
import type { Platform } from '../../platform/platform.ts';
import { takeBackupFolder, type WholeBackup } from '../../storage/backup/backup-folder.ts';
import type { BackupStore } from '../../storage/backup/backup-store.ts';
import { backUpInThread } from '../../storage/backup/backup-thread.ts';
import { realPlace } from '../../storage/directory/move-plan.ts';
import type { Vault } from '../../vault/vault.ts';

export interface BackupsOptions {
  platform: Pick<Platform, 'chooseFolder' | 'capabilities' | 'dataDirectory'>;
  version: string;
  store: BackupStore;
  vault: Pick<Vault, 'requireFolder'>;
  /** null: there is none. */
  watchedFolder(): string | null;
  /** Bytes are being removed or moved that a copied database would still name. */
  areBytesGoing(): boolean;
  jobs(): Pick<JobRunner, 'create' | 'addCounted' | 'begin' | 'cancel' | 'list' | 'isUnderWay'>;
}

type BackupTask = Extract<JobTask, { kind: 'backup' }>;

/** Copies of all local data, into folders of the person. */
export class Backups {
  readonly #options: BackupsOptions;
  #running = 0;
  /** Resolves when the copy that was begun last has ended, however. */
  readonly #mutex = new Mutex();

  constructor(options: BackupsOptions) {
    this.#options = options;
  }

  /** While one is copied no bytes may go that its database names. */
  get isRunning(): boolean {
    return this.#running > 0;
  }

  /** null: there was none. */
  last(): LastBackup | null {
    return this.#options.store.last();
  }

  /** Where the next goes by itself, on a host without a picker: where it was started with, or where the last one is. */
  async folder(): Promise<string | null> {
    const { chooseFolder, capabilities } = this.#options.platform;
    return capabilities.chooseFolder ? null : ((await chooseFolder('backup')) ?? this.last()?.path ?? null);
  }

  /**
   * One at a time: while one is being made, that is the one; one that halted, or that another program left in the
   * middle, makes place. `folder`: null has the person asked, or takes that of `folder`. `startOver`:
   * also where one should be and is not.
   * @returns null when they chose none.
   * @throws FailureError `storage-busy` while one to another folder is being made, `backup-refused`, `not-writable`,
   * and as a disk does
   */
  async start(
    folder: string | null,
    { startOver = false }: { startOver?: boolean | undefined } = {},
  ): Promise<{ job: Job | null }> {
    const going = this.#going();
    if (going !== null) return { job: folder === null ? going : toFolder(going, await realPlace(resolve(folder))) };
    const chosen = await this.#choose(folder);
    if (chosen === null) return { job: null };
    const { platform, store, watchedFolder } = this.#options;
    const isExpected = (path: string): boolean => !startOver && this.#wasAt(path);
    return {
      job: this.#begin(
        await takeBackupFolder(chosen, {
          data: platform.dataDirectory,
          installation: store.installationId,
          watched: watchedFolder(),
          isExpected,
        }),
      ),
    };
  }

  /** The step of jobs of kind `backup`. */
  async run(work: JobWork): Promise<void> {
    const { task } = work;
    if (task.kind !== 'backup') throw new TypeError(`a job of another kind: ${task.kind}`);
    const { areBytesGoing, platform, vault } = this.#options;
    if (task.from !== undefined && task.from !== platform.dataDirectory)
      fail({ kind: 'backup-refused', path: task.folder, reason: 'other-copy' });
    if (areBytesGoing()) fail({ kind: 'storage-busy' });
    vault.requireFolder();
    return this.#mutex.run(() => this.#runAlone(work, task));
  }

  async #runAlone(work: JobWork, task: BackupTask): Promise<void> {
    this.#running += 1;
    try {
      await this.#copy(work, task);
    } catch (error) {
      if (error instanceof FailureError) this.#options.store.recordFailed(task.folder, error.failure.kind);
      throw error;
    } finally {
      this.#running -= 1;
    }
  }

  #wasAt(folder: string): boolean {
    if (this.last()?.path === folder) return true;
    return this.#options
      .jobs()
      .list()
      .some(({ task }) => task.kind === 'backup' && task.folder === folder);
  }

  #going(): Job | null {
    return (
      this.#unfinished().find(({ id, state }) => state !== 'paused' && this.#options.jobs().isUnderWay(id)) ?? null
    );
  }

  #unfinished(): Job[] {
    return this.#options
      .jobs()
      .list()
      .filter(({ task, state }) => task.kind === 'backup' && state !== 'done' && state !== 'cancelled');
  }

  async #choose(named: string | null): Promise<string | null> {
    const { chooseFolder, capabilities } = this.#options.platform;
    const folder = named ?? (capabilities.chooseFolder ? await chooseFolder('backup') : await this.folder());
    // Without a picker the user could not have chosen otherwise.
    if (folder === null && !capabilities.chooseFolder) fail({ kind: 'backup-refused', path: '', reason: 'not-chosen' });
    return folder;
  }

  #begin(folder: string): Job {
    const jobs = this.#options.jobs();
    const going = this.#going();
    if (going !== null) return toFolder(going, folder);
    for (const { id } of this.#unfinished()) jobs.cancel(id);
    const id = jobs.create({ kind: 'backup', folder, from: this.#options.platform.dataDirectory }, null);
    // How many files there are is known when they are walked.
    jobs.addCounted(id, 1);
    return jobs.begin(id);
  }

  async #copy(work: JobWork, { folder }: BackupTask): Promise<void> {
    const { platform, version, store } = this.#options;
    const order = { from: platform.dataDirectory, to: folder, installation: store.installationId, version };
    let left = 0;
    const ended = await backUpInThread(
      order,
      {
        planned: ({ files, bytes }) => {
          left = files;
          // One more than there are: a job without one that waits is done, and a backup is that once it is in force.
          work.recount(files + 1);
          work.expect(bytes);
        },
        step: ({ done, alreadyHere, bytes }) => {
          // What came since it was planned is counted at the end.
          const [copied, there] = [Math.min(done, left), Math.min(alreadyHere, left - Math.min(done, left))];
          left -= copied + there;
          work.tally({ done: copied, 'already-here': there });
          work.moved(bytes);
        },
        lost: (failure) => work.notice(failure),
        whole: (backup) => this.#made(work, folder, backup),
      },
      work.signal,
    );
    if (!ended && work.signal.reason instanceof JobStop && work.signal.reason.why === 'cancel')
      store.recordFailed(folder, 'cancelled');
  }

  #made(
    work: JobWork,
    folder: string,
    { files, bytes, copied, missed }: WholeBackup & { copied: number; missed: number },
  ): void {
    work.recount(files + missed);
    work.tally({ done: copied, 'already-here': files - copied, failed: missed });
    this.#options.store.record(
      { path: folder, ended: currentInstant(), files, bytes },
      { copied, ...(missed > 0 && { missed }) },
    );
  }
}

/** It is one to that folder. */
const toFolder = (job: Job, folder: string): Job =>
  job.task.kind === 'backup' && job.task.folder === folder ? job : fail({ kind: 'storage-busy' });
