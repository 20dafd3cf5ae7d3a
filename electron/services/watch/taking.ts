import { join, posix } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { isFinalJob, type Job } from '../../../shared/domain/job.ts';
import { fail, type Failure, FailureError } from '../../../shared/failure.ts';
import type { FolderFile } from '../../storage/uploads/watch-store.ts';
import type { HashedFile } from '../../vault/staged-facts/staged-facts.ts';
import { type UnreadStaged, unreadStagedFailure } from '../../vault/staging/unread-staged.ts';
import { FoundNews } from './found-news.ts';
import { isSame } from './settling.ts';
import type { DraftFile, ReadFile, WatchTools } from './watch-ports.ts';

/** As much as an archive may bring. */
const largestBytes = 4 * 1024 ** 3;
/** Rows written before the thread is free again. */
const filesATurn = 50;

interface Staged {
  file: FolderFile;
  stagedId: string;
}

type Read = ReadFile & { file: FolderFile };
type Unread = Pick<UnreadStaged, 'reason'> & { file: FolderFile; failure: Failure };

/**
 * From a file that rests to one of the draft: hashed once, in place, put down by content, and scanned. Nothing is sent,
 * and nobody is asked.
 */
export class Taking {
  readonly #tools: WatchTools;
  readonly #news: FoundNews;

  constructor(tools: WatchTools) {
    this.#tools = tools;
    this.#news = new FoundNews({
      now: () => tools.timing.now(),
      tell: (payload) => tools.events.emit({ name: 'watch.found', payload }),
    });
  }

  /**
   * One that cannot be read now waits on. @returns those that moved while they were read. Throws what keeps all of them
   * from being taken: what is not in the draft then is to be taken again.
   */
  async take(
    root: string,
    workspaceId: string,
    files: readonly FolderFile[],
    signal: AbortSignal,
  ): Promise<FolderFile[]> {
    const { store, changed } = this.#tools;
    store.setState(
      files.map(({ path }) => path),
      'hashing',
    );
    changed();
    try {
      const { read, unread } = await this.#read(root, await this.#fit(files), signal);
      const drafted = await this.#draft(workspaceId, read);
      for (const one of unread) this.#notTaken(one);
      changed();
      await this.#scan(root, workspaceId, drafted);
      return unread.filter(({ reason }) => reason === 'changed').map(({ file }) => file);
    } finally {
      changed();
    }
  }

  /** Scans what came into the draft and was not scanned, because the program or its store failed in between. */
  async scanLeft(root: string, workspaceId: string, signal: AbortSignal): Promise<void> {
    const { store, changed } = this.#tools;
    for (
      let files = store.outcomes.toScan('');
      files.length > 0;
      files = store.outcomes.toScan(files.at(-1)?.path ?? '')
    ) {
      const { read, unread } = await this.#read(root, files, signal);
      await this.#discard(read.map(({ stagedId }) => stagedId));
      for (const { file, failure } of unread) this.#notScanned([file.path], failure);
      await this.#scan(root, workspaceId, read);
      changed();
    }
  }

  /** Takes over what scans found that are over. */
  takeOverScans(): void {
    const { store, job } = this.#tools;
    for (const jobId of store.outcomes.scanJobs()) if (isOver(job(jobId))) this.scanEnded(jobId);
  }

  /** A scan came to its end: what it found is told with the files. */
  scanEnded(jobId: number): void {
    const { store, changed } = this.#tools;
    const { files, hits } = store.outcomes.scanned(jobId);
    if (files === 0) return;
    changed();
    this.#news.add(files, hits, jobId);
  }

  /** `isMore`: more is on its way than what is scanned. */
  tell({ isMore }: { isMore: boolean }): void {
    this.#news.tell({ isMore: isMore || this.#tools.store.outcomes.scanJobs().length > 0 });
  }

  async #fit(files: readonly FolderFile[]): Promise<FolderFile[]> {
    const fit: FolderFile[] = [];
    for (const [index, file] of files.entries()) {
      if (index % filesATurn === filesATurn - 1) await nextTurn();
      const failure = unfit(file);
      if (failure === null) fit.push(file);
      else this.#tools.store.leaveOut(file.path, failure, { isGone: false });
    }
    return fit;
  }

  async #stage(root: string, file: FolderFile): Promise<Staged | Unread> {
    try {
      const stagedId = await this.#stagedAs(root, file);
      return stagedId === null ? unreadOf(file, { reason: 'changed', code: '' }) : { file, stagedId };
    } catch (error) {
      if (!(error instanceof FailureError)) throw error;
      const { failure } = error;
      return failure.kind === 'staged-file-missing'
        ? unreadOf(file, { reason: 'gone', code: '' })
        : { file, reason: 'unreadable', failure };
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

  async #read(
    root: string,
    files: readonly FolderFile[],
    signal: AbortSignal,
  ): Promise<{ read: Read[]; unread: Unread[] }> {
    const [byId, read, unread] = [new Map<string, FolderFile>(), new Array<Read>(), new Array<Unread>()];
    for (const file of files) {
      const staged = await this.#stage(root, file);
      if ('stagedId' in staged) byId.set(staged.stagedId, file);
      else unread.push(staged);
    }
    for (const result of await this.#hash([...byId.keys()], signal)) {
      const file = byId.get(result.id);
      if (file && 'hashes' in result)
        read.push({ file, stagedId: result.id, hashes: result.hashes, sizeBytes: result.sizeBytes });
      else if (file && 'reason' in result) unread.push(unreadOf(file, result));
      if ('reason' in result) await this.#discard([result.id]);
    }
    return { read, unread };
  }

  async #hash(stagedIds: readonly string[], signal: AbortSignal): Promise<HashedFile[]> {
    const results: HashedFile[] = [];
    try {
      await this.#tools.facts.hash(
        stagedIds.map((id) => ({ id })),
        signal,
        (some) => void results.push(...some),
      );
      return results;
    } catch (error) {
      await this.#discard(stagedIds);
      throw error;
    }
  }

  #notTaken({ file: { path }, reason, failure }: Unread): void {
    const { store } = this.#tools;
    if (reason === 'gone') store.leaveOut(path, failure, { isGone: true });
    else if (reason === 'unreadable') store.waitOn(path, failure);
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
    const known = store.outcomes.known(
      workspaceId,
      some.map(({ hashes }) => hashes.sha256),
    );
    const fresh = some.filter(({ hashes: { sha256 } }) => !known.has(sha256) && known.add(sha256));
    const others = some.filter((one) => !fresh.includes(one));
    try {
      store.together(() => {
        if (fresh.length > 0) draft(workspaceId, fresh.map(draftFileOf));
        store.outcomes.drafted(workspaceId, fresh.map(hashedOf));
        store.outcomes.cameBefore(others.map(hashedOf));
      });
    } catch (error) {
      await this.#discard(rest.map(({ stagedId }) => stagedId));
      throw error;
    }
    await this.#discard(others.map(({ stagedId }) => stagedId));
    await this.#tools.placeMoved(
      workspaceId,
      others.map(({ hashes }) => hashes),
    );
    return fresh;
  }

  /** Under ids of their own: a scan that is taken out of the list throws away what it was given. */
  async #scan(root: string, workspaceId: string, drafted: readonly Read[]): Promise<void> {
    const again: Read[] = [];
    for (const { file, hashes, sizeBytes } of drafted) {
      const staged = await this.#stage(root, file);
      if ('stagedId' in staged) again.push({ ...staged, hashes, sizeBytes });
      else this.#notScanned([file.path], staged.failure);
    }
    if (again.length > 0) await this.#scanStaged(workspaceId, again);
  }

  async #scanStaged(workspaceId: string, read: readonly Read[]): Promise<void> {
    const { store, job } = this.#tools;
    const paths = read.map(({ file }) => file.path);
    const jobId = await this.#begun(workspaceId, read, paths);
    if (jobId === null) return;
    store.outcomes.scanning(paths, jobId);
    if (isOver(job(jobId))) this.scanEnded(jobId);
  }

  /** @returns the job; null where there is none, and that was told */
  async #begun(workspaceId: string, read: readonly Read[], paths: readonly string[]): Promise<number | null> {
    try {
      return (await this.#tools.scan(workspaceId, read)) ?? fail({ kind: 'no-active-rules' });
    } catch (error) {
      if (!(error instanceof FailureError)) throw error;
      await this.#discard(read.map(({ stagedId }) => stagedId));
      this.#notScanned(paths, error.failure);
      return null;
    }
  }

  #notScanned(paths: readonly string[], failure: Failure): void {
    this.#tools.store.outcomes.notScanned(paths, failure);
    this.#news.add(paths.length, 0, null);
  }

  async #discard(stagedIds: Iterable<string>): Promise<void> {
    for (const id of stagedIds) await this.#tools.staging.discard(id);
  }
}

function unfit({ path, sizeBytes }: FolderFile): Failure | null {
  const name = posix.basename(path);
  if (sizeBytes === 0) return { kind: 'file-empty', name };
  return sizeBytes > largestBytes ? { kind: 'watch-file-too-large', name, sizeBytes, limitBytes: largestBytes } : null;
}

const unreadOf = (file: FolderFile, unread: UnreadStaged): Unread => ({
  file,
  reason: unread.reason,
  failure: unreadStagedFailure(posix.basename(file.path), unread),
});

/** One that was halted may go on one day; the files that came are told of now. */
export const isOver = (job: Job | null): boolean =>
  job === null || isFinalJob(job) || (job.state === 'paused' && job.failure !== null);

const folderOf = (path: string): string => (path.includes('/') ? posix.dirname(path) : '');
const draftFileOf = (one: Read): DraftFile => ({ ...one, path: folderOf(one.file.path) });
const hashedOf = ({ file, hashes }: Read): { path: string; sha256: string } => ({
  path: file.path,
  sha256: hashes.sha256,
});
