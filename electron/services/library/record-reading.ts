import type { SampleRecord } from '../../../shared/domain/sample.ts';
import { isUnavailable } from '../../../shared/failure-retry.ts';
import { failed, type Failure, FailureError, type FailureKind, type Result, success } from '../../../shared/failure.ts';
import type { Connect } from '../../api/connections.ts';
import { createRepositoryApi, type RepositoryApi } from '../../api/repository-api.ts';
import { asksForPause, ownFailure } from '../../jobs/job-work.ts';
import type { WorkspaceSlots } from '../../jobs/workspace-slots.ts';
import { listComments } from '../../storage/library/library-records.ts';
import type { LibraryStore } from '../../storage/library/library-store.ts';

export interface RecordReadingOptions {
  store: Pick<LibraryStore, 'sample' | 'recordLookup' | 'commentsInSteps'>;
  connect: Connect;
  slots: WorkspaceSlots;
}

/** Who is asked, and for which job. */
interface RecordRequest {
  workspaceId: string;
  job: number;
  signal: AbortSignal;
}

interface RecordsRead {
  /** Of the first of them, as far as each one has its outcome: of all, where nothing ended the reading. */
  outcomes: RecordOutcome[];
  /** Its reason is what every other one would meet too, or why the job is to stop; null: nothing ended it. */
  ended: AbortSignal | null;
}

/** `unknown`: the repository has no record, or no MD5 to look it up by. `forbidden`: also for a bare status 403. */
export type RecordOutcome = 'done' | 'already-here' | 'unknown' | 'forbidden' | 'failed';

const outcomes: Partial<Record<FailureKind, RecordOutcome>> = {
  'unknown-hash': 'unknown',
  'unknown-behind-warning': 'unknown',
  'forbidden-or-unknown': 'forbidden',
  forbidden: 'forbidden',
};
export const outcomeOf = ({ kind }: Failure): RecordOutcome => outcomes[kind] ?? 'failed';

/**
 * Requests of a job to the repository of a workspace, in turn with all else that it is asked. Once something ends them,
 * nothing more is requested; where that is a pause, what is under way continues.
 */
export class RepositoryRequests {
  readonly #api: RepositoryApi;
  readonly #slots: WorkspaceSlots;
  readonly #workspaceId: string;
  readonly #signal: AbortSignal;
  readonly #halt = new AbortController();
  readonly #pause = new AbortController();
  readonly #underWay: AbortSignal;
  /** Aborted when nothing more is to begin. */
  readonly begin: AbortSignal;

  private constructor(api: RepositoryApi, slots: WorkspaceSlots, { workspaceId, signal }: Omit<RecordRequest, 'job'>) {
    this.#api = api;
    this.#slots = slots;
    this.#workspaceId = workspaceId;
    this.#signal = signal;
    this.#underWay = AbortSignal.any([signal, this.#halt.signal]);
    this.begin = AbortSignal.any([this.#underWay, this.#pause.signal]);
  }

  static async open(
    { connect, slots }: Pick<RecordReadingOptions, 'connect' | 'slots'>,
    request: Omit<RecordRequest, 'job'>,
  ): Promise<RepositoryRequests> {
    return new RepositoryRequests(
      createRepositoryApi(await connect(request.workspaceId, 'repository')),
      slots,
      request,
    );
  }

  /** Its reason is what every other request would meet too, or why the job is to stop; null: nothing ended them. */
  get ended(): AbortSignal | null {
    return [this.#signal, this.#halt.signal, this.#pause.signal].find(({ aborted }) => aborted) ?? null;
  }

  end(error: unknown): void {
    (error instanceof FailureError && asksForPause(error.failure) ? this.#pause : this.#halt).abort(error);
  }

  record(md5: string): Promise<Result<SampleRecord>> {
    return this.ask((api, signal) => api.getFile(md5, { signal }));
  }

  /** A failure that is the request's own matter comes as such; any other one ends the requests, and is thrown. */
  ask<T>(send: (api: RepositoryApi, signal: AbortSignal) => Promise<T>): Promise<Result<T>> {
    return this.#slots.use(this.#workspaceId, this.begin, async () => {
      this.begin.throwIfAborted();
      try {
        return success(await send(this.#api, this.#underWay));
      } catch (error) {
        try {
          this.#underWay.throwIfAborted();
          const failure = ownFailure(error);
          // No record has a say in whether its service is at work.
          if (isUnavailable(failure)) throw error;
          return failed(failure);
        } catch (end) {
          // Before its place is free, and another begins there.
          this.end(end);
          throw end;
        }
      }
    });
  }
}

/** Reads the records of samples that came without theirs. */
export class RecordReading {
  readonly #options: RecordReadingOptions;

  constructor(options: RecordReadingOptions) {
    this.#options = options;
  }

  requests(request: Omit<RecordRequest, 'job'>): Promise<RepositoryRequests> {
    return RepositoryRequests.open(this.#options, request);
  }

  async read(hashes: readonly string[], request: RecordRequest): Promise<RecordsRead> {
    const requests = await this.requests(request);
    const each = hashes.map((hash) =>
      this.#readOne(requests, hash, request).catch((error: unknown) => {
        requests.end(error);
        throw error;
      }),
    );
    const read: RecordOutcome[] = [];
    for (const one of await Promise.allSettled(each)) {
      if (one.status === 'rejected') break;
      read.push(one.value);
    }
    return { outcomes: read, ended: requests.ended };
  }

  /** A record that cannot be read is its sample's own matter: the others are read all the same. */
  async #readOne(
    requests: RepositoryRequests,
    hash: string,
    { workspaceId, job }: RecordRequest,
  ): Promise<RecordOutcome> {
    const { store } = this.#options;
    const row = store.sample(hash)?.row ?? null;
    if (row?.isRecorded === true) return 'already-here';
    const md5 = row?.md5 ?? null;
    if (md5 === null) return 'unknown';
    const noted = { workspaceId, md5, detail: { job } };
    const answer = await requests.record(md5);
    if (!answer.ok) {
      store.recordLookup({ ...noted, record: null, outcome: answer.failure.kind });
      return outcomeOf(answer.failure);
    }
    store.recordLookup({ ...noted, record: answer.value, outcome: 'found' });
    await listComments(store, { workspaceId, md5, record: answer.value });
    return 'done';
  }
}
