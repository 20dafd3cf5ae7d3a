import type { ActiveItem, JobItem } from '../../../shared/domain/job.ts';
import { Packing, type RequestLimits } from '../../../shared/domain/upload.ts';
import type { RepositoryOptions } from '../../../shared/domain/workspace.ts';
import { FailureError } from '../../../shared/failure.ts';
import type { Timing } from '../../api/limits.ts';
import type { RepositoryApi } from '../../api/repository-api.ts';
import { isHalting } from '../../jobs/halting-failures.ts';
import type { JobWork } from '../../jobs/job-runner.ts';
import type { WorkspaceSlots } from '../../jobs/workspace-slots.ts';
import type { LibraryStore } from '../../storage/library-store.ts';
import type { UploadStore } from '../../storage/upload-store.ts';
import type { Staging } from '../../vault/staging.ts';
import { askPresence, type PresenceAnswer } from './presence.ts';
import { RequestSender } from './request-sender.ts';
import { UploadLedger } from './upload-ledger.ts';
import { type Sending, verdictOfPresence } from './verdicts.ts';

export interface UploadRunOptions {
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
}

/** Items asked about at a time; the slots of the workspace decide how many go out at once. */
const itemsATurn = 16;

/**
 * Sends the files of one job, each once (docs/services.md, "uploadfiles"): what the repository has is not sent, and
 * what may have arrived in an earlier run is asked for and not sent again by itself.
 */
export class UploadRun {
  readonly #options: UploadRunOptions;
  readonly #ledger: UploadLedger;
  readonly #sender: RequestSender;
  #expectedBytes: number;

  constructor(options: UploadRunOptions) {
    const { store, work } = options;
    this.#options = options;
    this.#ledger = new UploadLedger(options);
    this.#sender = new RequestSender({
      ...options,
      comment: store.commentOf(work.id),
      ledger: this.#ledger,
      ask: (sending) => this.#ask(sending),
    });
    this.#expectedBytes = store.bytesOfJob(work.id);
  }

  /** Resolves when what was copied of files that are at the repository is gone. */
  close(): Promise<void> {
    return this.#ledger.close();
  }

  async run(): Promise<void> {
    const { work, limits } = this.#options;
    const packing = new Packing<Sending>(limits);
    work.expect(this.#expectedBytes);
    for (let items = work.take(itemsATurn); items.length > 0; items = work.take(itemsATurn)) {
      for (const sending of await this.#notThere(items)) await this.#sendAll(packing.add(sending));
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
    const answers = await Promise.all(known.map(async (sending) => ({ sending, answer: await this.#ask(sending) })));
    return answers.flatMap(({ sending, answer }) => (this.#isToBeSent(sending, answer) ? [sending] : []));
  }

  #isToBeSent(sending: Sending, answer: PresenceAnswer): boolean {
    const verdict = verdictOfPresence(sending, answer, this.#facts());
    if (verdict === null) return true;
    this.#expectedBytes -= sending.sizeBytes;
    this.#options.work.expect(this.#expectedBytes);
    this.#ledger.settle([{ sending, verdict }]);
    return false;
  }

  #facts(): { service: 'repository'; address: string } {
    return { service: 'repository', address: this.#options.api.address };
  }

  /** Rejects with what every other file would meet too. */
  async #ask(sending: Sending): Promise<PresenceAnswer> {
    const { slots, workspaceId, work, api, library } = this.#options;
    const answer = await slots.use(workspaceId, work.signal, () => {
      this.#show(sending, 'asking');
      return askPresence({ api, library, workspaceId, signal: work.signal }, sending.md5);
    });
    if (answer.failure !== null && isHalting(answer.failure)) throw new FailureError(answer.failure);
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
