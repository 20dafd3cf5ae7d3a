import type { Connect } from '../../api/connections.ts';
import type { Timing } from '../../api/limits.ts';
import { createRepositoryApi } from '../../api/repository-api.ts';
import { isHalting } from '../../jobs/halting-failures.ts';
import type { WorkspaceSlots } from '../../jobs/workspace-slots.ts';
import { type Failure, FailureError } from '../../../shared/failure.ts';
import type { LibraryStore } from '../../storage/library-store.ts';
import type { StoredUploadFile, UploadStore } from '../../storage/upload-store.ts';
import type { DraftNews } from './draft-news.ts';
import { askPresence, type Asking } from './presence.ts';
import { WorkLoop } from './work-loop.ts';

export interface DraftAskingOptions {
  connect: Connect;
  library: LibraryStore;
  store: UploadStore;
  slots: WorkspaceSlots;
  news: DraftNews;
  timing: Timing;
  logDefect(error: unknown): void;
}

const filesATurn = 16;

/** Asks the repository of each draft which of its files are there already, so that they are not sent. */
export class DraftAsking {
  readonly #options: DraftAskingOptions;
  readonly #loop: WorkLoop;

  constructor(options: DraftAskingOptions) {
    this.#options = options;
    this.#loop = new WorkLoop((signal) => this.#askSome(signal), (error) => options.logDefect(error));
  }

  kick(): void {
    this.#loop.kick();
  }

  close(): Promise<void> {
    return this.#loop.close();
  }

  async #askSome(signal: AbortSignal): Promise<boolean> {
    const workspaces = this.#options.store.workspacesToAsk();
    for (const workspaceId of workspaces) await this.#askFor(workspaceId, signal);
    return workspaces.length > 0;
  }

  async #askFor(workspaceId: string, signal: AbortSignal): Promise<void> {
    const { connect, library, store, news, timing } = this.#options;
    const files = store.toAsk(workspaceId, filesATurn);
    try {
      const api = createRepositoryApi(await connect(workspaceId, 'repository'), { timing });
      const asking = { api, library, workspaceId, signal };
      await Promise.all(files.map((file) => this.#askOne(asking, file)));
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof FailureError)) throw error;
      this.#giveUp(workspaceId, error.failure);
    }
    news.changed(workspaceId);
  }

  /** Rejects with what every other file would meet too. */
  async #askOne(asking: Asking, { id, md5 }: StoredUploadFile): Promise<void> {
    const { slots, store } = this.#options;
    if (md5 === null) return;
    const { workspaceId, signal } = asking;
    const { presence, failure } = await slots.use(workspaceId, signal, () => askPresence(asking, md5));
    store.answered([{ id, presence, failure }]);
    if (failure !== null && isHalting(failure)) throw new FailureError(failure);
  }

  /** A service that is out of reach is not asked ten thousand times: the person says when to try again. */
  #giveUp(workspaceId: string, failure: Failure): void {
    const { store } = this.#options;
    for (let files = store.toAsk(workspaceId, filesAtOnce); files.length > 0; files = store.toAsk(workspaceId, filesAtOnce)) {
      store.answered(files.map(({ id }) => ({ id, presence: 'unanswered', failure })));
    }
  }
}

const filesAtOnce = 500;
