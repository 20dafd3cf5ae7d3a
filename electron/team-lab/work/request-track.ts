import { FailureError } from '../../../shared/failure.ts';
import { LabError, OperatorError } from '../../lab/errors.ts';
import { KeptScanner, PublicationScanner, scanReply } from '../../lab/publication-scanner.ts';
import { type LabScanLimits, overScanLimit } from '../../lab/scan-file.ts';
import { type Stores, StoreUnavailable } from '../../lab/stores/blob-store.ts';
import type { SampleReader } from './piece-scanner.ts';
import { heartbeatMs, type RequestJob, type ScanQueue } from './scan-queue.ts';
import type { BegunRequest, ScanAnswer, ScanRequests } from './scan-requests.ts';
import type { StoreAccess } from './store-access.ts';

export interface RequestTrackOptions {
  stores: Stores;
  requests: ScanRequests;
  queue: ScanQueue;
  limits: LabScanLimits;
  access: Pick<StoreAccess, 'check'>;
  /** Memory of the track. */
  reader: SampleReader;
  /** What runs is given up. */
  killing: AbortSignal;
  report(error: unknown): void;
  answered(outcome: RequestOutcome): void;
}

/** `given-up`: its client has left, or it was handed back for another worker. */
export type RequestOutcome = 'scanned' | 'failed' | 'given-up';

const idleMs = 60_000;
/** A file that ended its worker so often is given up. */
const mostTries = 2;

/** Answers requests one after the other, with an engine of its own beside that for hunts. */
export class RequestTrack {
  readonly #options: RequestTrackOptions;
  #engine = new Engine();

  constructor(options: RequestTrackOptions) {
    this.#options = options;
  }

  /** Never fails: what keeps it from being answered gives it to another worker, or the time of its client ends it. */
  async work(job: RequestJob): Promise<void> {
    const { requests, report, answered } = this.#options;
    try {
      const request = await requests.begin(job);
      answered(request === null ? await this.#pass(job) : await this.#answer(job, request));
    } catch (error) {
      report(error);
    }
  }

  async close(): Promise<void> {
    await this.#engine.end();
  }

  async #pass(job: RequestJob): Promise<RequestOutcome> {
    await this.#options.requests.complete(job);
    return 'given-up';
  }

  async #answer(job: RequestJob, request: BegunRequest): Promise<RequestOutcome> {
    const { requests, killing } = this.#options;
    const wanted = new Wanted(job, request, this.#options);
    try {
      const answer = await this.#scanned(request, wanted.signal);
      if (answer === 'unwanted' && !killing.aborted) return await this.#pass(job);
      if (answer === 'unwanted' || answer === 'unreadable') {
        await requests.handBack(job);
        return 'given-up';
      }
      await requests.answer(job, answer);
      return 'reply' in answer ? 'scanned' : 'failed';
    } finally {
      wanted.end();
    }
  }

  /**
   * `unwanted`: no client waits for it, or this worker is to end; its engine has ended. `unreadable`: this worker
   * cannot use the store.
   */
  async #scanned(request: BegunRequest, wanted: AbortSignal): Promise<ScanAnswer | 'unwanted' | 'unreadable'> {
    if (request.tries > mostTries)
      return { code: 'scan-failed', message: `The file ended its worker ${mostTries} times.` };
    const engine = this.#engine;
    const end = (): void => void engine.end();
    wanted.addEventListener('abort', end);
    try {
      return await this.#scan(request, engine, wanted);
    } catch (error) {
      if (wanted.aborted) return 'unwanted';
      const isOfServers = error instanceof StoreUnavailable || error instanceof OperatorError;
      return isOfServers && (await this.#options.access.check()) ? 'unreadable' : this.#failure(error);
    } finally {
      wanted.removeEventListener('abort', end);
      if (engine.isEnded) this.#engine = new Engine();
    }
  }

  async #scan({ name, blob, ...request }: BegunRequest, engine: Engine, wanted: AbortSignal): Promise<ScanAnswer> {
    const { stores, limits, reader } = this.#options;
    if (blob.sizeBytes > limits.fileBytes) throw overScanLimit();
    const publication = await stores.metadata.publication(request.publication);
    if (publication === null) throw new TypeError(`there is no publication ${request.publication}`);
    const read = await reader.read(blob);
    if ('failure' in read) return { code: 'file-damaged', message: 'The bytes of this file are damaged.' };
    try {
      wanted.throwIfAborted();
      const found = await engine.kept.use(
        publication.id,
        () =>
          PublicationScanner.open(stores.blobs, publication, {
            workers: 1,
            fileSeconds: limits.fileSeconds,
            signal: engine.ending,
          }),
        (scanner) => scanner.scan({ name, bytes: read.bytes }),
      );
      return { reply: JSON.stringify(scanReply(publication, found)) };
    } finally {
      read.release();
    }
  }

  /** In the words in which a lab refuses that scans by itself. Defects are reported here, where they are known. */
  #failure(error: unknown): ScanAnswer {
    if (error instanceof LabError && (error.code === 'scan-timed-out' || error.code === 'scan-failed'))
      return { code: error.code, message: error.message };
    if (error instanceof LabError && error.code === 'body-too-large')
      return { code: error.code, message: error.message };
    this.#options.report(error);
    if (error instanceof StoreUnavailable) return { code: 'unavailable', message: error.message };
    const kind = error instanceof FailureError ? error.failure.kind : null;
    return kind === 'vault-damaged' || kind === 'not-in-vault'
      ? { code: 'file-damaged', message: 'The bytes of this file are damaged.' }
      : { code: 'internal', message: 'The lab failed.' };
  }
}

/** Rules compiled in a thread, kept for the next file. */
class Engine {
  readonly kept = new KeptScanner<PublicationScanner>(idleMs);
  readonly #ending = new AbortController();

  get ending(): AbortSignal {
    return this.#ending.signal;
  }

  get isEnded(): boolean {
    return this.#ending.signal.aborted;
  }

  async end(): Promise<void> {
    this.#ending.abort();
    await this.kept.close();
  }
}

/** Whether the client of a request waits for it, and the job is this worker's. */
class Wanted {
  readonly #unwanted = new AbortController();
  readonly #timers: NodeJS.Timeout[];
  readonly #killing: AbortSignal;
  readonly #abort = (): void => this.#unwanted.abort();

  constructor(
    job: RequestJob,
    { leftMs }: BegunRequest,
    { queue, killing, report }: Pick<RequestTrackOptions, 'queue' | 'killing' | 'report'>,
  ) {
    this.#killing = killing;
    const look = (): void => {
      queue.isStillOurs(job).then((isOurs) => isOurs || this.#abort(), report);
    };
    this.#timers = [setInterval(look, heartbeatMs).unref(), setTimeout(this.#abort, leftMs).unref()];
    killing.addEventListener('abort', this.#abort);
    if (killing.aborted) this.#abort();
  }

  /** Aborted when it is not. */
  get signal(): AbortSignal {
    return this.#unwanted.signal;
  }

  end(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#killing.removeEventListener('abort', this.#abort);
  }
}
