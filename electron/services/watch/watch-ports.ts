import type { Hashes } from '../../../shared/domain/hash.ts';
import type { Job } from '../../../shared/domain/job.ts';
import type { Timing } from '../../api/limits.ts';
import type { EventHub } from '../../event-hub.ts';
import type { WatchStore } from '../../storage/uploads/watch-store.ts';
import type { StagedFacts } from '../../vault/staged-facts/staged-facts.ts';
import type { Staging } from '../../vault/staging.ts';
import type { WatchOneFolder } from './folder-news.ts';

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
  /** Puts files into the draft, where nobody is asked about them and nothing sends them. Throws failures. */
  draft(workspaceId: string, files: readonly DraftFile[]): void;
  /** These bytes came before: files of the draft that lie no more where they lay are looked for in the folder. */
  placeMoved(workspaceId: string, contents: readonly Hashes[]): Promise<void>;
  /** So is what drafts could not read. */
  placeLost(): Promise<void>;
  /**
   * Looks at files with the active rules, on this computer alone. @returns the job; null where there are no rules.
   * Throws failures.
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
  /** What `watch.state` says is another. */
  changed(): void;
}
