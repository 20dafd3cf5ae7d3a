import { setImmediate as nextTurn } from 'node:timers/promises';
import { assertNever } from '../../../shared/assert-never.ts';
import type { JobItem } from '../../../shared/domain/job.ts';
import { familyOf } from '../../../shared/domain/rule-names.ts';
import { forbidsThirdParties, type TlpLevel } from '../../../shared/domain/tag.ts';
import { isUnavailable } from '../../../shared/failure-retry.ts';
import { fail, type Failure, FailureError, type FailureOf, type ServiceName } from '../../../shared/failure.ts';
import { releaseBytes } from '../../../shared/release-bytes.ts';
import type { Timing } from '../../api/limits.ts';
import type { ScanReply } from '../../api/replies/scan-reply.ts';
import type { RepositoryApi } from '../../api/repository-api.ts';
import type { RuleEditorApi } from '../../api/rule-editor-api.ts';
import type { JobWork } from '../../jobs/job-runner.ts';
import { asksForPause, ownFailure } from '../../jobs/job-work.ts';
import type { WorkspaceSlots } from '../../jobs/workspace-slots.ts';
import { listComments } from '../../storage/library/library-records.ts';
import type { LibraryStore } from '../../storage/library/library-store.ts';
import type { StoredResult } from '../../storage/scans/scan-store.ts';
import { failedResult } from './file-scanner.ts';
import { openScanFile, type ScanFile, type SourcePorts } from './read-scan-source.ts';

interface ServiceScannerOptions extends SourcePorts {
  api: RuleEditorApi;
  /** Asked for the TLP where it is not known; null where it is not needed, or no repository could answer. */
  repository: Pick<RepositoryApi, 'getFile'> | null;
  slots: WorkspaceSlots;
  library: LibraryStore;
  work: JobWork;
  workspaceId: string;
  /** Who gets the files; `isHere`: the lab of this computer. */
  receiver: { host: string; isHere: boolean };
  /** For the pauses that a service asks for. */
  timing: Timing;
}

interface FileToSend {
  item: JobItem;
  file: ScanFile;
  md5: string | null;
  sizeBytes: number;
}

const triesAtMost = 3;
/** A longer pause ends the run, and the job sleeps. */
const longestWaitSeconds = 60;
/** Milliseconds, and twice as long for each try: the service is unavailable, and does not name a pause. */
const unavailablePauseMs = 1_000;

/** Sends files to the rule editor, one a call (docs/services.md, "scanfile"). */
export class ServiceScanner {
  readonly #options: ServiceScannerOptions;
  /** Answers in a row, of any files, that the service is unavailable. */
  #unavailable = 0;
  /** What the services asked for a pause with, for any file. */
  readonly #pauses = new Map<ServiceName, FailureError>();

  constructor(options: ServiceScannerOptions) {
    this.#options = options;
  }

  /**
   * Rejects with what every other file would meet too, and with the signal's reason. After a pause that a service asked
   * for, all further files are rejected with it, and those on their way come to their end; also those that only have to
   * be sent, where it is the repository that asked.
   */
  async scan(sent: FileToSend, signal: AbortSignal): Promise<StoredResult> {
    const { slots, workspaceId } = this.#options;
    try {
      this.#requireWork('repository', 'rule-editor');
      await this.#guard(sent, signal);
      return await slots.use(workspaceId, signal, () => this.#sendInTurn(sent, signal));
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof FailureError && this.#isOfAll(error.failure)) {
        this.#pauses.set(error.failure.service, error);
        throw error;
      }
      return failedResult('service', null, ownFailure(error));
    }
  }

  /** A repository that is unavailable for the TLP of one file is so for any. */
  #isOfAll(failure: Failure): failure is FailureOf<'slow-down' | 'service-failed'> {
    if (!isUnavailable(failure)) return asksForPause(failure);
    return failure.service === 'repository' || this.#unavailable >= triesAtMost;
  }

  #requireWork(...services: ServiceName[]): void {
    for (const service of services) {
      const pause = this.#pauses.get(service);
      if (pause !== undefined) throw pause;
    }
  }

  /** @throws FailureError `third-party-refused`, and why the TLP cannot be determined */
  async #guard({ item, md5 }: FileToSend, signal: AbortSignal): Promise<void> {
    const { receiver } = this.#options;
    const tlp = receiver.isHere ? null : await tlpBeforeSending(this.#options, { md5, sha256: item.hash }, signal);
    this.#refuseClosed(tlp);
  }

  /** Once more: the file may have waited since, and been closed meanwhile. */
  #guardAgain({ item, md5 }: FileToSend): void {
    const { receiver, library } = this.#options;
    this.#refuseClosed(receiver.isHere ? null : library.tlpOf({ md5, sha256: item.hash }));
  }

  #refuseClosed(tlp: TlpLevel | null): void {
    if (forbidsThirdParties(tlp))
      fail({ kind: 'third-party-refused', tlp: tlp ?? '', receiver: this.#options.receiver.host });
  }

  async #sendInTurn(sent: FileToSend, signal: AbortSignal): Promise<StoredResult> {
    // The previous turn may have hit an error that ends the run: the signal shows so when that is settled.
    await nextTurn();
    signal.throwIfAborted();
    this.#requireWork('rule-editor');
    this.#guardAgain(sent);
    this.#reportJournal(sent);
    return this.#sendPatiently(sent, signal);
  }

  /**
   * A file that was put off was not scanned, and nothing is kept of a scan: it may go again. The place is held
   * meanwhile, so that no other goes instead.
   */
  async #sendPatiently(sent: FileToSend, signal: AbortSignal): Promise<StoredResult> {
    for (let tries = 1; ; tries += 1) {
      try {
        const result = await this.#send(sent, signal);
        this.#unavailable = 0;
        return result;
      } catch (error) {
        const waitMs = this.#pauseMs(error, tries);
        if (waitMs === null) throw error;
        await this.#options.timing.sleep(waitMs, signal);
        this.#requireWork('rule-editor');
        this.#guardAgain(sent);
      }
    }
  }

  /**
   * Milliseconds before the same file goes again; null where it does not. A service that is unavailable each time ends
   * the run; one that scans others meanwhile cannot take this file.
   */
  #pauseMs(error: unknown, tries: number): number | null {
    if (!(error instanceof FailureError)) return null;
    if (isUnavailable(error.failure)) {
      this.#unavailable += 1;
      const isOver = tries >= triesAtMost || this.#unavailable >= triesAtMost;
      return isOver ? null : unavailablePauseMs * 2 ** (tries - 1);
    }
    return tries < triesAtMost ? requestedPauseMs(error.failure) : null;
  }

  /** Before it leaves this computer, and not while it waits for its turn: it may never have one. */
  #reportJournal({ item }: FileToSend): void {
    const { receiver, library, work, workspaceId } = this.#options;
    library.recordScans([
      {
        workspaceId,
        sha256: item.hash,
        hashes: null,
        sizeBytes: null,
        outcome: 'sending',
        detail: { job: work.id, receiver: receiver.host },
      },
    ]);
  }

  async #send({ item, file, sizeBytes }: FileToSend, signal: AbortSignal): Promise<StoredResult> {
    const { api, work } = this.#options;
    const started = performance.now();
    const show = (receivedBytes: number): void =>
      work.active(item.position, {
        position: item.position,
        hash: item.hash,
        phase: 'sending',
        receivedBytes,
        totalBytes: sizeBytes,
      });
    let sentBytes = 0;
    show(0);
    const answer = await api.scanFile(
      { name: file.name, sizeBytes, open: () => this.#bytes(file, sizeBytes) },
      {
        signal,
        moved: (bytes) => {
          work.moved(bytes);
          sentBytes += bytes;
          show(sentBytes);
        },
      },
    );
    return this.#read(answer, Math.round(performance.now() - started));
  }

  #read({ status, reply, reading }: ScanReply, elapsedMs: number): StoredResult {
    const {
      api: { address },
    } = this.#options;
    const said: Omit<StoredResult, 'state' | 'failure'> = {
      side: 'service',
      engine: null,
      elapsedMs,
      raw: JSON.stringify(reply),
      package: null,
      hits: [],
      isCut: false,
      withoutGlobal: [],
    };
    switch (reading.kind) {
      case 'matches': {
        const { version, rules, hits, isCut } = reading;
        const known = version === null && rules === null ? null : { sha256: null, version, rules };
        return {
          ...said,
          state: 'scanned',
          package: known,
          hits: hits.map((hit) => ({ ...hit, family: familyOf(hit) })),
          isCut,
          failure: null,
        };
      }
      case 'failed':
        return {
          ...said,
          state: 'failed',
          failure: { kind: 'request-refused', service: 'rule-editor', address, status, text: reading.text },
        };
      case 'not-understood':
        return {
          ...said,
          state: 'not-understood',
          failure: { kind: 'scan-not-understood', service: 'rule-editor', address },
        };
      default:
        return assertNever(reading);
    }
  }

  /** No byte more or less than was announced. */
  async *#bytes(file: ScanFile, sizeBytes: number): AsyncGenerator<Uint8Array, void, void> {
    const changed: Failure = { kind: 'file-changed', name: file.name };
    let readBytes = 0;
    for await (const chunk of openScanFile(this.#options, file)) {
      readBytes += chunk.length;
      if (readBytes > sizeBytes) throw new FailureError(changed);
      yield chunk;
      releaseBytes(chunk);
    }
    if (readBytes < sizeBytes) throw new FailureError(changed);
  }
}

/** The pause that a service names and that is waited for; null for any other failure. */
function requestedPauseMs(failure: Failure): number | null {
  if (failure.kind !== 'slow-down') return null;
  const { retryAfterSeconds } = failure;
  return retryAfterSeconds === null || retryAfterSeconds > longestWaitSeconds ? null : retryAfterSeconds * 1000;
}

interface TlpKnowledgeOptions {
  library: Pick<LibraryStore, 'tlpOf' | 'recorded' | 'noteRecord' | 'commentsInSteps'>;
  workspaceId: string;
  /** null: the workspace has no repository that could know. */
  repository: Pick<RepositoryApi, 'getFile'> | null;
}

/**
 * The TLP of a file that is to leave this computer, as the library has it: including the one that the person gave these
 * bytes. The repository's TLP is fetched, where it is not known yet: a sample that came without its record may be one
 * that no one else may have.
 *
 * @throws FailureError why the repository did not answer; that it does not know the file is an answer
 */
async function tlpBeforeSending(
  { library, workspaceId, repository }: TlpKnowledgeOptions,
  file: { md5: string | null; sha256: string },
  signal: AbortSignal,
): Promise<TlpLevel | null> {
  const { md5 } = file;
  if (repository !== null && md5 !== null && library.recorded(workspaceId, md5) === null) {
    const record = await orUnknown(repository.getFile(md5, { signal }));
    if (record !== null) {
      library.noteRecord({ workspaceId, md5, record });
      await listComments(library, { workspaceId, md5, record });
    }
  }
  return library.tlpOf(file);
}

async function orUnknown<T>(asked: Promise<T>): Promise<T | null> {
  try {
    return await asked;
  } catch (error) {
    const isUnknown =
      error instanceof FailureError &&
      (error.failure.kind === 'unknown-hash' || error.failure.kind === 'forbidden-or-unknown');
    if (!isUnknown) throw error;
    return null;
  }
}
