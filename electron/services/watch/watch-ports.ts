import { type FSWatcher, watch } from 'node:fs';
import { join } from 'node:path';
import type { Hashes } from '../../../shared/domain/hash.ts';
import type { Job } from '../../../shared/domain/job.ts';
import type { Timing } from '../../api/limits.ts';
import type { EventHub } from '../../event-hub.ts';
import type { WatchStore } from '../../storage/uploads/watch-store.ts';
import type { StagedFacts } from '../../vault/staged-facts/staged-facts.ts';
import type { Staging } from '../../vault/staging.ts';

/** A staged file whose bytes were read once already. */
export interface ReadFile {
  stagedId: string;
  hashes: Hashes;
  sizeBytes: number;
}

/** `path`: the folder it lies in. */
export type DraftFile = ReadFile & { path: string };

export interface WatchOptions {
  store: WatchStore;
  staging: Staging;
  facts: StagedFacts;
  events: EventHub;
  dataDirectory: string;
  /** Asks the person; null: none was chosen. */
  chooseFolder(): Promise<string | null>;
  hasWorkspace(workspaceId: string): boolean;
  /** Puts files into the draft, where no question is shown about them and nothing sends them. Throws failures. */
  draft(workspaceId: string, files: readonly DraftFile[]): void;
  /** These bytes came before: files of the draft that lie no more where they lay are looked for in the folder. */
  placeMoved(workspaceId: string, contents: readonly Hashes[]): Promise<void>;
  /** So is what drafts could not read. */
  placeLost(): Promise<void>;
  /**
   * Scans files with the active rules, on this computer alone.
   *
   * @returns the job; null where there are no rules. Throws failures.
   */
  scan(workspaceId: string, files: readonly ReadFile[]): Promise<number | null>;
  /** null: it is no more. */
  job(jobId: number): Job | null;
  logDefect(error: unknown): void;
  /** The machine's own, where they are left out. */
  timing?: Timing;
  watchOne?: WatchOneFolder;
  /** Files in the folder; a hundred thousand, where it is left out. */
  filesAtMost?: number;
}

/** What the parts of the watch share. */
export interface WatchTools extends Required<WatchOptions> {
  /** The result of `watch.state` changed. */
  changed(): void;
}

/**
 * Reports changes in one folder, not in those below it. `path` is a name in it; null where the system does not give
 * one.
 *
 * @throws the system's error
 */
type WatchOneFolder = (folder: string, changed: (name: string | null) => void, failed: () => void) => { close(): void };

export const watchOneFolder: WatchOneFolder = (folder, changed, failed) => {
  const watcher: FSWatcher = watch(folder, { persistent: false }, (_, name) => changed(name));
  watcher.on('error', failed);
  return watcher;
};

/** The system gives out a limited number, and other programs want some of them. */
const foldersAtMost = 256;
const pathsAtMost = 10_000;

/**
 * Which paths of a folder changed, as the system reports. It is quick and not to be relied upon: folders that cannot be
 * watched, or are too many, are covered by a walk every now and then.
 */
export class FolderNews {
  readonly #watchOne: WatchOneFolder;
  readonly #onChange: () => void;
  readonly #folders = new Map<string, { close(): void }>();
  #root: string | null = null;
  #paths = new Set<string>();
  #isAll = false;

  /** `reported`: something changed. */
  constructor(watchOne: WatchOneFolder, onChange: () => void) {
    this.#watchOne = watchOne;
    this.#onChange = onChange;
  }

  /** Another folder: reports about the one before are no news. */
  follow(root: string | null): void {
    for (const watcher of this.#folders.values()) watcher.close();
    this.#folders.clear();
    this.#root = root;
    this.#paths.clear();
    this.#isAll = false;
  }

  /** A folder in it, by its path inside; the root itself is ''. */
  enter(folder: string): void {
    if (this.#root === null || this.#folders.has(folder) || this.#folders.size >= foldersAtMost) return;
    try {
      const changed = (name: string | null): void =>
        this.#changed(name === null ? null : folder === '' ? name : `${folder}/${name}`);
      this.#folders.set(
        folder,
        this.#watchOne(join(this.#root, folder), changed, () => this.#leave(folder)),
      );
    } catch {
      // The system has none left, or the folder is gone: the next walk sees what is in it.
    }
  }

  /** What changed since the last call; null: it is not known, everything has to be looked at. */
  take(): string[] | null {
    const [paths, isAll] = [[...this.#paths], this.#isAll];
    this.#paths = new Set();
    this.#isAll = false;
    return isAll ? null : paths;
  }

  #leave(folder: string): void {
    this.#folders.get(folder)?.close();
    this.#folders.delete(folder);
  }

  #changed(path: string | null): void {
    if (path === null || this.#paths.size >= pathsAtMost) this.#isAll = true;
    else this.#paths.add(path);
    this.#onChange();
  }
}
