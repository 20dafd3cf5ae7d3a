import { join, posix } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { isFinalJob, type Job } from '../../../shared/domain/job.ts';
import { type Failure, FailureError } from '../../../shared/failure.ts';
import type { FolderFile } from '../../storage/watch-rows.ts';
import type { HashedFile, UnreadFile } from '../../vault/staged-facts/staged-facts.ts';
import { unreadStagedFailure } from '../../vault/staging/unread-staged.ts';
import { isSame } from './settling.ts';
import type { ReadFile, WatchTools } from './watch-ports.ts';

/** As much as an archive may bring. */
const largestBytes = 4 * 1024 ** 3;
/** Rows written before the thread is free again. */
const filesATurn = 50;

interface Staged {
  file: FolderFile;
  stagedId: string;
}

type Read = ReadFile & { file: FolderFile };

/** From a file that rests to one of the draft: hashed once, in place, put down by content, and scanned. Nothing is sent, and nobody is asked. */
export class Taking {
  readonly #tools: WatchTools;

  constructor(tools: WatchTools) {
    this.#tools = tools;
  }

  /** @returns those that moved while they were read. Throws what keeps all of them from being taken: they are as they were then. */
  async take(root: string, workspaceId: string, files: readonly FolderFile[], signal: AbortSignal): Promise<FolderFile[]> {
    const { store, changed } = this.#tools;
    store.setState(files.map(({ path }) => path), 'hashing');
    changed();
    const moved: FolderFile[] = [];
    const staged = await this.#stageAll(root, files, moved);
    try {
      const read = await this.#read(staged, moved, signal);
      const drafted = await this.#draft(workspaceId, read);
      changed();
      await this.#scan(root, workspaceId, drafted);
      return moved;
    } finally {
      changed();
    }
  }

  /** A scan came to its end: what it found is told with the files. */
  scanEnded(jobId: number): void {
    const { store, changed } = this.#tools;
    const { files, hits } = store.outcomes.scanned(jobId);
    if (files === 0) return;
    changed();
    this.#tell(files, hits);
  }

  async #stageAll(root: string, files: readonly FolderFile[], moved: FolderFile[]): Promise<Staged[]> {
    const staged: Staged[] = [];
    for (const [index, file] of files.entries()) {
      if (index % filesATurn === filesATurn - 1) await nextTurn();
      const failure = unfit(file);
      if (failure !== null) this.#tools.store.leaveOut(file.path, failure, { isGone: false });
      else staged.push(...(await this.#stage(root, file, moved)));
    }
    return staged;
  }

  async #stage(root: string, file: FolderFile, moved: FolderFile[]): Promise<Staged[]> {
    const { store } = this.#tools;
    try {
      const stagedId = await this.#stagedAs(root, file);
      if (stagedId === null) moved.push(file);
      return stagedId === null ? [] : [{ file, stagedId }];
    } catch (error) {
      if (!(error instanceof FailureError)) throw error;
      const isGone = error.failure.kind === 'staged-file-missing';
      store.leaveOut(file.path, isGone ? { kind: 'file-gone', name: posix.basename(file.path) } : error.failure, { isGone });
      return [];
    }
  }

  /** null: it is not as it was. */
  async #stagedAs(root: string, file: FolderFile): Promise<string | null> {
    const { staging } = this.#tools;
    const { id } = await staging.stagePath(join(root, file.path));
    const place = staging.placeOf(id);
    if (place.kind === 'in-place' && isSame(place, file)) return id;
    await staging.discard(id);
    return null;
  }

  async #read(staged: readonly Staged[], moved: FolderFile[], signal: AbortSignal): Promise<Read[]> {
    const { facts } = this.#tools;
    const byId = new Map(staged.map((one) => [one.stagedId, one.file]));
    const results: HashedFile[] = [];
    try {
      await facts.hash(staged.map(({ stagedId }) => ({ id: stagedId })), signal, (some) => void results.push(...some));
    } catch (error) {
      await this.#discard(byId.keys());
      throw error;
    }
    const read: Read[] = [];
    for (const result of results) {
      const file = byId.get(result.id);
      if (file && 'hashes' in result) read.push({ file, stagedId: result.id, hashes: result.hashes, sizeBytes: result.sizeBytes });
      else if (file && 'reason' in result) await this.#unread(file, result, moved);
    }
    return read;
  }

  async #unread(file: FolderFile, unread: UnreadFile, moved: FolderFile[]): Promise<void> {
    await this.#tools.staging.discard(unread.id);
    if (unread.reason === 'changed') moved.push(file);
    else this.#tools.store.leaveOut(file.path, unreadStagedFailure(posix.basename(file.path), unread), { isGone: unread.reason === 'gone' });
  }

  /** @returns those that are in the draft now. */
  async #draft(workspaceId: string, read: readonly Read[]): Promise<Read[]> {
    const drafted: Read[] = [];
    for (let at = 0; at < read.length; at += filesATurn) {
      drafted.push(...(await this.#draftSome(workspaceId, read.slice(at, at + filesATurn), read.slice(at))));
      await nextTurn();
    }
    return drafted;
  }

  async #draftSome(workspaceId: string, some: readonly Read[], rest: readonly Read[]): Promise<Read[]> {
    const { store, draft } = this.#tools;
    const known = store.outcomes.known(workspaceId, some.map(({ hashes }) => hashes.sha256));
    const fresh = some.filter(({ hashes: { sha256 } }) => !known.has(sha256) && known.add(sha256));
    const others = some.filter((one) => !fresh.includes(one));
    try {
      store.together(() => {
        if (fresh.length > 0) draft(workspaceId, fresh.map((one) => ({ ...one, path: folderOf(one.file.path) })));
        store.outcomes.drafted(workspaceId, fresh.map(hashedOf));
        store.outcomes.cameBefore(others.map(hashedOf));
      });
    } catch (error) {
      await this.#discard(rest.map(({ stagedId }) => stagedId));
      throw error;
    }
    await this.#discard(others.map(({ stagedId }) => stagedId));
    return fresh;
  }

  /** Under ids of their own: a scan that is taken out of the list throws away what it was given. */
  async #scan(root: string, workspaceId: string, drafted: readonly Read[]): Promise<void> {
    const { store, scan, job } = this.#tools;
    if (drafted.length === 0) return;
    const paths = drafted.map(({ file }) => file.path);
    const again: ReadFile[] = [];
    try {
      for (const { file, hashes, sizeBytes } of drafted) {
        const stagedId = await this.#stagedAs(root, file);
        if (stagedId !== null) again.push({ stagedId, hashes, sizeBytes });
      }
      const jobId = again.length === 0 ? null : await scan(workspaceId, again);
      if (jobId === null) return await this.#notScanned(again, drafted.length);
      store.outcomes.scanning(paths, jobId);
      if (isOver(job(jobId))) this.scanEnded(jobId);
    } catch (error) {
      if (!(error instanceof FailureError)) throw error;
      store.outcomes.notScanned(paths, error.failure);
      await this.#notScanned(again, drafted.length);
    }
  }

  async #notScanned(staged: readonly ReadFile[], files: number): Promise<void> {
    await this.#discard(staged.map(({ stagedId }) => stagedId));
    this.#tell(files, 0);
  }

  async #discard(stagedIds: Iterable<string>): Promise<void> {
    for (const id of stagedIds) await this.#tools.staging.discard(id);
  }

  #tell(files: number, hits: number): void {
    this.#tools.events.emit({ name: 'watch.found', payload: { files, hits } });
  }
}

function unfit({ path, sizeBytes }: FolderFile): Failure | null {
  const name = posix.basename(path);
  if (sizeBytes === 0) return { kind: 'file-empty', name };
  return sizeBytes > largestBytes ? { kind: 'watch-file-too-large', name, sizeBytes, limitBytes: largestBytes } : null;
}

/** One that was halted may go on one day; the files that came are told of now. */
export const isOver = (job: Job | null): boolean => job === null || isFinalJob(job) || (job.state === 'paused' && job.failure !== null);

const folderOf = (path: string): string => (path.includes('/') ? posix.dirname(path) : '');
const hashedOf = ({ file, hashes }: Read): { path: string; sha256: string } => ({ path: file.path, sha256: hashes.sha256 });
