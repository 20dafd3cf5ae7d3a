import type { Stats } from 'node:fs';
import { posix } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { systemErrorCode } from '../../../shared/disk-failure.ts';
import { boundedTime } from '../../../shared/domain/clock.ts';
import { type Failure, FailureError } from '../../../shared/failure.ts';
import type { Timing } from '../../api/limits.ts';
import type { FolderFile } from '../../storage/uploads/watch-store.ts';
import { isSame, isUnfinished, Settling, type Taking } from './file-intake.ts';
import { refusalOf } from './folder-check.ts';
import { liesInBackup, statOf, type WalkedPage, walkFolder } from './folder-walk.ts';
import { FolderNews, type WatchTools } from './watch-ports.ts';

/** The pause of a loop that can be woken. */
class Wake {
  readonly #timing: Pick<Timing, 'sleep'>;
  #isUp = false;
  #call: (() => void) | null = null;

  constructor(timing: Pick<Timing, 'sleep'>) {
    this.#timing = timing;
  }

  up(): void {
    this.#isUp = true;
    this.#call?.();
  }

  /**
   * So many milliseconds; no more than `afterCall` once it was woken, which it may have been before. Rejects with the
   * signal's reason.
   */
  async rest(milliseconds: number, afterCall: number, signal: AbortSignal): Promise<void> {
    if (!this.#isUp) await this.#called(milliseconds, signal);
    if (!this.#isUp) return;
    this.#isUp = false;
    await this.#timing.sleep(afterCall, signal);
  }

  async #called(milliseconds: number, signal: AbortSignal): Promise<void> {
    const called = new AbortController();
    this.#call = () => called.abort();
    try {
      await this.#timing.sleep(milliseconds, AbortSignal.any([signal, called.signal]));
    } catch (error) {
      signal.throwIfAborted();
      if (!called.signal.aborted) throw error;
    } finally {
      this.#call = null;
    }
  }
}

/** Folders in the watched one, in one of those, and so on. */
export const deepestFolder = 8;
/** News come in bursts. */
const shortestPauseMs = 250;
/**
 * What the system does not report is seen by then; a folder that takes long to walk through is walked through more
 * seldom.
 */
const walkEveryMs = 15_000;
const pauseToWalk = 20;
const filesATurn = 64;
/** That are scanned together. */
const filesABatch = 500;
/** Others do not wait for what takes longer to read. */
const smallBytes = 64 * 1024 ** 2;

/** The watching of one folder, from when it is turned on, or the program begins, until its end. */
export class WatchRun {
  readonly #tools: WatchTools;
  readonly #root: string;
  readonly #taking: Taking;
  readonly #settling = new Settling();
  readonly #wake: Wake;
  readonly #news: FolderNews;
  readonly #end = new AbortController();
  readonly #running: Promise<void>;
  #walkAt = 0;
  /** What is listed because it is not even looked into. */
  readonly #shut = new Set<string>();
  /** Whether files may lie in the draft that no scan looks at. */
  #mayLackScan = true;
  /** Files that are read beside the others, by their paths, one after the other. */
  readonly #large = new Set<string>();
  #largeTurn: Promise<void> = Promise.resolve();
  /** Why nothing is seen, and why nothing that was seen is taken. */
  #failures: { folder: Failure | null; taking: Failure | null } = { folder: null, taking: null };

  constructor(tools: WatchTools, root: string, taking: Taking) {
    this.#tools = tools;
    this.#root = root;
    this.#taking = taking;
    this.#wake = new Wake(tools.timing);
    this.#news = new FolderNews(tools.watchOne, () => this.#wake.up());
    this.#news.follow(root);
    this.#running = this.#run(this.#end.signal).catch((error: unknown) => {
      if (!this.#end.signal.aborted) tools.logDefect(error);
    });
  }

  get failure(): Failure | null {
    return this.#failures.folder ?? this.#failures.taking;
  }

  /** What is being read is put down; it is taken up again by the next run. */
  async close(): Promise<void> {
    this.#end.abort(new FailureError({ kind: 'cancelled' }));
    await this.#running;
    await this.#largeTurn;
    this.#news.follow(null);
    this.#taking.report({ isMore: false });
  }

  async #run(signal: AbortSignal): Promise<void> {
    let hasBegun = false;
    while (!signal.aborted) {
      try {
        if (!hasBegun) await this.#begin();
        hasBegun = true;
        await this.#round(signal);
      } catch (error) {
        signal.throwIfAborted();
        this.#failed(error);
      }
      await this.#rest(signal);
    }
  }

  /** What waited when the program ended waits on. */
  async #begin(): Promise<void> {
    const { store, timing } = this.#tools;
    for (const path of store.shut()) this.#shut.add(path);
    for (const files of store.toTakeInSteps()) {
      for (const file of files) this.#settling.seen(file, timing.now());
      await nextTurn();
    }
  }

  async #round(signal: AbortSignal): Promise<void> {
    const reason = await refusalOf(this.#root, this.#tools.dataDirectory);
    if (reason !== null) return this.#away({ kind: 'watch-refused', path: this.#root, reason });
    this.#taking.takeOverScans();
    await this.#checkFolder(signal);
    this.#fail({ folder: null });
    // What is read beside may be about to be scanned.
    if (this.#mayLackScan && this.#large.size === 0) await this.#scanLeft(signal);
    await this.#settle(signal);
    this.#taking.report({ isMore: this.isTaking });
  }

  /** Whether more may come to be scanned within seconds. */
  get isTaking(): boolean {
    return this.#large.size > 0 || this.#settling.isResting;
  }

  async #scanLeft(signal: AbortSignal): Promise<void> {
    await this.#taking.scanLeft(this.#root, this.#workspaceId(), signal);
    this.#mayLackScan = false;
  }

  /** It is looked at as a whole when it is back. */
  #away(failure: Failure): void {
    this.#fail({ folder: failure });
    this.#news.follow(this.#root);
    this.#walkAt = this.#tools.timing.now() + walkEveryMs;
  }

  async #checkFolder(signal: AbortSignal): Promise<void> {
    const paths = this.#news.take();
    if (paths === null || this.#tools.timing.now() >= this.#walkAt) return this.#walkAll(signal);
    for (const path of paths) {
      if (await liesInBackup(this.#root, path)) continue;
      const found = await statOf(this.#root, path);
      if (found?.isFile()) this.#noticed(fileOf(path, found));
      else if (found?.isDirectory() && path.split('/').length <= deepestFolder) await this.#walk(path, signal);
    }
  }

  async #walkAll(signal: AbortSignal): Promise<void> {
    const { timing } = this.#tools;
    const began = timing.now();
    this.#walkAt = began + walkEveryMs;
    const met = await this.#walk('', signal);
    for (const path of [...this.#shut].filter((shut) => !met.has(shut))) this.#opened(path);
    await this.#tools.placeLost();
    const ended = timing.now();
    this.#walkAt = ended + Math.max(walkEveryMs, (ended - began) * pauseToWalk);
  }

  /** It can be looked into now, or is gone. */
  #opened(path: string): void {
    this.#tools.store.opened(path);
    this.#tools.changed();
    this.#shut.delete(path);
  }

  /** @returns what is not looked into */
  async #walk(from: string, signal: AbortSignal): Promise<Set<string>> {
    const met = new Set<string>();
    const options = {
      depth: deepestFolder,
      limit: this.#tools.filesAtMost,
      signal,
      entered: (path: string) => this.#news.enter(path),
    };
    for await (const page of walkFolder(this.#root, options, from)) {
      this.#notePage(page);
      for (const { path } of page.shut) met.add(path);
    }
    return met;
  }

  #notePage({ files, shut }: WalkedPage): void {
    this.#note(files);
    const { store, timing, changed } = this.#tools;
    for (const { path, failure } of shut) {
      const isNew = store.noteShut(path, failure, boundedTime(timing.date()).toISOString());
      if (!isNew) continue;
      this.#shut.add(path);
      changed();
    }
  }

  #note(files: readonly FolderFile[]): void {
    const { store, timing, changed } = this.#tools;
    const fresh = store.note(files, boundedTime(timing.date()).toISOString());
    for (const file of fresh) this.#settling.seen(file, timing.now());
    if (fresh.length > 0) changed();
  }

  /** What kept it from being read may have changed, such as its rights. */
  #noticed(file: FolderFile): void {
    this.#note([file]);
    this.#settling.noticed(file.path, this.#tools.timing.now());
  }

  async #settle(signal: AbortSignal): Promise<void> {
    const due = this.#settling.due(this.#tools.timing.now()).filter(({ path }) => !this.#large.has(path));
    const ready: FolderFile[] = [];
    for (let at = 0; at < due.length; at += filesATurn) {
      const settled = await Promise.all(due.slice(at, at + filesATurn).map((file) => this.#settleOne(file)));
      ready.push(...settled.filter((file) => file !== null));
      signal.throwIfAborted();
    }
    for (const file of ready) if (file.sizeBytes > smallBytes) this.#takeLarge(file, signal);
    const small = ready.filter(({ sizeBytes }) => sizeBytes <= smallBytes);
    for (let at = 0; at < small.length; at += filesABatch) await this.#take(small.slice(at, at + filesABatch), signal);
  }

  #takeLarge(file: FolderFile, signal: AbortSignal): void {
    this.#large.add(file.path);
    this.#largeTurn = this.#largeTurn
      .then(() => this.#take([file], signal))
      .catch((error: unknown) => {
        if (!signal.aborted) this.#failed(error);
      })
      .finally(() => {
        this.#large.delete(file.path);
        this.#wake.up();
      });
  }

  /** @returns it when it rests; null when it is waited for on, or was left out. */
  async #settleOne(file: FolderFile): Promise<FolderFile | null> {
    try {
      const found = await statOf(this.#root, file.path);
      if (found === null) await this.#gone(file);
      else if (!found.isFile()) this.#forget(file);
      else if (!isSame(fileOf(file.path, found), file)) this.#note([fileOf(file.path, found)]);
      else if (!isUnfinished(file.path)) return file;
    } catch (error) {
      this.#unreadable(file, error);
    }
    return null;
  }

  async #gone(file: FolderFile): Promise<void> {
    // With the whole folder away, nothing is known of this one.
    if ((await refusalOf(this.#root, this.#tools.dataDirectory)) !== null) return;
    if (isUnfinished(file.path)) return this.#forget(file);
    this.#tools.store.leaveOut(file.path, { kind: 'file-gone', name: posix.basename(file.path) }, { isGone: true });
    this.#settling.forget(file.path);
    this.#tools.changed();
  }

  #unreadable(file: FolderFile, error: unknown): void {
    const code = systemErrorCode(error);
    if (code === null) throw error;
    this.#settling.putOff(file, this.#tools.timing.now());
    this.#tools.store.waitOn(file.path, { kind: 'file-unreadable', name: posix.basename(file.path), code });
    this.#tools.changed();
  }

  #forget({ path }: FolderFile): void {
    this.#settling.forget(path);
    this.#tools.store.drop(path);
    this.#tools.changed();
  }

  async #take(files: readonly FolderFile[], signal: AbortSignal): Promise<void> {
    const { timing } = this.#tools;
    // Whatever becomes of it, nothing is lost: what is not taken is tried again.
    for (const file of files) this.#settling.putOff(file, timing.now());
    try {
      this.#taken(files, await this.#taking.take(this.#root, this.#workspaceId(), files, signal));
      this.#fail({ taking: null });
    } catch (error) {
      signal.throwIfAborted();
      this.#mayLackScan = true;
      if (!(error instanceof FailureError)) throw error;
      this.#fail({ taking: error.failure });
      this.#notTaken(files);
    }
  }

  #taken(files: readonly FolderFile[], moved: readonly FolderFile[]): void {
    const { store, timing } = this.#tools;
    this.#forgetOver(files);
    for (const file of moved) this.#settling.moved(file, timing.now());
    store.setState(
      moved.map(({ path }) => path),
      'waiting',
    );
  }

  #notTaken(files: readonly FolderFile[]): void {
    const { store } = this.#tools;
    this.#forgetOver(files);
    store.setState(
      files.map(({ path }) => path).filter((path) => store.isToTake(path)),
      'waiting',
    );
  }

  #forgetOver(files: readonly FolderFile[]): void {
    for (const { path } of files) if (!this.#tools.store.isToTake(path)) this.#settling.forget(path);
  }

  #workspaceId(): string {
    return this.#tools.store.folder()?.workspaceId ?? '';
  }

  async #rest(signal: AbortSignal): Promise<void> {
    // While it is away nothing can be learnt of what waits.
    const at = this.#failures.folder ? this.#walkAt : Math.min(this.#walkAt, this.#settling.nextDue() ?? this.#walkAt);
    await this.#wake.rest(Math.max(shortestPauseMs, at - this.#tools.timing.now()), shortestPauseMs, signal);
  }

  #failed(error: unknown): void {
    const { logDefect, timing } = this.#tools;
    const code = systemErrorCode(error);
    if (error instanceof FailureError) this.#fail({ folder: error.failure });
    else if (code !== null) this.#fail({ folder: { kind: 'watch-refused', path: this.#root, reason: 'not-a-folder' } });
    else logDefect(error);
    this.#walkAt = timing.now() + walkEveryMs;
  }

  #fail(failures: { folder?: Failure | null; taking?: Failure | null }): void {
    const before = this.failure;
    this.#failures = { ...this.#failures, ...failures };
    if (this.failure?.kind !== before?.kind) this.#tools.changed();
  }
}

const fileOf = (path: string, { size, mtimeMs }: Stats): FolderFile => ({ path, sizeBytes: size, changedMs: mtimeMs });
