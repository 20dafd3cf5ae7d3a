import { isUnavailable } from '../../../../shared/failure-retry.ts';
import { fail, type Failure, FailureError } from '../../../../shared/failure.ts';
import type { Timing } from '../../../api/limits.ts';
import type { ByteReply } from '../../../api/replies/file-replies.ts';
import type { RepositoryApi } from '../../../api/repository-api.ts';
import { shownName } from '../../../archive/archive-names.ts';
import { readZipAt } from '../../../archive/reading/zip-random.ts';
import { readZipStream, type StreamedPart } from '../../../archive/reading/zip-stream.ts';
import type { JobWork } from '../../../jobs/job-runner.ts';
import { asksForPause, ownFailure } from '../../../jobs/job-work.ts';
import type { StoredSample, Vault } from '../../../vault/vault.ts';
import { fetchIntoVault, type FetchRequest } from '../fetch-into-vault.ts';
import {
  type BatchRecorder,
  isAboutHashes,
  isEnding,
  isRefusing,
  KeptAlready,
  namedBy,
  type Outcome,
  outcomeOf,
  requestedBatch,
  type RequestedBatch,
  type RequestedItem,
} from './batch-recorder.ts';

interface ArchiveReceiver {
  vault: Vault;
  recorder: BatchRecorder;
  work: JobWork;
  signal: AbortSignal;
  /** For an archive that comes encrypted, in this order. */
  passwords: readonly string[];
}

/** One archive on its way. */
interface Receiving extends ArchiveReceiver {
  batch: RequestedBatch;
  keeping: Set<Promise<void>>;
  broken: unknown[];
  /** What is wrong with the entry that a sample's name is on. Another entry may still be the sample. */
  unusable: Map<RequestedItem, Failure>;
}

/** What failures call an archive that never was a file. */
const archiveName = 'bulkdownload';
type Whole = Extract<StreamedPart, { kind: 'whole' }>;
type Unstreamable = Extract<StreamedPart, { kind: 'unstreamable' }>;

/**
 * Takes the entries of a reply to `bulkdownload` as they arrive. An entry is the sample that its bytes are, whatever
 * its name: one that is none of those asked for is dropped with a notice. Rejects when the archive breaks off or halts
 * the run; what had come until then is settled.
 */
async function receiveArchive(
  receiver: ArchiveReceiver,
  batch: RequestedBatch,
  bytes: AsyncIterable<Uint8Array>,
): Promise<void> {
  const receiving: Receiving = { ...receiver, batch, keeping: new Set(), broken: [], unusable: new Map() };
  try {
    for await (const part of readZipStream(bytes, { archiveName })) {
      if (part.kind === 'unstreamable') await receiveSpooled(receiving, part);
      else if (part.kind !== 'whole') await receivePart(receiving, part);
      else await beginKeeping(receiving, part);
      throwFirst(receiving);
    }
  } finally {
    await Promise.all(receiving.keeping);
    settleUnusable(receiving);
  }
  throwFirst(receiving);
}

/** Several are verified at a time, in the vault's threads, while the next ones arrive. */
async function beginKeeping(receiving: Receiving, { name, encoding, bytes, sizeBytes, crc32 }: Whole): Promise<void> {
  const { batch, vault, recorder, signal, keeping, broken } = receiving;
  if (isComplete(receiving)) return drop(receiving, name);
  await recorder.waitForSpace();
  await vault.waitForSpace(bytes.byteLength + sizeBytes, signal);
  const kept: Promise<void> = recorder
    .keepWhole(batch, { bytes, encoding, sizeBytes, crc32 })
    .then((stored) => void (stored && namedAfter(receiving, name, stored)))
    .catch((error: unknown) => notKept(receiving, name, error))
    .catch((error: unknown) => void broken.push(error))
    .finally(() => keeping.delete(kept));
  keeping.add(kept);
}

type Part = Exclude<StreamedPart, Whole | Unstreamable>;

async function receivePart(receiving: Receiving, part: Part): Promise<void> {
  const { recorder, work, batch } = receiving;
  if (part.kind === 'refused') return notUsed(receiving, part.name, part.failure);
  if (isComplete(receiving)) return drop(receiving, part.name);
  const named = namedBy(batch, part.name);
  try {
    await recorder.keepStream(batch, named && !recorder.isSettled(named) ? shown(work, named, part) : part.chunks);
  } catch (error) {
    notKept(receiving, part.name, error);
  }
}

/** Every sample of the list has its outcome. */
const isComplete = ({ batch, recorder }: Receiving): boolean =>
  [...batch.byMd5.values()].every((one) => recorder.isSettled(one));

/** Throws on errors that are not about the entry: the archive ended before it did, or nothing can be kept. */
function notKept(receiving: Receiving, name: string, error: unknown): void {
  const { batch } = receiving;
  if (error instanceof KeptAlready) return notFirst(receiving, name, error.stored);
  const failure = ownFailure(error);
  const named = namedBy(batch, name);
  // The record was read some time ago: whether the bytes are wrong is decided by the service's current record.
  const contradicted = failure.kind === 'sha256-contradicts' ? batch.byMd5.get(failure.md5) : undefined;
  const alone = failure.kind === 'archive-limit' ? named : contradicted;
  if (alone) alone.isSingle = true;
  if (isEnding(failure)) throw error;
  if (failure.kind === 'archive-damaged') notUsed(receiving, name, { ...failure, name: shownName(name) });
  else if (failure.kind === 'wrong-bytes' && named) notUsed(receiving, name, { ...failure, md5: named.md5 });
  else if (!alone) notUsed(receiving, name, failure);
}

/** The same bytes as another entry's, under its name or under that of a third one. */
function notFirst(receiving: Receiving, name: string, { md5, sizeBytes }: StoredSample): void {
  const named = namedBy(receiving.batch, name);
  if (named === undefined || named.md5 === md5)
    receiving.work.notice({ kind: 'archive-duplicate', name: shownName(name) });
  else notUsed(receiving, name, { kind: 'wrong-bytes', md5: named.md5, actualMd5: md5, sizeBytes });
}

/**
 * It is one sample and has the name of another, which no entry may give: whichever of two with the same bytes comes
 * first, the other's outcome is the same.
 */
function namedAfter({ batch, recorder, unusable }: Receiving, name: string, { md5, sizeBytes }: StoredSample): void {
  const named = namedBy(batch, name);
  if (named === undefined || named.md5 === md5 || recorder.isSettled(named) || unusable.has(named)) return;
  unusable.set(named, { kind: 'wrong-bytes', md5: named.md5, actualMd5: md5, sizeBytes });
}

/** Which sample an entry was meant to be is for its name to say, where its bytes cannot. */
function notUsed(receiving: Receiving, name: string, failure: Failure): void {
  const { batch, recorder, unusable, work } = receiving;
  const named = namedBy(batch, name);
  if (named && !recorder.isSettled(named)) {
    if (!unusable.has(named)) unusable.set(named, failure);
  } else if (failure.kind === 'wrong-bytes') drop(receiving, name);
  else work.notice(failure);
}

function settleUnusable({ recorder, unusable }: Receiving): void {
  for (const [named, failure] of unusable) if (!recorder.isSettled(named)) recorder.settle(named, outcomeOf(failure));
}

/** With a notice: it was not requested. */
function drop({ batch, work }: Receiving, name: string): void {
  work.notice({ kind: namedBy(batch, name) ? 'archive-duplicate' : 'archive-entry-unasked', name: shownName(name) });
}

function throwFirst({ broken }: Receiving): void {
  if (broken.length > 0) throw broken[0];
}

/** Shows a large entry while it arrives. */
async function* shown(
  work: JobWork,
  { positions: [position = 0], hash }: RequestedItem,
  part: { sizeBytes: number | null; chunks: AsyncIterable<Uint8Array> },
): AsyncGenerator<Uint8Array> {
  let receivedBytes = 0;
  try {
    for await (const chunk of part.chunks) {
      receivedBytes += chunk.byteLength;
      work.active(position, { position, hash, phase: 'receiving', receivedBytes, totalBytes: part.sizeBytes });
      yield chunk;
    }
  } finally {
    work.active(position, null);
  }
}

/** Data that cannot be read while it arrives waits on the disk, stored encrypted, until all of it is there. */
async function receiveSpooled(receiving: Receiving, { offset, rest }: Unstreamable): Promise<void> {
  const spool = await receiving.vault.spool();
  try {
    for await (const chunk of rest) await spool.write(chunk);
    const tail = await spool.finish();
    const source = {
      sizeBytes: offset + tail.sizeBytes,
      read: (position: number, length: number) => tail.read(position - offset, length),
    };
    for await (const part of readZipAt(source, { archiveName, passwords: receiving.passwords, from: offset }))
      await receivePart(receiving, part);
  } finally {
    await spool.discard();
  }
}

interface ListFetcherOptions extends ArchiveReceiver {
  api: RepositoryApi;
  /** For what has to be asked for one by one. */
  single: Pick<FetchRequest, 'connect' | 'library' | 'workspaceId'>;
  timing: Timing;
}

/**
 * What an archive does not give of one sample, `downloadfile` may: too much for an archive is no bomb by itself, and a
 * transfer of its own is resumed where it breaks.
 */
function mayComeAlone(failure: Failure): boolean {
  if (failure.kind === 'timed-out') return failure.phase === 'idle';
  // Some servers build an archive in their memory, and send a file from the disk.
  if (failure.kind === 'service-failed') return failure.status === 500;
  if (failure.kind === 'encoding-unusable') return failure.reason !== 'unknown';
  return ['archive-limit', 'archive-truncated', 'connection-lost'].includes(failure.kind);
}

/** Tries of one list in a row that brought nothing, before it is divided. */
const emptyTries = 2;
/** Requests in a row, of any lists, that brought nothing and no clear answer either: the service is not at work. */
const failedAttemptsAtMost = 24;
const restMs = 500;

/**
 * Fetches lists of samples until each has its outcome. A list that is refused is halved until what is refused is
 * alone; one that breaks off is asked for again, without what had come. Rejects with what halts the job.
 */
export class BatchFetcher {
  readonly #options: ListFetcherOptions;
  /** The service knows no `bulkdownload`: found once, believed for this run. */
  #isSingleOnly = false;
  #failedAttempts = 0;
  #wasAtWork = false;
  /** What the service asked for a pause with, or what showed that it is unavailable. */
  #pause: FailureError | null = null;
  /** The shortest list that was requested, or was to be. */
  #shortest = Number.POSITIVE_INFINITY;
  /** Failed since the service was last seen at work: it may be why, and then they continue to wait. */
  readonly #doubtful = new Map<RequestedItem, { outcome: Outcome; isRecorded: boolean }>();

  constructor(options: ListFetcherOptions) {
    this.#options = options;
  }

  /**
   * When no list is left: the service was out of order for too few to say so.
   *
   * @throws FailureError that it was unavailable all the time: they continue to wait
   */
  settleRest(): void {
    const unavailable = [...this.#doubtful.values()].find(
      ({ outcome }) => outcome.failure !== null && isUnavailable(outcome.failure),
    )?.outcome.failure;
    if (unavailable && !this.#wasAtWork) fail(unavailable);
    this.#settleDoubtful();
  }

  #settleDoubtful(): void {
    for (const [item, { outcome, isRecorded }] of this.#doubtful)
      this.#options.recorder.settle(item, outcome, isRecorded);
    this.#doubtful.clear();
  }

  /**
   * The same for whatever is fetched at the same time: a service that lets one transfer at a time through would else
   * end that one each time.
   *
   * @returns whether the error is one after which the job sleeps
   */
  pause(error: unknown): boolean {
    if (!(error instanceof FailureError) || !asksForPause(error.failure)) return false;
    this.#pause ??= error;
    // They may have failed for the same reason.
    this.#doubtful.clear();
    return true;
  }

  /**
   * How many hashes a list may have after a pause, `length` being their number in this run: a service that allows few
   * requests between two pauses ends a run before a list is divided down to one hash.
   */
  nextLength(length: number): number {
    if (this.#pause === null) return Number.POSITIVE_INFINITY;
    return this.#wasAtWork ? length * 2 : Math.min(length, this.#shortest);
  }

  /** To be called before each request. Throws what ends the run. */
  requireWork(): void {
    this.#options.signal.throwIfAborted();
    if (this.#pause !== null) throw this.#pause;
  }

  async fetch(list: readonly RequestedItem[]): Promise<void> {
    let left = list;
    for (let empty = 0; left.length > 0;) {
      this.requireWork();
      if (this.#isSingleOnly) return this.#fetchSingly(left);
      const failure = await this.#tryOnce(left);
      const before = left.length;
      await this.#fetchSingly(left.filter(({ isSingle }) => isSingle));
      left = left.filter((item) => !this.#options.recorder.isSettled(item) && !this.#doubtful.has(item));
      if (failure === null) await this.#settleLeftOut(left);
      if (failure === null || left.length === 0) break;
      if (failure.kind === 'action-unknown') this.#isSingleOnly = true;
      else if (left.length < before) empty = 0;
      else if (isRefusing(failure) || failure.kind === 'timed-out' || (empty += 1) >= emptyTries)
        return this.#divide(left, failure);
      else await this.#rest();
    }
    this.#isAtWork();
  }

  /** One request. @returns why it ended early, or null when the archive was whole */
  async #tryOnce(list: readonly RequestedItem[]): Promise<Failure | null> {
    const { api, signal } = this.#options;
    try {
      const reply = await api.bulkDownload(
        list.map(({ md5 }) => md5),
        { signal },
      );
      await receiveArchive(this.#options, requestedBatch(list), this.#counted(reply));
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

  async #divide(list: readonly RequestedItem[], failure: Failure): Promise<void> {
    const [only] = list;
    if (only && list.length === 1 && mayComeAlone(failure)) return this.#fetchOne(only);
    if (!isAboutHashes(failure)) this.#failed(failure);
    if (only && list.length === 1) return this.#settleRefused(only, failure);
    const middle = Math.ceil(list.length / 2);
    this.#shortest = Math.min(this.#shortest, middle);
    await this.fetch(list.slice(0, middle));
    await this.fetch(list.slice(middle));
  }

  /** Alone at last. One answer means "no right" and "no such sample" in the field: the record decides which. */
  async #settleRefused(item: RequestedItem, failure: Failure): Promise<void> {
    const cause =
      failure.kind === 'forbidden-or-unknown' || !isRefusing(failure)
        ? await this.#distinguish(item, failure)
        : failure;
    this.#settle(item, outcomeOf(cause), false);
  }

  /** A failure without a clear answer is the sample's own once the service is seen at work. */
  #settle(item: RequestedItem, outcome: Outcome, isRecorded: boolean): void {
    if (outcome.state === 'failed') return void this.#doubtful.set(item, { outcome, isRecorded });
    this.#options.recorder.settle(item, outcome, isRecorded);
    this.#isAtWork();
  }

  #isAtWork(): void {
    this.#failedAttempts = 0;
    this.#wasAtWork = true;
    this.#settleDoubtful();
  }

  /** The archive was whole and these were not in it: unknown ones may be left out instead of refused. */
  async #settleLeftOut(list: readonly RequestedItem[]): Promise<void> {
    for (const item of list) {
      this.#options.recorder.settle(
        item,
        outcomeOf(await this.#distinguish(item, { kind: 'not-in-archive', md5: item.md5 })),
      );
    }
  }

  async #distinguish({ md5 }: RequestedItem, failure: Failure): Promise<Failure> {
    const { api, signal } = this.#options;
    this.requireWork();
    try {
      await api.getFile(md5, { signal });
    } catch (error) {
      signal.throwIfAborted();
      const found = ownFailure(error);
      return found.kind === 'unknown-hash' || found.kind === 'unknown-behind-warning' ? found : failure;
    }
    if (failure.kind !== 'forbidden-or-unknown') return failure;
    const { service, address, status } = failure;
    return { kind: 'forbidden', service, address, status, text: '' };
  }

  async #fetchSingly(list: readonly RequestedItem[]): Promise<void> {
    for (const item of list) await this.#fetchOne(item);
  }

  async #fetchOne(item: RequestedItem): Promise<void> {
    const { single, vault, work, signal, timing } = this.#options;
    const {
      md5,
      hash,
      positions: [position = 0],
    } = item;
    this.requireWork();
    let before = 0;
    const progress = (receivedBytes: number, totalBytes: number | null): void => {
      work.moved(Math.max(0, receivedBytes - before));
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
        item,
        { state: wasHere ? 'already-here' : 'done', failure: null, kept: { md5, sha1, sha256, sizeBytes } },
        true,
      );
    } catch (error) {
      signal.throwIfAborted();
      const failure = ownFailure(error);
      const outcome = outcomeOf(failure);
      if (outcome.state === 'failed') this.#failed(failure);
      this.#settle(item, outcome, true);
    } finally {
      work.active(position, null);
    }
  }

  /** A service that does not begin to answer within its time would take as long for every part of the list. */
  #failed(failure: Failure): void {
    this.#failedAttempts += 1;
    const neverBegan = failure.kind === 'timed-out' && (failure.phase === 'connect' || failure.phase === 'first-byte');
    if (neverBegan || this.#failedAttempts >= failedAttemptsAtMost) fail(failure);
  }

  async #rest(): Promise<void> {
    const { timing, signal } = this.#options;
    await timing.sleep(restMs * (0.5 + timing.random()), signal);
  }
}
