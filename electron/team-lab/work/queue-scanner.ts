import { randomUUID } from 'node:crypto';
import { FailureError } from '../../../shared/failure.ts';
import { LabError } from '../../lab/errors.ts';
import { type FileScanner, type LabScanLimits, overScanLimit, type ScanPlace } from '../../lab/scan-file.ts';
import { type BlobReceiver, type BlobStore, StoreUnavailable } from '../../lab/stores/blob-store.ts';
import type { StoredPublication } from '../../lab/stores/metadata-store.ts';
import type { DatabaseAddress } from '../postgres/pg-address.ts';
import { PgListener } from '../postgres/pg-listener.ts';
import { answeredChannel, comeAgain, notBegun, noWorker, type ScanAnswer, type ScanRequests } from './scan-requests.ts';

export interface QueueScannerOptions {
  blobs: BlobStore;
  requests: ScanRequests;
  /** Of the same database, for a connection that listens. */
  address: DatabaseAddress;
  limits: LabScanLimits;
  /** Takes what could not be removed. */
  report(error: unknown): void;
}

/** Each takes memory for a part on its way to the store. Those that only wait for their scan are not among them. */
const receivedAtOnce = 16;
/**
 * How long a client waits: for a worker to be free, for the rules to be compiled, and for the search of a rule that
 * does not end, which takes the time of a file some times over.
 */
const waitSeconds = ({ fileSeconds }: LabScanLimits): number => Math.ceil(60 + 4 * fileSeconds);

/**
 * Has workers scan: the bytes go into the store, where no row names them, and a request into the queue. They are
 * removed when the scan is over. What a killed process leaves, a sweep removes as it does after an upload.
 */
export class QueueScanner implements FileScanner {
  readonly #options: QueueScannerOptions;
  readonly #answers: Answers;
  readonly #running = new Set<Promise<void>>();
  readonly #closing = new AbortController();
  #receiving = 0;

  constructor(options: QueueScannerOptions) {
    this.#options = options;
    this.#answers = new Answers(options.requests, options.address);
  }

  async lend(work: (place: ScanPlace) => Promise<void>): Promise<void> {
    await this.#options.requests.requireSpace();
    const received = this.#beginReceiving();
    const running = this.#lend(work, received);
    const settled = running.catch(() => {});
    this.#running.add(settled);
    try {
      await running;
    } finally {
      received();
      this.#running.delete(settled);
    }
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.all(this.#running);
    await this.#answers.close();
  }

  /** @returns what is to be called when the file is in the store, and may be called again */
  #beginReceiving(): () => void {
    if (this.#receiving >= receivedAtOnce)
      throw new LabError('busy', `The lab receives ${receivedAtOnce} files to scan at a time.`, comeAgain);
    this.#receiving += 1;
    let isOver = false;
    return () => {
      if (!isOver) this.#receiving -= 1;
      isOver = true;
    };
  }

  async #lend(work: (place: ScanPlace) => Promise<void>, received: () => void): Promise<void> {
    const { blobs, limits } = this.#options;
    const receiver = blobs.receive();
    let sizeBytes = 0;
    try {
      await work({
        write: async (chunk) => {
          sizeBytes += chunk.length;
          if (sizeBytes > limits.fileBytes) throw overScanLimit();
          await receiver.write(chunk);
        },
        scan: (publication, name, gone) => this.#scan(receiver, { publication, name, gone, received }),
      });
    } finally {
      await receiver.abort();
    }
  }

  async #scan(
    receiver: BlobReceiver,
    {
      publication,
      name,
      gone,
      received,
    }: { publication: StoredPublication; name: string; gone: AbortSignal; received: () => void },
  ): Promise<string | null> {
    const { hashes, sizeBytes, place } = await receiver.seal();
    received();
    if (gone.aborted) return null;
    const id = randomUUID();
    const blob = { sha256: hashes.sha256, sizeBytes, place };
    const answer = await this.#answered({ id, publication: publication.id, name, blob }, gone);
    if (answer === null || 'reply' in answer) return answer?.reply ?? null;
    if (answer.code === 'unavailable') throw new StoreUnavailable(`A worker could not read a file: ${answer.message}`);
    throw new LabError(answer.code, answer.message);
  }

  /** Null: the client has left. */
  async #answered(request: Parameters<ScanRequests['add']>[0], gone: AbortSignal): Promise<ScanAnswer | null> {
    const { requests, limits, report } = this.#options;
    const { id } = request;
    const closing = this.#closing.signal;
    const ended = Promise.withResolvers<null>();
    // It is awaited only once the request is in the queue.
    ended.promise.catch(() => {});
    const leave = (): void => ended.resolve(null);
    const stop = (): void => ended.reject(new FailureError({ kind: 'cancelled' }));
    if (closing.aborted) stop();
    gone.addEventListener('abort', leave);
    closing.addEventListener('abort', stop);
    let answer: ScanAnswer | null = null;
    try {
      await requests.add(request, waitSeconds(limits));
      answer = await Promise.race([this.#answers.wait(id, waitSeconds(limits)), ended.promise]);
      return answer;
    } finally {
      gone.removeEventListener('abort', leave);
      closing.removeEventListener('abort', stop);
      this.#answers.forget(id);
      // Its row is gone with its answer.
      if (answer === null) await requests.cancel(id).catch(report);
    }
  }
}

/** How often is looked for answers: beside notifications, and without them. */
const looksMs = { listening: 1_000, deaf: 250 } as const;

interface Waiting {
  isBegun: boolean;
  /** Its answer is being read, and its row may be gone for that. */
  isTaking: boolean;
  resolve(answer: ScanAnswer): void;
  reject(error: unknown): void;
  timer: NodeJS.Timeout;
}

/** Answers that clients of this process wait for. One look is for all of them. */
class Answers {
  readonly #requests: ScanRequests;
  readonly #listener: PgListener;
  readonly #waiting = new Map<string, Waiting>();
  #timer: NodeJS.Timeout | null = null;
  #isLooking = false;

  constructor(requests: ScanRequests, address: DatabaseAddress) {
    this.#requests = requests;
    this.#listener = new PgListener(address, {
      channel: answeredChannel,
      heard: (id) => void this.#take(id),
      changed: () => this.#lookIn(0),
    });
  }

  /** Of a request that is in the queue, until `forget`. Rejects with what keeps it from being answered. */
  wait(id: string, seconds: number): Promise<ScanAnswer> {
    const { promise, resolve, reject } = Promise.withResolvers<ScanAnswer>();
    // There may be no caller left.
    promise.catch(() => {});
    const timer = setTimeout(() => reject(this.#late(id, seconds)), seconds * 1_000).unref();
    this.#waiting.set(id, { isBegun: false, isTaking: false, resolve, reject, timer });
    // It may have been answered before it was waited for.
    void this.#take(id);
    if (this.#timer === null) this.#lookLater();
    return promise;
  }

  forget(id: string): void {
    clearTimeout(this.#waiting.get(id)?.timer);
    this.#waiting.delete(id);
  }

  async close(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer);
    await this.#listener.close();
  }

  #late(id: string, seconds: number): LabError {
    return this.#waiting.get(id)?.isBegun === true
      ? new LabError('scan-timed-out', `The rules did not finish within ${seconds} s.`)
      : notBegun(seconds);
  }

  #lookLater(): void {
    this.#lookIn(this.#listener.isListening ? looksMs.listening : looksMs.deaf);
  }

  #lookIn(milliseconds: number): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#waiting.size === 0 || this.#isLooking) return;
    this.#timer = setTimeout(() => void this.#look(), milliseconds).unref();
  }

  async #look(): Promise<void> {
    this.#timer = null;
    this.#isLooking = true;
    const ids = [...this.#waiting.keys()];
    try {
      const found = await this.#requests.states(ids);
      const byId = new Map(found.map((state) => [state.id, state]));
      for (const id of ids) {
        const state = byId.get(id);
        const waiting = this.#waiting.get(id);
        if (waiting === undefined || waiting.isTaking) continue;
        if (state === undefined) waiting.reject(new StoreUnavailable('A request to scan is no longer in the queue.'));
        else if (state.isAnswered) await this.#take(id);
        else if (!state.hasWorker) waiting.reject(noWorker());
        else waiting.isBegun = state.isBegun;
      }
    } catch (error) {
      for (const id of ids) this.#waiting.get(id)?.reject(error);
    } finally {
      this.#isLooking = false;
      this.#lookLater();
    }
  }

  async #take(id: string): Promise<void> {
    const waiting = this.#waiting.get(id);
    if (waiting === undefined || waiting.isTaking) return;
    waiting.isTaking = true;
    try {
      const answer = await this.#requests.take(id);
      if (answer !== null) waiting.resolve(answer);
    } catch (error) {
      waiting.reject(error);
    } finally {
      waiting.isTaking = false;
    }
  }
}
