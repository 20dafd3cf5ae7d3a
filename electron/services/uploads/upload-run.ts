import type { ActiveItem, JobItem } from '../../../shared/domain/job.ts';
import { Packing, type RequestLimits } from '../../../shared/domain/upload.ts';
import type { RepositoryOptions } from '../../../shared/domain/workspace.ts';
import { isUnavailable } from '../../../shared/failure-retry.ts';
import { FailureError } from '../../../shared/failure.ts';
import type { Timing } from '../../api/limits.ts';
import type { RepositoryApi } from '../../api/repository-api.ts';
import type { JobWork } from '../../jobs/job-runner.ts';
import { isHalting } from '../../jobs/job-work.ts';
import type { WorkspaceSlots } from '../../jobs/workspace-slots.ts';
import { listComments } from '../../storage/library/library-records.ts';
import type { LibraryStore } from '../../storage/library/library-store.ts';
import type { UploadStore } from '../../storage/uploads/upload-store.ts';
import type { Staging } from '../../vault/staging.ts';
import { RequestSender } from './request-sender.ts';
import { Confirmation } from './upload-confirmation.ts';
import { outcomeOfPresence, type PresenceAnswer, type Sending, UploadRecorder } from './upload-recorder.ts';

interface UploadRunOptions {
  library: LibraryStore;
  store: UploadStore;
  staging: Staging;
  slots: WorkspaceSlots;
  limits: RequestLimits;
  repository: RepositoryOptions;
  api: RepositoryApi;
  work: JobWork;
  workspaceId: string;
  timing: Timing;
  /** The draft of the workspace is another now. */
  draftChanged(): void;
  /** A record showed whether the workspace's repository decodes comments once more, other than its options say. */
  decodingLearnt(decodes: boolean): void;
}

/** Files that are sent alone to find out how the server reads the comment: not all records show it. */
const aloneAtMost = 3;
/** Items asked about at a time; the slots of the workspace decide how many go out at once. */
const itemsATurn = 16;

/**
 * Sends the files of one job, each once (docs/services.md, "uploadfiles"): what the repository has is not sent, and
 * what may have arrived in an earlier run is asked for and not sent again by itself.
 */
export class UploadRun {
  readonly #options: UploadRunOptions;
  readonly #recorder: UploadRecorder;
  readonly #sender: RequestSender;
  readonly #confirmation: Confirmation;
  #expectedBytes: number;

  constructor(options: UploadRunOptions) {
    const { store, work } = options;
    this.#options = options;
    this.#recorder = new UploadRecorder(options);
    const comment = store.commentOf(work.id);
    this.#confirmation = new Confirmation({ comment, decodes: options.repository.decodesComments }, (decodes) =>
      options.decodingLearnt(decodes),
    );
    this.#sender = new RequestSender({
      ...options,
      comment,
      confirmation: this.#confirmation,
      recorder: this.#recorder,
      presenceOf: (sending) => this.#presenceOf(sending),
    });
    this.#expectedBytes = store.bytesOfJob(work.id);
  }

  /** Resolves when what was copied of files that are at the repository is gone. */
  close(): Promise<void> {
    return this.#recorder.close();
  }

  async run(): Promise<void> {
    const { work, limits } = this.#options;
    const packing = new Packing<Sending>(limits);
    let alone = 0;
    work.expect(this.#expectedBytes);
    for (let items = work.take(itemsATurn); items.length > 0; items = work.take(itemsATurn)) {
      for (const sending of await this.#notThere(items)) {
        // One file finds out how the server reads the comment, before many get it.
        if (alone < aloneAtMost && this.#confirmation.isInQuestion) {
          alone += 1;
          await this.#sender.send([sending]);
        } else await this.#sendAll(packing.add(sending));
      }
    }
    work.signal.throwIfAborted();
    await this.#sendAll(packing.rest());
  }

  async #sendAll(requests: readonly Sending[][]): Promise<void> {
    for (const request of requests) await this.#sender.send(request);
  }

  /** Those that are to be sent. The others have their outcome. */
  async #notThere(items: readonly JobItem[]): Promise<Sending[]> {
    const { store, work } = this.#options;
    const files = new Map(
      store
        .filesOfJob(
          work.id,
          items.map(({ hash }) => hash),
        )
        .map((file) => [file.sha256, file]),
    );
    const found = items.map((item) => ({ item, file: files.get(item.hash) }));
    const missing = found.flatMap(({ item, file }) => (file === undefined ? [item] : []));
    work.settle(
      missing.map(({ position }) => ({
        position,
        state: 'failed',
        failure: { kind: 'upload-file-missing', id: position },
      })),
    );
    const known = found.flatMap(({ item, file }): Sending[] =>
      file?.md5 ? [{ position: item.position, md5: file.md5, sizeBytes: file.sizeBytes, file }] : [],
    );
    const answers = await Promise.all(
      known.map(async (sending) => ({ sending, answer: await this.#presenceOf(sending) })),
    );
    return answers.flatMap(({ sending, answer }) => (this.#isToBeSent(sending, answer) ? [sending] : []));
  }

  #isToBeSent(sending: Sending, answer: PresenceAnswer): boolean {
    const outcome = outcomeOfPresence(sending, answer, this.#facts(), (of, record) =>
      this.#sender.confirmed(of, record, null),
    );
    if (outcome === null) return true;
    this.#expectedBytes -= sending.sizeBytes;
    this.#options.work.expect(this.#expectedBytes);
    this.#recorder.settle([{ sending, outcome }]);
    return false;
  }

  #facts(): { service: 'repository'; address: string } {
    return { service: 'repository', address: this.#options.api.address };
  }

  /** Rejects with what every other file would meet too. */
  async #presenceOf(sending: Sending): Promise<PresenceAnswer> {
    const { slots, workspaceId, work, api, library } = this.#options;
    const answer = await slots.use(workspaceId, work.signal, () => {
      this.#show(sending, 'asking');
      return askPresence({ api, library, workspaceId, signal: work.signal }, sending.md5);
    });
    const { failure } = answer;
    if (failure !== null && (isHalting(failure) || isUnavailable(failure))) throw new FailureError(failure);
    return answer;
  }

  #show({ position, file, sizeBytes }: Sending, phase: ActiveItem['phase']): void {
    this.#options.work.active(position, {
      position,
      hash: file.sha256 ?? '',
      phase,
      receivedBytes: 0,
      totalBytes: sizeBytes,
    });
  }
}

export interface Asking {
  api: Pick<RepositoryApi, 'getFile'>;
  library: Pick<LibraryStore, 'noteRecord' | 'commentsInSteps'>;
  workspaceId: string;
  signal: AbortSignal;
}

/**
 * Asks for the record of an MD5 (docs/services.md, "getfile"); one that is there goes to the library. Throws defects,
 * and the signal's reason.
 */
export async function askPresence({ api, library, workspaceId, signal }: Asking, md5: string): Promise<PresenceAnswer> {
  try {
    const record = await api.getFile(md5, { signal });
    library.noteRecord({ workspaceId, md5, record });
    await listComments(library, { workspaceId, md5, record });
    return { presence: 'there', failure: null, record };
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof FailureError)) throw error;
    return error.failure.kind === 'unknown-hash'
      ? { presence: 'new', failure: null }
      : { presence: 'unanswered', failure: error.failure };
  }
}
