import { resolve } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { WatchState } from '../../../shared/domain/watch.ts';
import { fail, FailureError } from '../../../shared/failure.ts';
import { Mutex } from '../../../shared/mutex.ts';
import { systemTiming } from '../../api/limits.ts';
import type { HostEvent } from '../../event-hub.ts';
import type { WatchedFolder } from '../../storage/uploads/watch-store.ts';
import { isOver, Taking } from './file-intake.ts';
import { refusalOf, requireWatchable } from './folder-check.ts';
import { walkFolder } from './folder-walk.ts';
import { watchOneFolder, type WatchOptions, type WatchTools } from './watch-ports.ts';
import { deepestFolder, WatchRun } from './watch-run.ts';

const filesAtMost = 100_000;

/**
 * A folder of the person's: what comes into it is hashed, scanned here and put into the draft of an upload. Nothing is
 * sent, no question is shown, and its files stay where they are.
 */
export class Watch {
  readonly #tools: WatchTools;
  readonly #taking: Taking;
  readonly #end = new AbortController();
  #run: WatchRun | null = null;
  #unsubscribe: (() => void) | null = null;
  readonly #mutex = new Mutex();

  constructor(options: WatchOptions) {
    const { events } = options;
    this.#tools = {
      timing: systemTiming,
      watchOne: watchOneFolder,
      filesAtMost,
      ...options,
      changed: () => events.emit({ name: 'watch.changed', payload: {} }),
    };
    this.#taking = new Taking(this.#tools);
  }

  /**
   * Resumes where the last run of the program ended, with what came meanwhile too; `resumesUnfinished` false: only what
   * is requested is done.
   */
  start({ resumesUnfinished }: { resumesUnfinished: boolean }): void {
    const { store, events } = this.#tools;
    this.#unsubscribe = events.subscribe((event) => this.#hear(event));
    this.#takeOver(() => this.#taking.takeOverScans());
    const folder = store.folder();
    if (resumesUnfinished && folder?.isOn) this.#begin(folder.path);
  }

  async close(): Promise<void> {
    this.#end.abort(new FailureError({ kind: 'cancelled' }));
    this.#unsubscribe?.();
    await this.#mutex.idle();
    await this.#stop();
  }

  /** The folder that is watched; null: none is. */
  get watchedFolder(): string | null {
    const folder = this.#tools.store.folder();
    return folder?.isOn === true ? folder.path : null;
  }

  state(): WatchState {
    const { store } = this.#tools;
    const { path = null, isOn = false, workspaceId = null, leftAlone = 0 } = store.folder() ?? {};
    return { folder: path, isOn, workspaceId, failure: this.#run?.failure ?? null, leftAlone, ...store.listed() };
  }

  /** The same, and whether the folder can be watched where nothing watches it now. */
  async checkedState(): Promise<WatchState> {
    const state = this.state();
    if (this.#run !== null || !state.isOn || state.folder === null) return state;
    const reason = await refusalOf(state.folder, this.#tools.dataDirectory);
    return reason === null ? state : { ...state, failure: { kind: 'watch-refused', path: state.folder, reason } };
  }

  /** The person is asked where none is named. Throws `watch-refused`, `watch-too-many`. */
  async chooseFolder(named: string | null): Promise<{ isChosen: boolean; state: WatchState }> {
    const chosen = named ?? (await this.#tools.chooseFolder());
    if (chosen === null) return { isChosen: false, state: this.state() };
    return this.#mutex.run(async () => {
      await this.#choose(resolve(chosen));
      return { isChosen: true, state: await this.checkedState() };
    });
  }

  /** Throws `watch-refused`, `watch-too-many`, `workspace-missing`. */
  turn(isOn: boolean, workspaceId: string): Promise<WatchState> {
    return this.#mutex.run(async () => {
      const folder = this.#tools.store.folder() ?? fail({ kind: 'watch-refused', path: '', reason: 'not-chosen' });
      await (isOn ? this.#turnOn(folder, workspaceId) : this.#turnOff(workspaceId));
      return this.checkedState();
    });
  }

  clear(): WatchState {
    this.#tools.store.clear();
    this.#tools.changed();
    return this.state();
  }

  async #choose(path: string): Promise<void> {
    const { store, dataDirectory } = this.#tools;
    await requireWatchable(path, dataDirectory);
    const before = store.folder();
    if (before?.path === path) return;
    if (before?.isOn) await this.#turnOff(before.workspaceId ?? '');
    for (const _ of store.forgetInSteps()) await nextTurn();
    store.choose(path);
    this.#tools.changed();
    const now = store.folder();
    if (before?.isOn && before.workspaceId !== null && now) await this.#turnOn(now, before.workspaceId);
  }

  async #turnOn({ path, isOn }: WatchedFolder, workspaceId: string): Promise<void> {
    const { store, dataDirectory, hasWorkspace, changed } = this.#tools;
    if (!hasWorkspace(workspaceId)) fail({ kind: 'workspace-missing', id: workspaceId });
    if (!isOn) {
      await requireWatchable(path, dataDirectory);
      await this.#leaveAlone(path);
    }
    store.turn(true, workspaceId);
    if (!isOn) this.#begin(path);
    changed();
  }

  async #turnOff(workspaceId: string): Promise<void> {
    const { store, changed } = this.#tools;
    await this.#stop();
    store.turn(false, workspaceId);
    changed();
  }

  async #leaveAlone(path: string): Promise<void> {
    const { store, filesAtMost: limit } = this.#tools;
    let files = 0;
    for await (const page of walkFolder(path, {
      depth: deepestFolder,
      limit,
      signal: this.#end.signal,
      entered: () => {},
    })) {
      files += store.leaveAlone(page.files);
    }
    store.setLeftAlone(files);
  }

  #begin(path: string): void {
    this.#run = new WatchRun(this.#tools, path, this.#taking);
  }

  async #stop(): Promise<void> {
    await this.#run?.close();
    this.#run = null;
  }

  #hear(event: HostEvent): void {
    const ended =
      event.name === 'job.forgotten' ||
      (event.name === 'job.changed' && event.payload.task.kind === 'scan' && isOver(event.payload));
    if (ended) this.#takeOver(() => this.#taking.scanEnded(event.payload.id));
  }

  #takeOver(work: () => void): void {
    try {
      work();
      this.#taking.report({ isMore: this.#run?.isTaking ?? false });
    } catch (error) {
      // The job ends and the program starts all the same; the next round of the watch, or start of the program, takes
      // over what it found.
      this.#tools.logDefect(error);
    }
  }
}
