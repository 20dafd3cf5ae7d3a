import { join, posix } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { isFinalJob, type Job } from '../../../shared/domain/job.ts';
import type { EventPayload } from '../../../shared/events.ts';
import { fail, type Failure, FailureError } from '../../../shared/failure.ts';
import type { Timing } from '../../api/limits.ts';
import type { FolderFile } from '../../storage/uploads/watch-store.ts';
import type { HashedFile } from '../../vault/staged-facts/staged-facts.ts';
import { type UnreadStaged, unreadStagedFailure } from '../../vault/staging/staged-bytes.ts';
import type { DraftFile, ReadFile, WatchTools } from './watch-ports.ts';

/** Not touched for so long, a file is whole. */
const restMs = 2_000;
/** One that was seen growing may grow again after a pause: its writer waits for a network. */
const grownRestMs = 10_000;
/** What cannot be taken now is tried again after so long, and after twice as long each time. */
const laterMs = 60_000;
const latestMs = 240_000;

/** What browsers and other tools call a file until they have all of it; they rename it then. */
const unfinishedName = /\.(?:part|partial|crdownload|download|opdownload|filepart|!ut)$/i;
export const isUnfinished = (path: string): boolean => unfinishedName.test(path);

interface Waiting {
  file: FolderFile;
  since: number;
  restMs: number;
}

/**
 * Files that are waited for until they rest: neither size nor time of change moves. Times are milliseconds of one
 * clock.
 */
export class Settling {
  readonly #waiting = new Map<string, Waiting>();

  /** A file as it is now. An unchanged one continues to rest. */
  seen(file: FolderFile, now: number): void {
    const before = this.#waiting.get(file.path);
    if (before && isSame(before.file, file)) return;
    this.#waiting.set(file.path, { file, since: now, restMs: before ? grownRestMs : restMs });
  }

  /** It was read, and moved meanwhile. */
  moved(file: FolderFile, now: number): void {
    this.#waiting.set(file.path, { file, since: now, restMs: grownRestMs });
  }

  /** It rests, and is not taken now. */
  putOff(file: FolderFile, now: number): void {
    const before = this.#waiting.get(file.path)?.restMs ?? 0;
    this.#waiting.set(file.path, { file, since: now, restMs: Math.min(Math.max(laterMs, 2 * before), latestMs) });
  }

  /** Something of it is another: one that was put off is tried again. */
  noticed(path: string, now: number): void {
    const one = this.#waiting.get(path);
    if (one && isPutOff(one)) this.#waiting.set(path, { ...one, since: now, restMs });
  }

  forget(path: string): void {
    this.#waiting.delete(path);
  }

  /** Whether any may be taken within seconds. */
  get isResting(): boolean {
    return [...this.#waiting.values()].some((one) => !isPutOff(one) && !isUnfinished(one.file.path));
  }

  /** Have rested long enough, if they are still as they were. They are asked about again after as long a rest. */
  due(now: number): FolderFile[] {
    const due = [...this.#waiting.values()].filter((one) => dueAt(one) <= now);
    for (const one of due) one.since = now;
    return due.map(({ file }) => file);
  }

  /** null: none waits. */
  nextDue(): number | null {
    const times = [...this.#waiting.values()].map(dueAt);
    return times.length === 0 ? null : times.reduce((one, other) => Math.min(one, other));
  }
}

const isPutOff = (one: Waiting): boolean => one.restMs >= laterMs;
const dueAt = (one: Waiting): number => one.since + one.restMs;

export const isSame = (one: FolderFile, other: FolderFile): boolean =>
  one.sizeBytes === other.sizeBytes && one.changedMs === other.changedMs;

type Found = EventPayload<'watch.found'>;

/** The longest delay before a report of what came. */
const longestSilenceMs = 60_000;

/** Reports files that came as one sum for each burst. */
class FoundNews {
  readonly #now: Timing['now'];
  readonly #report: (found: Found) => void;
  #files = 0;
  #hits = 0;
  #since = 0;
  readonly #scansWithHits = new Set<number>();

  constructor({ now, report }: { now: Timing['now']; report(found: Found): void }) {
    this.#now = now;
    this.#report = report;
  }

  /** `jobId`: the scan that looked at them; null: none did. */
  add(files: number, hits: number, jobId: number | null): void {
    if (this.#files === 0) this.#since = this.#now();
    this.#files += files;
    this.#hits += hits;
    if (hits > 0 && jobId !== null) this.#scansWithHits.add(jobId);
  }

  /** `isMore`: some of the burst is on its way. */
  report({ isMore }: { isMore: boolean }): void {
    if (this.#files === 0 || (isMore && this.#now() - this.#since < longestSilenceMs)) return;
    const [only = null, ...more] = this.#scansWithHits;
    const found = { files: this.#files, hits: this.#hits, scan: more.length === 0 ? only : null };
    this.#files = 0;
    this.#hits = 0;
    this.#scansWithHits.clear();
    this.#report(found);
  }
}

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
 * and no question is shown.
 */
export class Taking {
  readonly #tools: WatchTools;
  readonly #news: FoundNews;

  constructor(tools: WatchTools) {
    this.#tools = tools;
    this.#news = new FoundNews({
      now: () => tools.timing.now(),
      report: (payload) => tools.events.emit({ name: 'watch.found', payload }),
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

  /** A scan came to its end: what it found is reported with the files. */
  scanEnded(jobId: number): void {
    const { store, changed } = this.#tools;
    const { files, hits } = store.outcomes.scanned(jobId);
    if (files === 0) return;
    changed();
    this.#news.add(files, hits, jobId);
  }

  /** `isMore`: more is on its way than what is scanned. */
  report({ isMore }: { isMore: boolean }): void {
    this.#news.report({ isMore: isMore || this.#tools.store.outcomes.scanJobs().length > 0 });
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

  /** @returns the job; null where there is none, and that was reported */
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

/** A halted one may be resumed one day; the files that came are reported now. */
export const isOver = (job: Job | null): boolean =>
  job === null || isFinalJob(job) || (job.state === 'paused' && job.failure !== null);

const folderOf = (path: string): string => (path.includes('/') ? posix.dirname(path) : '');
const draftFileOf = (one: Read): DraftFile => ({ ...one, path: folderOf(one.file.path) });
const hashedOf = ({ file, hashes }: Read): { path: string; sha256: string } => ({
  path: file.path,
  sha256: hashes.sha256,
});
