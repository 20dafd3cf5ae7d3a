import { ExportThread, type ExportWorker } from './export-thread.ts';

/** Whoever exports twice does so soon. In milliseconds. */
const keptMs = 60_000;

/** Threads that have finished an export are kept for the next one for a while: starting them takes as long as 50 MB. */
export class ExportThreads<Source> {
  readonly #worker: ExportWorker;
  readonly #idle: ExportThread<Source>[] = [];
  #end: NodeJS.Timeout | null = null;
  #isClosed = false;

  constructor(worker: ExportWorker) {
    this.#worker = worker;
  }

  /** `shownPath` is the folder the person knows; failures name it. */
  take(shownPath: string): ExportThread<Source> {
    const thread = this.#takeIdle() ?? new ExportThread<Source>(this.#worker);
    thread.beginFor(shownPath);
    return thread;
  }

  /** Nothing is under way in it. */
  async giveBack(thread: ExportThread<Source>): Promise<void> {
    if (thread.hasFailed || this.#isClosed) return thread.close();
    thread.rest();
    this.#idle.push(thread);
    clearTimeout(this.#end ?? undefined);
    this.#end = setTimeout(() => void this.#closeIdle(), keptMs).unref();
  }

  /** Threads that are taken end when they are given back. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#end ?? undefined);
    await this.#closeIdle();
  }

  /** One may have ended by itself meanwhile. */
  #takeIdle(): ExportThread<Source> | undefined {
    const alive = this.#idle.findLastIndex((thread) => !thread.hasFailed);
    return alive < 0 ? undefined : this.#idle.splice(alive)[0];
  }

  async #closeIdle(): Promise<void> {
    await Promise.all(this.#idle.splice(0).map((thread) => thread.close()));
  }
}
