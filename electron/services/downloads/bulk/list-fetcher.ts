import { fail, type Failure } from '../../../../shared/failure.ts';
import type { Timing } from '../../../api/limits.ts';
import type { ByteReply } from '../../../api/replies/file-replies.ts';
import type { RepositoryApi } from '../../../api/repository-api.ts';
import { ownFailure } from '../../../jobs/halting-failures.ts';
import { fetchIntoVault, type FetchRequest } from '../fetch-into-vault.ts';
import { type ArchiveReceiver, receiveArchive } from './receive-archive.ts';
import { isAboutHashes, isRefusing, type Verdict, verdictOf } from './verdict.ts';
import { type Wanted, wantedList } from './wanted.ts';

export interface ListFetcherOptions extends ArchiveReceiver {
  api: RepositoryApi;
  /** For what has to be asked for one by one. */
  single: Pick<FetchRequest, 'connect' | 'library' | 'workspaceId'>;
  timing: Timing;
}

/** Tries of one list in a row that brought nothing, before it is divided. */
const emptyTries = 2;
/** Requests in a row, of any lists, that brought nothing and no clear answer either: the service is not at work. */
const strikesAtMost = 24;
const pauseMs = 500;

/**
 * Fetches lists of samples until each has its outcome. A list that is refused is halved until what is refused is
 * alone; one that breaks off is asked for again, without what had come. Rejects with what halts the job.
 */
export class ListFetcher {
  readonly #options: ListFetcherOptions;
  /** The service knows no `bulkdownload`: found once, believed for this run. */
  #isSingleOnly = false;
  #strikes = 0;
  /** Failed since the service was last seen at work: it may be why, and then they go on waiting. */
  readonly #doubtful = new Map<Wanted, { verdict: Verdict; isRecorded: boolean }>();

  constructor(options: ListFetcherOptions) {
    this.#options = options;
  }

  /** When no list is left: the service was out of order for too few to say so. */
  settleDoubtful(): void {
    for (const [wanted, { verdict, isRecorded }] of this.#doubtful)
      this.#options.ledger.settle(wanted, verdict, isRecorded);
    this.#doubtful.clear();
  }

  async fetch(list: readonly Wanted[]): Promise<void> {
    let left = list;
    for (let empty = 0; left.length > 0;) {
      this.#options.signal.throwIfAborted();
      if (this.#isSingleOnly) return this.#fetchSingly(left);
      const failure = await this.#tryOnce(left);
      const before = left.length;
      await this.#fetchSingly(left.filter(({ asksAlone }) => asksAlone));
      left = left.filter((wanted) => !this.#options.ledger.isSettled(wanted) && !this.#doubtful.has(wanted));
      if (failure === null) await this.#settleLeftOut(left);
      if (failure === null || left.length === 0) break;
      if (failure.kind === 'action-unknown') this.#isSingleOnly = true;
      else if (left.length < before) empty = 0;
      else if (isRefusing(failure) || failure.kind === 'timed-out' || (empty += 1) >= emptyTries)
        return this.#divide(left, failure);
      else await this.#breathe();
    }
    this.#isAtWork();
  }

  /** One request. @returns why it ended early, or null when the archive was whole */
  async #tryOnce(list: readonly Wanted[]): Promise<Failure | null> {
    const { api, signal } = this.#options;
    try {
      const reply = await api.bulkDownload(
        list.map(({ md5 }) => md5),
        { signal },
      );
      await receiveArchive(this.#options, wantedList(list), this.#counted(reply));
      return null;
    } catch (error) {
      signal.throwIfAborted();
      return ownFailure(error);
    }
  }

  async *#counted({ chunks }: ByteReply): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      this.#options.work.moved(chunk.byteLength);
      yield chunk;
    }
  }

  async #divide(list: readonly Wanted[], failure: Failure): Promise<void> {
    if (!isAboutHashes(failure)) this.#strike(failure);
    const [only] = list;
    if (only && list.length === 1) return this.#settleRefused(only, failure);
    const middle = Math.ceil(list.length / 2);
    await this.fetch(list.slice(0, middle));
    await this.fetch(list.slice(middle));
  }

  /**
   * Alone at last. What is too much for an archive may still be a sample: by itself it can be no bomb. One answer means
   * "no right" and "no such sample" in the field: the record tells which.
   */
  async #settleRefused(wanted: Wanted, failure: Failure): Promise<void> {
    if (failure.kind === 'archive-limit') return this.#fetchOne(wanted);
    const told =
      failure.kind === 'forbidden-or-unknown' || !isRefusing(failure)
        ? await this.#toldApart(wanted, failure)
        : failure;
    this.#settle(wanted, verdictOf(told), false);
  }

  /** A failure without a clear answer is the sample's own once the service is seen at work. */
  #settle(wanted: Wanted, verdict: Verdict, isRecorded: boolean): void {
    if (verdict.state === 'failed') return void this.#doubtful.set(wanted, { verdict, isRecorded });
    this.#options.ledger.settle(wanted, verdict, isRecorded);
    this.#isAtWork();
  }

  #isAtWork(): void {
    this.#strikes = 0;
    this.settleDoubtful();
  }

  /** The archive was whole and these were not in it: unknown ones may be left out instead of refused. */
  async #settleLeftOut(list: readonly Wanted[]): Promise<void> {
    for (const wanted of list) {
      this.#options.ledger.settle(
        wanted,
        verdictOf(await this.#toldApart(wanted, { kind: 'not-in-archive', md5: wanted.md5 })),
      );
    }
  }

  async #toldApart({ md5 }: Wanted, failure: Failure): Promise<Failure> {
    const { api, signal } = this.#options;
    try {
      await api.getFile(md5, { signal });
    } catch (error) {
      signal.throwIfAborted();
      return ownFailure(error).kind === 'unknown-hash'
        ? { kind: 'unknown-hash', service: 'repository', hash: md5 }
        : failure;
    }
    if (failure.kind !== 'forbidden-or-unknown') return failure;
    const { service, address, status } = failure;
    return { kind: 'forbidden', service, address, status, text: '' };
  }

  async #fetchSingly(list: readonly Wanted[]): Promise<void> {
    for (const wanted of list) {
      this.#options.signal.throwIfAborted();
      await this.#fetchOne(wanted);
    }
  }

  async #fetchOne(wanted: Wanted): Promise<void> {
    const { single, vault, work, signal, timing } = this.#options;
    const {
      md5,
      hash,
      positions: [position = 0],
    } = wanted;
    let before = 0;
    const progress = (receivedBytes: number, totalBytes: number | null): void => {
      work.moved(receivedBytes - before);
      before = receivedBytes;
      work.active(position, { position, hash, phase: 'receiving', receivedBytes, totalBytes });
    };
    try {
      const { sha1, sha256, wasHere, sizeBytes } = await fetchIntoVault({
        ...single,
        vault,
        md5,
        signal,
        progress,
        timing,
      });
      this.#settle(
        wanted,
        { state: wasHere ? 'already-here' : 'done', failure: null, kept: { md5, sha1, sha256, sizeBytes } },
        true,
      );
    } catch (error) {
      signal.throwIfAborted();
      const failure = ownFailure(error);
      const verdict = verdictOf(failure);
      if (verdict.state === 'failed') this.#strike(failure);
      this.#settle(wanted, verdict, true);
    } finally {
      work.active(position, null);
    }
  }

  /** A service that does not begin to answer within its time would take as long for every part of the list. */
  #strike(failure: Failure): void {
    this.#strikes += 1;
    const neverBegan = failure.kind === 'timed-out' && (failure.phase === 'connect' || failure.phase === 'first-byte');
    if (neverBegan || this.#strikes >= strikesAtMost) fail(failure);
  }

  async #breathe(): Promise<void> {
    const { timing, signal } = this.#options;
    await timing.sleep(pauseMs * (0.5 + timing.random()), signal);
  }
}
