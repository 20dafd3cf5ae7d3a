import type { Dirent } from 'node:fs';
import { lstat, opendir, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { systemErrorCode } from '../../../shared/disk-failure.ts';
import { currentInstant } from '../../../shared/domain/clock.ts';
import { isFinalJob, type Job } from '../../../shared/domain/job.ts';
import type { StoragePlace, StorageState } from '../../../shared/domain/storage.ts';
import { fail } from '../../../shared/failure.ts';
import { type JobRunner, type JobWork, putIntoJob } from '../../jobs/job-runner.ts';
import type { LibraryStore } from '../../storage/library/library-store.ts';
import type { VaultCheckStore } from '../../storage/library/vault-index.ts';
import { throwReadFailure, unlessMissing } from '../../vault/disk-failures.ts';
import { SampleInspector } from '../../vault/inspection/sample-inspector.ts';
import type { Vault } from '../../vault/vault.ts';
import { bringBackLost, VaultCheck } from './vault-check.ts';

interface FolderSize {
  bytes: number;
  files: number;
}

/** What goes while it is walked is not there; a folder that was never made has nothing in it. */
const goneCodes = new Set(['ENOENT', 'ENOTDIR']);

/**
 * Of all files under a folder, or (`deep` false) of those right in it. Links are not followed and not counted. Throws
 * the system's errors.
 */
export async function folderSize(folder: string, deep = true): Promise<FolderSize> {
  const size: FolderSize = { bytes: 0, files: 0 };
  const folders = (await isFolder(folder)) ? [folder] : [];
  for (let path = folders.pop(); path !== undefined; path = folders.pop()) {
    for await (const entry of entriesOf(path)) {
      if (entry.isDirectory() && deep) folders.push(join(path, entry.name));
      if (entry.isFile()) await add(size, join(path, entry.name));
    }
  }
  return size;
}

async function isFolder(path: string): Promise<boolean> {
  return (await unlessGone(lstat(path)))?.isDirectory() ?? false;
}

async function* entriesOf(folder: string): AsyncGenerator<Dirent, void, void> {
  const entries = await unlessGone(opendir(folder));
  if (entries) yield* entries;
}

async function add(size: FolderSize, path: string): Promise<void> {
  const facts = await unlessGone(lstat(path));
  if (facts === null) return;
  size.bytes += facts.size;
  size.files += 1;
}

async function unlessGone<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if (goneCodes.has(systemErrorCode(error) ?? '')) return null;
    throw error;
  }
}

interface StorageUpkeepOptions {
  dataDirectory: string;
  vault: Pick<Vault, 'sourcesOf' | 'unreadable' | 'list' | 'hashesOf' | 'unusedBytes' | 'cleanUp' | 'requireFolder'>;
  library: Pick<
    LibraryStore,
    'count' | 'find' | 'expectedPage' | 'isExpectedInVault' | 'setDamage' | 'together' | 'foundInVault'
  >;
  checks: VaultCheckStore;
  /** What was forgotten must not be taken for lost. */
  finishForgetting(): Promise<void>;
  /** Samples are arriving, or read at a place that was looked up before. */
  isBusy(): boolean;
  jobs(): Pick<JobRunner, 'create' | 'add' | 'begin' | 'forget' | 'get' | 'list'>;
}

/** Folders of the data directory. What lies right in it is the database and what belongs to it. */
const folders: readonly StoragePlace[] = ['vault', 'packages', 'staging', 'lab', 'logs'];

/** The local data on the disk: its size, whether it is whole, and unused files. */
export class StorageUpkeep {
  readonly #options: StorageUpkeepOptions;
  readonly #end = new AbortController();
  #cleaning: Promise<unknown> | null = null;
  #starting: Promise<Job> | null = null;

  constructor(options: StorageUpkeepOptions) {
    this.#options = options;
  }

  /** Walks the data directory: some hundred thousand files take seconds. @throws FailureError `disk-failed` */
  async state(): Promise<Omit<StorageState, 'oldCopy' | 'lastBackup' | 'backupFolder'>> {
    const { dataDirectory: directory, vault, library, checks } = this.#options;
    try {
      const places = await placesIn(directory);
      const unusedBytes = await vault.unusedBytes();
      return {
        directory,
        places,
        freeBytes: await freeBytesOf(directory),
        unusedBytes,
        samples: library.count().inVault,
        lastCheck: checks.last(),
      };
    } catch (error) {
      return throwReadFailure(error, directory);
    }
  }

  /**
   * One at a time: while one is not over, that is the one. @throws FailureError `vault-empty`, `folder-gone`,
   * `job-too-large`
   */
  async startCheck(): Promise<Job> {
    this.#starting ??= this.#startCheck().finally(() => {
      this.#starting = null;
    });
    return this.#starting;
  }

  async #startCheck(): Promise<Job> {
    const jobs = this.#options.jobs();
    const running = jobs.list().find((job) => job.task.kind === 'vault-check' && !isFinalJob(job));
    if (running) return running;
    if (this.#options.library.expectedPage(0, 1).length === 0) fail({ kind: 'vault-empty' });
    this.#options.vault.requireFolder();
    const id = jobs.create({ kind: 'vault-check' }, null);
    try {
      await putIntoJob(id, jobs, (after, limit) => this.#options.library.expectedPage(after, limit));
      return jobs.begin(id);
    } catch (error) {
      jobs.forget(id);
      throw error;
    }
  }

  /** The step of jobs of kind `vault-check`. */
  async run(work: JobWork): Promise<void> {
    const { vault, library, checks } = this.#options;
    const inspector = new SampleInspector();
    try {
      await new VaultCheck({ work, inspector, vault, library }).run();
    } finally {
      await inspector.close();
    }
    // Also when all was settled before a restart: the run that ends it records it.
    const { counts, items } = this.#options.jobs().get(work.id);
    checks.record({ ended: currentInstant(), samples: items, missing: counts.vanished, altered: counts.mismatch });
  }

  /**
   * Frees the space of unused data. No sample is lost: one that the vault has and the library does not know is known
   * again.
   *
   * @throws FailureError `storage-busy`, `disk-full`, `not-writable`, `disk-failed`, `cancelled` when it is closed
   */
  async cleanUp(): Promise<{ freedBytes: number }> {
    if (this.#cleaning !== null || this.#options.isBusy()) fail({ kind: 'storage-busy' });
    const cleaning = this.#cleanUp();
    this.#cleaning = cleaning;
    try {
      return { freedBytes: await cleaning };
    } finally {
      this.#cleaning = null;
    }
  }

  get isCleaningUp(): boolean {
    return this.#cleaning !== null;
  }

  /** Resolves when no file is open any more. */
  async close(): Promise<void> {
    this.#end.abort();
    await Promise.allSettled([this.#cleaning]);
  }

  async #cleanUp(): Promise<number> {
    const { vault, library, finishForgetting, isBusy } = this.#options;
    await finishForgetting();
    await bringBackLost({ vault, library, signal: this.#end.signal });
    return vault.cleanUp(() => isBusy() || this.#end.signal.aborted);
  }
}

/** One after the other: the threads that wait for the disk are four for the whole process, and others need them too. */
async function placesIn(directory: string): Promise<StorageState['places']> {
  const places: StorageState['places'] = [{ place: 'database', ...(await folderSize(directory, false)) }];
  for (const place of folders) places.push({ place, ...(await folderSize(join(directory, place))) });
  return places;
}

async function freeBytesOf(directory: string): Promise<number | null> {
  const facts = await unlessMissing(statfs(directory));
  return facts && facts.bavail * facts.bsize;
}
