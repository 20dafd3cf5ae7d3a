import { randomBytes, randomUUID } from 'node:crypto';
import { type Download, isRunningDownload } from '../../../shared/domain/sample.ts';
import { FailureError } from '../../../shared/failure.ts';
import type { Connect } from '../../api/connections.ts';
import type { EventHub } from '../../event-hub.ts';
import { TransferRate } from '../../jobs/job-meter.ts';
import type { Platform } from '../../platform/platform.ts';
import type { LibraryStore } from '../../storage/library/library-store.ts';
import type { Vault } from '../../vault/vault.ts';
import { fetchIntoVault } from './fetch-into-vault.ts';

export interface DownloadsOptions {
  connect: Connect;
  vault: Vault;
  library: LibraryStore;
  events: EventHub;
  platform: Pick<Platform, 'keepAwake'>;
  /** Notes what bytes look like, so that the library has their type at once. */
  makePreviews(sha256s: readonly string[]): Promise<unknown>;
  logDefect: (id: string, operation: string, error: unknown) => void;
}

interface Running {
  download: Download;
  abort: AbortController;
  rate: TransferRate;
  reportedAt: number;
  /** Resolves when it is over; null while it waits. */
  work: Promise<void> | null;
}

const atOnce = 3;
const finishedKept = 100;
const reportEveryMs = 250;

/** Single downloads: bounded, cancellable, reported at most four times a second, each with an outcome. */
export class Downloads {
  readonly #options: DownloadsOptions;
  readonly #all = new Map<string, Running>();
  readonly #queue: Running[] = [];
  readonly #active = new Set<Promise<void>>();
  #sleepAllowed: (() => void) | null = null;

  constructor(options: DownloadsOptions) {
    this.#options = options;
  }

  /** How many are waiting or receiving; of those that were cancelled something may still have to be removed. */
  get running(): number {
    return this.list().filter(isRunningDownload).length;
  }

  /** Starts one, or returns the one that is already under way for the same workspace and hash. */
  start(workspaceId: string, md5: string): Download {
    const same = this.#underWay(workspaceId, md5);
    if (same) return same.download;
    const name = this.#options.library.recorded(workspaceId, md5)?.name ?? null;
    const running = newRunning({ workspaceId, md5, name });
    this.#all.set(running.download.id, running);
    this.#forgetOldest();
    this.#queue.push(running);
    this.#sleepAllowed ??= this.#options.platform.keepAwake();
    this.#next();
    return running.download;
  }

  cancel(id: string): void {
    const running = this.#all.get(id);
    if (!running || !isRunningDownload(running.download)) return;
    running.abort.abort();
    const waiting = this.#queue.indexOf(running);
    if (waiting < 0) return;
    this.#queue.splice(waiting, 1);
    this.#finish(running, { state: 'cancelled' });
    this.#options.library.recordDownload({
      ...journalled(running),
      hashes: null,
      sizeBytes: null,
      outcome: 'cancelled',
    });
    this.#rest();
  }

  /** Cancels what a workspace has waiting and running, and waits for its end. */
  async cancelAllOf(workspaceId: string): Promise<void> {
    const own = [...this.#all.values()].filter(({ download }) => download.workspaceId === workspaceId);
    for (const { download } of own) this.cancel(download.id);
    await Promise.all(own.flatMap(({ work }) => work ?? []));
  }

  list(): Download[] {
    return [...this.#all.values()].map((running) => running.download);
  }

  async close(): Promise<void> {
    for (const running of this.#all.values()) this.cancel(running.download.id);
    await Promise.all(this.#active);
  }

  #underWay(workspaceId: string, md5: string): Running | undefined {
    return [...this.#all.values()].find(
      ({ download, abort }) =>
        download.workspaceId === workspaceId &&
        download.md5 === md5 &&
        isRunningDownload(download) &&
        !abort.signal.aborted,
    );
  }

  #next(): void {
    while (this.#active.size < atOnce) {
      const running = this.#queue.shift();
      if (!running) break;
      const work = this.#run(running).finally(() => {
        this.#active.delete(work);
        this.#next();
        this.#rest();
      });
      running.work = work;
      this.#active.add(work);
    }
  }

  #rest(): void {
    if (this.#active.size + this.#queue.length > 0) return;
    this.#sleepAllowed?.();
    this.#sleepAllowed = null;
  }

  async #run(running: Running): Promise<void> {
    const { workspaceId, md5 } = running.download;
    try {
      const progress = (received: number, total: number | null): void => this.#progress(running, received, total);
      // The thread that removes what arrived has a low priority: cancelling does not wait for it.
      const stopped = (): void => this.#finish(running, { state: 'cancelled' });
      const { sha1, sha256, wasHere } = await fetchIntoVault({
        ...this.#options,
        workspaceId,
        md5,
        signal: running.abort.signal,
        progress,
        stopped,
      });
      this.#finish(running, { state: wasHere ? 'already-here' : 'done', sha1, sha256 });
      await this.#preview(sha256);
    } catch (error) {
      this.#finish(running, this.#outcomeOf(running, error));
    }
  }

  /** One that cannot be made is made when someone looks at the sample. */
  async #preview(sha256: string): Promise<void> {
    try {
      await this.#options.makePreviews([sha256]);
    } catch (error) {
      if (!(error instanceof FailureError)) this.#options.logDefect(randomUUID(), 'library.previews', error);
    }
  }

  /** A download that fails is an outcome; a defect is one too, with its detail in the log. */
  #outcomeOf(running: Running, error: unknown): Partial<Download> {
    if (running.abort.signal.aborted) return { state: 'cancelled' };
    if (error instanceof FailureError) return { state: 'failed', failure: error.failure };
    const id = randomUUID();
    this.#options.logDefect(id, 'downloads.start', error);
    return { state: 'failed', failure: { kind: 'unexpected', id } };
  }

  #progress(running: Running, receivedBytes: number, totalBytes: number | null): void {
    const now = performance.now();
    running.rate.add(now, receivedBytes);
    running.download = {
      ...running.download,
      state: 'receiving',
      receivedBytes,
      totalBytes,
      bytesPerSecond: running.rate.perSecond(now),
    };
    if (now - running.reportedAt < reportEveryMs) return;
    running.reportedAt = now;
    this.#report(running);
  }

  /** Once: what ends it first is what became of it. */
  #finish(running: Running, outcome: Partial<Download>): void {
    if (!isRunningDownload(running.download)) return;
    running.download = { ...running.download, ...outcome, bytesPerSecond: 0 };
    this.#report(running);
  }

  #report(running: Running): void {
    this.#options.events.emit({ name: 'download.progress', payload: running.download });
  }

  #forgetOldest(): void {
    for (const [id, running] of this.#all) {
      if (this.#all.size <= finishedKept) return;
      if (!isRunningDownload(running.download)) this.#all.delete(id);
    }
  }
}

function newRunning(request: Pick<Download, 'workspaceId' | 'md5' | 'name'>): Running {
  return {
    download: {
      ...request,
      id: randomBytes(16).toString('hex'),
      state: 'waiting',
      receivedBytes: 0,
      totalBytes: null,
      bytesPerSecond: 0,
      sha1: null,
      sha256: null,
      failure: null,
    },
    abort: new AbortController(),
    rate: new TransferRate(),
    reportedAt: Number.NEGATIVE_INFINITY,
    work: null,
  };
}

const journalled = ({ download: { workspaceId, md5 } }: Running): { workspaceId: string; md5: string } => ({
  workspaceId,
  md5,
});
