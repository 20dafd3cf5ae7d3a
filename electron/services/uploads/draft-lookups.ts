import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Failure, FailureError, type FailureKind } from '../../../shared/failure.ts';
import type { Connect } from '../../api/connections.ts';
import type { Timing } from '../../api/limits.ts';
import { createRepositoryApi } from '../../api/repository-api.ts';
import type { WorkspaceEvents } from '../../event-hub.ts';
import { isHalting } from '../../jobs/job-work.ts';
import type { WorkspaceSlots } from '../../jobs/workspace-slots.ts';
import type { LibraryStore } from '../../storage/library/library-store.ts';
import type { StoredUploadFile, UploadStore } from '../../storage/uploads/upload-store.ts';
import { type Asking, askPresence } from './upload-run.ts';

/**
 * Work that is found in a store: `kick` signals that there may be some, and one loop does it until there is none. A
 * kick during the last search is not lost.
 */
export class WorkLoop {
  readonly #doSome: (signal: AbortSignal) => Promise<boolean>;
  readonly #failed: (error: unknown) => void;
  readonly #stop = new AbortController();
  #running: Promise<void> | null = null;
  #isKicked = false;

  /** `doSome` returns whether it found anything; what it throws ends this round and is reported. */
  constructor(doSome: (signal: AbortSignal) => Promise<boolean>, failed: (error: unknown) => void) {
    this.#doSome = doSome;
    this.#failed = failed;
  }

  kick(): void {
    this.#isKicked = true;
    if (this.#stop.signal.aborted) return;
    this.#running ??= this.#run().finally(() => {
      this.#running = null;
      if (this.#isKicked) this.kick();
    });
  }

  async close(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stop;
    try {
      while (this.#isKicked && !signal.aborted) {
        this.#isKicked = false;
        while (!signal.aborted && (await this.#doSome(signal)));
      }
    } catch (error) {
      if (!signal.aborted) this.#failed(error);
    }
    if (signal.aborted) this.#isKicked = false;
  }
}

interface DraftLookupsOptions {
  connect: Connect;
  library: LibraryStore;
  store: UploadStore;
  slots: WorkspaceSlots;
  news: WorkspaceEvents;
  /** Reports what the repository did; null: it answered. */
  lookedUp(workspaceId: string, failure: Failure | null): void;
  timing: Timing;
  logDefect(error: unknown): void;
}

const filesATurn = 16;
const filesAtOnce = 500;
/** Answers about one file that say nothing of the next. */
const ofOneFile: ReadonlySet<FailureKind> = new Set<FailureKind>(['forbidden-or-unknown', 'forbidden', 'wrong-record']);

interface DraftQuestion extends Asking {
  meet(failure: Failure | null): void;
}

/** Asks the repository of each draft which of its files are there already, so that they are not sent. */
export class DraftLookups {
  readonly #options: DraftLookupsOptions;
  readonly #loop: WorkLoop;
  /** Workspaces whose files a person wants looked up again. */
  readonly #again = new Set<string>();

  constructor(options: DraftLookupsOptions) {
    this.#options = options;
    this.#loop = new WorkLoop(
      (signal) => this.#lookUpSome(signal),
      (error) => options.logDefect(error),
    );
  }

  kick(): void {
    this.#loop.kick();
  }

  /** What was left unanswered is asked about once more, also while it is still being given up. */
  lookUpAgain(workspaceId: string): void {
    this.#again.add(workspaceId);
    this.#options.store.askAgain(workspaceId);
    this.kick();
  }

  close(): Promise<void> {
    return this.#loop.close();
  }

  async #lookUpSome(signal: AbortSignal): Promise<boolean> {
    const workspaces = this.#options.store.workspacesToAsk();
    for (const workspaceId of workspaces) await this.#lookUpFor(workspaceId, signal);
    return workspaces.length > 0;
  }

  async #lookUpFor(workspaceId: string, signal: AbortSignal): Promise<void> {
    const { connect, library, store, news, timing, lookedUp } = this.#options;
    /** null: it answered. */
    const met: (Failure | null)[] = [];
    const meet = (failure: Failure | null): void => void met.push(failure);
    this.#again.delete(workspaceId);
    const files = store.toAsk(workspaceId, filesATurn);
    try {
      const api = createRepositoryApi(await connect(workspaceId, 'repository'), { timing });
      await this.#lookUpAll(files, { api, library, workspaceId, signal, meet });
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof FailureError)) throw error;
      meet(error.failure);
      await this.#giveUp(workspaceId, error.failure, signal);
    }
    const [first] = met;
    // One answer is enough to show that there are some.
    if (first !== undefined) lookedUp(workspaceId, met.includes(null) ? null : first);
    news.changed(workspaceId);
  }

  /** Rejects with what every other file would meet too; nothing of these is under way then. */
  async #lookUpAll(files: readonly StoredUploadFile[], question: DraftQuestion): Promise<void> {
    const halt = new AbortController();
    const signal = AbortSignal.any([question.signal, halt.signal]);
    const lookedUp = files.map((file) =>
      this.#lookUpOne({ ...question, signal }, file).catch((error: unknown) => {
        halt.abort(error);
        return null;
      }),
    );
    const failures = await Promise.all(lookedUp);
    halt.signal.throwIfAborted();
    const [first] = failures;
    if (
      failures.length === filesATurn &&
      first &&
      failures.every((failure) => failure !== null && !ofOneFile.has(failure.kind))
    )
      throw new FailureError(first);
  }

  /**
   * @returns why it is not known; null when it is, or need not be any more. Rejects with what every other file would
   * meet too.
   */
  async #lookUpOne(question: DraftQuestion, { id, md5, failure: damage }: StoredUploadFile): Promise<Failure | null> {
    const { slots, store } = this.#options;
    if (md5 === null) {
      // A row that cannot be read would be found again and again.
      store.failed(id, damage ?? { kind: 'upload-file-missing', id });
      return null;
    }
    const { workspaceId, signal, meet } = question;
    // A file that came by itself may be unticked while it waits for its turn.
    const answer = await slots.use(workspaceId, signal, async () =>
      store.isToAsk(id) ? askPresence(question, md5) : null,
    );
    if (answer === null) return null;
    const { presence, failure } = answer;
    store.answered([{ id, presence, failure }]);
    meet(failure !== null && ofOneFile.has(failure.kind) ? null : failure);
    if (failure !== null && isHalting(failure)) throw new FailureError(failure);
    return failure;
  }

  /** A service that is out of reach is not asked ten thousand times: the person decides when to try again. */
  async #giveUp(workspaceId: string, failure: Failure, signal: AbortSignal): Promise<void> {
    const { store } = this.#options;
    for (
      let files = store.toAsk(workspaceId, filesAtOnce);
      files.length > 0;
      files = store.toAsk(workspaceId, filesAtOnce)
    ) {
      store.answered(files.map(({ id }) => ({ id, presence: 'unanswered', failure })));
      await nextTurn(undefined, { signal });
      if (this.#again.has(workspaceId)) return;
    }
  }
}
