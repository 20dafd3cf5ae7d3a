import type { FailureKind } from '../../../shared/failure.ts';
import type { Connect } from '../../api/connections.ts';
import { createRepositoryApi, type RepositoryApi } from '../../api/repository-api.ts';
import { ownFailure } from '../../jobs/halting-failures.ts';
import type { WorkspaceSlots } from '../../jobs/workspace-slots.ts';
import type { LibraryStore } from '../../storage/library-store.ts';
import { listComments } from '../../storage/listing-comments.ts';

export interface RecordReadingOptions {
  store: Pick<LibraryStore, 'sample' | 'recordLookup' | 'commentsInSteps'>;
  connect: Connect;
  slots: WorkspaceSlots;
}

/** Who is asked, and for which job. */
interface Asking {
  workspaceId: string;
  job: number;
  signal: AbortSignal;
}

/** `unknown`: the repository has no record, or no MD5 to look it up by. `forbidden`: also for a bare status 403. */
export type RecordOutcome = 'done' | 'already-here' | 'unknown' | 'forbidden' | 'failed';

const outcomeOf: Partial<Record<FailureKind, RecordOutcome>> = {
  'unknown-hash': 'unknown',
  'forbidden-or-unknown': 'forbidden',
  forbidden: 'forbidden',
};

/** Reads the records of samples that came without theirs, in turn with all else that a workspace is asked. */
export class RecordReading {
  readonly #options: RecordReadingOptions;

  constructor(options: RecordReadingOptions) {
    this.#options = options;
  }

  /**
   * What became of each. Rejects with what every other one would meet too, or the signal's reason; nothing is asked any
   * more then.
   */
  async read(hashes: readonly string[], { workspaceId, job, signal }: Asking): Promise<RecordOutcome[]> {
    const api = createRepositoryApi(await this.#options.connect(workspaceId, 'repository'));
    const halt = new AbortController();
    const asking = { workspaceId, job, signal: AbortSignal.any([signal, halt.signal]) };
    const each = hashes.map((hash) =>
      this.#readOne(api, hash, asking).catch((error: unknown) => {
        halt.abort(error);
        throw error;
      }),
    );
    await Promise.allSettled(each);
    signal.throwIfAborted();
    halt.signal.throwIfAborted();
    return Promise.all(each);
  }

  async #readOne(api: RepositoryApi, hash: string, asking: Asking): Promise<RecordOutcome> {
    const row = this.#options.store.sample(hash)?.row ?? null;
    if (row?.isRecorded === true) return 'already-here';
    const md5 = row?.md5 ?? null;
    return md5 === null
      ? 'unknown'
      : this.#options.slots.use(asking.workspaceId, asking.signal, () => this.#ask(api, md5, asking));
  }

  /** A record that cannot be read is its sample's own matter: the others are read all the same. */
  async #ask(api: RepositoryApi, md5: string, { workspaceId, job, signal }: Asking): Promise<RecordOutcome> {
    const { store } = this.#options;
    const asked = { workspaceId, md5, detail: { job } };
    try {
      const record = await api.getFile(md5, { signal });
      store.recordLookup({ ...asked, record, outcome: 'found' });
      await listComments(store, { workspaceId, md5, record });
      return 'done';
    } catch (error) {
      signal.throwIfAborted();
      const { kind } = ownFailure(error);
      store.recordLookup({ ...asked, record: null, outcome: kind });
      return outcomeOf[kind] ?? 'failed';
    }
  }
}
