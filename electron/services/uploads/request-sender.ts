import type { SampleRecord } from '../../../shared/domain/sample.ts';
import type { RepositoryOptions } from '../../../shared/domain/workspace.ts';
import { type Failure, FailureError } from '../../../shared/failure.ts';
import { releaseBytes } from '../../../shared/release-bytes.ts';
import { leavesOpen } from '../../api/client/failures.ts';
import type { Timing } from '../../api/limits.ts';
import type { RepositoryApi } from '../../api/repository-api.ts';
import type { UploadPart, UploadReply } from '../../api/uploads.ts';
import type { JobWork } from '../../jobs/job-runner.ts';
import { isHalting, JobStop } from '../../jobs/job-work.ts';
import type { WorkspaceSlots } from '../../jobs/workspace-slots.ts';
import type { UploadStore } from '../../storage/uploads/upload-store.ts';
import type { Staging } from '../../vault/staging.ts';
import { placeAgain } from './moved-files.ts';
import { isZip, outcomeOfUnpacked } from './unpacked-archive.ts';
import { alteredFailure, type Confirmation } from './upload-confirmation.ts';
import {
  failedWith,
  flagsOf,
  isAbsent,
  mayHaveArrived,
  outcomeOfRecord,
  outcomeOfReply,
  type Place,
  type PresenceAnswer,
  saidOfFiles,
  type Sending,
  type Settled,
  stored,
  tagsOf,
  type UploadOutcome,
  type UploadRecorder,
} from './upload-recorder.ts';

export interface RequestSenderOptions {
  store: UploadStore;
  staging: Staging;
  slots: WorkspaceSlots;
  repository: RepositoryOptions;
  api: RepositoryApi;
  work: JobWork;
  workspaceId: string;
  comment: string;
  confirmation: Confirmation;
  recorder: UploadRecorder;
  timing: Timing;
  presenceOf(sending: Sending): Promise<PresenceAnswer>;
}

/** Tries of one request whose connection broke before its end had left. */
const triesAtMost = 3;
const pauseMs = 500;
/** A service that asks for a longer pause halts the job. */
const longestWaitSeconds = 60;
/** A service that lost its answer may still be at work on what it got. */
const patienceMs = [0, 500, 2_000];
/** Requests in a row that brought nothing: the service is out of order, or this token may not send. */
const failedAttemptsAtMost = 3;
/** Files may be too large one after the other; more of them in a row, and nothing between, are no limit of a size. */
const droppedAtMost = 10;
/** Bytes. No server is set up to take less in a form: a smaller file that is not there is not too large. */
const leastLimitBytes = 64 * 1024;

/** `request`: as it was sent; its outcome is reported for it. */
type Outcome = { request: readonly Sending[] } & (
  | { kind: 'replied'; reply: UploadReply; hasLeft: boolean }
  | { kind: 'failed'; failure: Failure; file: Sending | null; hasLeft: boolean }
);

/** Sends files in requests, and finds out what became of each. Rejects with what halts the job. */
export class RequestSender {
  readonly #options: RequestSenderOptions;
  #failedAttempts = 0;
  /** Files in a row that were dropped, each in a request of its own. */
  #dropped = 0;
  /** Of the request that was sent last; the next is sent when its outcome is known. */
  #wasEncoded = false;

  constructor(options: RequestSenderOptions) {
    this.#options = options;
  }

  async send(request: readonly Sending[]): Promise<void> {
    let left = request;
    for (let tries = 1; left.length > 0; tries += 1) {
      left = await this.#stillThere(left);
      if (left.length === 0) return;
      const outcome = await this.#attempt(left, tries);
      if (outcome.kind === 'replied') return this.#settleReplied(outcome);
      left = outcome.request;
      const { failure, file } = outcome;
      if (file !== null) {
        this.#settle(file, failedWith(failure));
        left = left.filter((sending) => sending !== file);
        tries -= 1;
        continue;
      }
      if (failure.kind === 'too-large-for-service')
        return this.#divide(outcome.hasLeft ? (await this.#settleThere(left, false)).left : left, failure);
      const checked = await this.#settleThere(left, failure.kind === 'may-have-arrived');
      left = checked.left;
      const waitMs = waitBefore(failure, tries);
      if (waitMs !== null && outcome.hasLeft && leavesOpen(failure))
        left = this.#settleInDoubt(left, checked.unanswered);
      if (waitMs === null && isCutOff(failure) && left.length > 1) return this.#divide(left, failure);
      if (waitMs === null) return this.#settleFailed(left, failure, checked.unanswered);
      if (left.length > 0) await this.#pause(waitMs);
    }
  }

  /**
   * A file that was moved, deleted or changed since it was reviewed is not sent: a copy of it is, where there is one;
   * or what came by itself from where it lies now.
   */
  async #stillThere(request: readonly Sending[]): Promise<Sending[]> {
    const there: Sending[] = [];
    for (const sending of request) {
      const { file } = sending;
      const found = await this.#options.staging.check(file.stagedId ?? '');
      const stagedId =
        found === 'there'
          ? file.stagedId
          : ((await this.#copyThere(file.id)) ??
            (await placeAgain(this.#options, { id: file.id, stagedId: file.stagedId ?? '' })));
      if (stagedId !== null) there.push({ ...sending, file: { ...file, stagedId } });
      else
        this.#settle(sending, failedWith({ kind: found === 'gone' ? 'file-gone' : 'file-changed', name: file.name }));
    }
    return there;
  }

  /** null: none is. */
  async #copyThere(id: number): Promise<string | null> {
    const { store, staging } = this.#options;
    for (const copy of store.copiesOf(id)) if ((await staging.check(copy)) === 'there') return copy;
    return null;
  }

  /** One request. Rejects when the run is to stop, and with what every other request would meet too. */
  async #attempt(ready: readonly Sending[], tries: number): Promise<Outcome> {
    const { slots, workspaceId, work, recorder, api } = this.#options;
    let request = ready;
    let parts: readonly SendingPart[] = [];
    let hasLeft = false;
    const leave = (): void => {
      hasLeft = true;
    };
    try {
      const reply = await slots.use(workspaceId, work.signal, () => {
        request = this.#guarded(ready);
        parts = request.map((sending) => new SendingPart(this.#options, sending));
        recorder.announceSending(request, new URL(api.address).host);
        return this.#request(parts, leave);
      });
      return { kind: 'replied', request, reply, hasLeft };
    } catch (error) {
      if (work.signal.aborted) this.#leave(request, error);
      if (!(error instanceof FailureError)) throw error;
      const broken = parts.find((part) => part.failure !== null);
      if (broken?.failure) return { kind: 'failed', request, failure: broken.failure, file: broken.sending, hasLeft };
      const isHalt = isHalting(error.failure) && !isBroken(error.failure);
      if (isHalt) this.#refused(request, error.failure, hasLeft);
      if (isHalt && waitBefore(error.failure, tries) === null) throw error;
      return { kind: 'failed', request, failure: error.failure, file: null, hasLeft };
    }
  }

  /**
   * The service said no to all of it: once that is mended, or the time it asked for is over, it is to be sent. Where it
   * may have kept some of it all the same, its records are asked first.
   */
  #refused(request: readonly Sending[], failure: Failure, hasLeft: boolean): void {
    const { store } = this.#options;
    const ids = request.map(({ file }) => file.id);
    if (hasLeft && leavesOpen(failure)) store.markRefused(ids);
    else store.clearMaySent(ids);
  }

  /** Those whose record cannot be read are not sent again: they may be there. @returns the others */
  #settleInDoubt(request: readonly Sending[], unanswered: ReadonlySet<Sending>): readonly Sending[] {
    for (const sending of request) if (unanswered.has(sending)) this.#settle(sending, mayHaveArrived(this.#place));
    return request.filter((sending) => !unanswered.has(sending));
  }

  /** Files may wait for days after their review: the library's current labels go along, and close them. */
  #guarded(ready: readonly Sending[]): Sending[] {
    const labels = this.#options.store.guarded(ready.map(({ file }) => file.id));
    return ready.map((sending) => ({ ...sending, file: { ...sending.file, ...labels.get(sending.file.id) } }));
  }

  /**
   * What may have arrived when a person cancels is not reported as never sent; after a pause its record is requested.
   */
  #leave(request: readonly Sending[], error: unknown): never {
    const { signal } = this.#options.work;
    const mayBeThere = error instanceof FailureError && error.failure.kind === 'may-have-arrived';
    if (mayBeThere && signal.reason instanceof JobStop && signal.reason.why === 'cancel')
      this.#settleAll(request, mayHaveArrived(this.#place));
    throw signal.reason;
  }

  #request(parts: readonly SendingPart[], leave: () => void): Promise<UploadReply> {
    const { api, repository, comment, work, store, confirmation } = this.#options;
    const { tokenInForm } = repository;
    this.#wasEncoded = confirmation.isEncoded;
    return api.uploadFiles(
      { parts: parts.map((part) => part.part), comment, tokenInForm, decodesComments: this.#wasEncoded },
      {
        signal: work.signal,
        moved: (index, bytes) => {
          work.moved(bytes);
          parts[index]?.sent(bytes);
        },
        beforeEnd: () => {
          store.markMaySent(parts.map(({ sending }) => sending.file.id));
          leave();
          for (const part of parts) part.show('verifying');
        },
      },
    );
  }

  async #settleReplied({ request, reply, hasLeft }: Extract<Outcome, { kind: 'replied' }>): Promise<void> {
    const said = saidOfFiles(
      request.map(({ md5 }) => md5),
      reply,
    );
    const counts = { sent: request.length, items: reply.items.length, hasLeft, confirm: this.#confirm };
    const answers = await Promise.all(
      request.map(async (sending) => ({ sending, answer: await this.#options.presenceOf(sending) })),
    );
    if (reply.items.length === 0 && answers.every(({ answer }) => isAbsent(answer))) {
      const isTooLarge = request.some(({ sizeBytes }) => sizeBytes >= leastLimitBytes);
      if (request.length > 1 || isTooLarge) return this.#divideDropped(request);
    }
    const settled: Settled[] = [];
    for (const { sending, answer } of answers) {
      const words = said.get(sending.md5) ?? { kind: 'silent' };
      const outcome =
        (answer.presence === 'there' ? null : await this.#unpacked(sending, reply, request.length, answer.failure)) ??
        outcomeOfReply(sending, words, answer, {
          ...this.#place,
          ...counts,
          isArchive: answer.presence !== 'there' && (await isZip(sending, this.#options.staging)),
        });
      const altered = answer.presence === 'unanswered' ? this.#alteredByReply(sending, reply) : null;
      const isUnconfirmed = outcome.failure?.kind === 'upload-unconfirmed';
      settled.push({ sending, outcome: (isUnconfirmed ? altered : null) ?? outcome });
    }
    this.#options.recorder.settle(settled);
    const isFruitless = reply.items.length === 0 && settled.every(({ outcome }) => outcome.state === 'vanished');
    if (isFruitless) return this.#attemptFailed({ kind: 'empty-reply', ...this.#place, status: 200 });
    this.#failedAttempts = 0;
    this.#dropped = 0;
  }

  /**
   * Settles those that are at the repository after all.
   *
   * @returns the others, and those of them whose state is unknown
   */
  async #settleThere(
    request: readonly Sending[],
    isPatient: boolean,
  ): Promise<{ left: readonly Sending[]; unanswered: ReadonlySet<Sending> }> {
    let left = request;
    let unanswered: readonly Sending[] = [];
    for (const waitMs of isPatient ? patienceMs : [0]) {
      if (left.length === 0) break;
      if (waitMs > 0) await this.#pause(waitMs);
      const answers = await Promise.all(
        left.map(async (sending) => {
          const answer = await this.#options.presenceOf(sending);
          return { sending, presence: answer.presence, outcome: outcomeOfRecord(sending, answer, this.#confirm) };
        }),
      );
      const there = answers.flatMap(({ sending, outcome }): Settled[] =>
        outcome === null ? [] : [{ sending, outcome }],
      );
      this.#options.recorder.settle(there);
      if (there.length > 0) this.#failedAttempts = 0;
      left = left.filter((sending) => !there.some((one) => one.sending === sending));
      unanswered = answers.flatMap(({ sending, presence }) => (presence === 'unanswered' ? [sending] : []));
    }
    return { left, unanswered: new Set(unanswered) };
  }

  /** The request got an answer that names no file, or none although all of it had left. */
  #settleFailed(request: readonly Sending[], failure: Failure, unanswered: ReadonlySet<Sending>): void {
    const isInDoubt = (sending: Sending): boolean =>
      failure.kind === 'may-have-arrived' || (leavesOpen(failure) && unanswered.has(sending));
    this.#options.recorder.settle(
      request.map((sending) => ({
        sending,
        outcome: isInDoubt(sending) ? mayHaveArrived(this.#place) : failedWith(failure),
      })),
    );
    if (request.length > 0) this.#attemptFailed(failure);
  }

  #unpacked(sending: Sending, reply: UploadReply, sent: number, unread: Failure | null): Promise<UploadOutcome | null> {
    const { staging, work, presenceOf } = this.#options;
    const hasNoRecords = unread?.kind === 'action-unknown';
    const request = { sent, hasNoRecords, presenceOf, place: this.#place };
    return outcomeOfUnpacked(sending, reply, { ...request, staging, signal: work.signal });
  }

  /**
   * The reply names no file and no record shows one, as where a form over the server's limit is dropped whole: nothing
   * of it has arrived. A server that drops everything is not sent ten thousand files.
   */
  async #divideDropped(request: readonly Sending[]): Promise<void> {
    this.#options.store.clearMaySent(request.map(({ file }) => file.id));
    await this.#divide(request, { kind: 'too-large-for-service', ...this.#place, status: 200 });
    if (request.length > 1) return;
    this.#dropped += 1;
    if (this.#dropped >= droppedAtMost) throw new FailureError({ kind: 'empty-reply', ...this.#place, status: 200 });
  }

  /** Too much for one request may be just right for two; a single file that is too large stays so. */
  async #divide(request: readonly Sending[], failure: Failure): Promise<void> {
    if (request.length === 0) return;
    if (request.length === 1) return this.#settleAll(request, { state: 'refused', failure });
    const middle = Math.ceil(request.length / 2);
    await this.send(request.slice(0, middle));
    await this.send(request.slice(middle));
  }

  /** Ten thousand files are not sent to a service that takes none. */
  #attemptFailed(failure: Failure): void {
    this.#failedAttempts += 1;
    if (this.#failedAttempts >= failedAttemptsAtMost) throw new FailureError(failure);
  }

  /** The outcome of a file that is stored. `isEncoded`: how its comment was sent; null where that is not known. */
  confirmed(sending: Sending, record: SampleRecord, isEncoded: boolean | null): UploadOutcome {
    const found = this.#options.confirmation.alterationOf(record, tagsOf(sending.file), isEncoded);
    return found === null ? stored : { state: 'done', failure: alteredFailure(this.#place, found) };
  }

  /** Where no record can be read, the reply may show what became of the comment. */
  #alteredByReply(sending: Sending, { items }: UploadReply): UploadOutcome | null {
    const comment = items.find(({ md5 }) => md5 === sending.md5)?.comment;
    if (comment === undefined) return null;
    const tags = tagsOf(sending.file);
    const shown = { comments: [{ content: comment }], listsComments: false, tags };
    const found = this.#options.confirmation.alterationOf(shown, tags, this.#wasEncoded);
    return found === null ? null : { state: 'done', failure: alteredFailure(this.#place, found) };
  }

  readonly #confirm = (sending: Sending, record: SampleRecord): UploadOutcome =>
    this.confirmed(sending, record, this.#wasEncoded);

  #settleAll(request: readonly Sending[], outcome: UploadOutcome): void {
    this.#options.recorder.settle(request.map((sending) => ({ sending, outcome })));
  }

  #settle(sending: Sending, outcome: UploadOutcome): void {
    this.#settleAll([sending], outcome);
  }

  get #place(): Place {
    return { service: 'repository', address: this.#options.api.address };
  }

  async #pause(milliseconds: number): Promise<void> {
    const { timing, work } = this.#options;
    await timing.sleep(milliseconds, work.signal);
    work.signal.throwIfAborted();
  }
}

/** Milliseconds before the next try; null where there is to be none. */
function waitBefore(failure: Failure, tries: number): number | null {
  if (tries >= triesAtMost) return null;
  if (isBroken(failure)) return pauseMs * tries;
  const requested = failure.kind === 'slow-down' ? failure.retryAfterSeconds : null;
  return requested === null || requested > longestWaitSeconds ? null : requested * 1000;
}

/** The connection broke, and the end of the request had not left: no whole request can have been taken. */
function isBroken(failure: Failure): boolean {
  if (failure.kind === 'timed-out') return failure.phase !== 'connect';
  return failure.kind === 'connection-lost' || (failure.kind === 'unreachable' && failure.reason === 'reset');
}

/** Servers hang up on a form that is over their limit, too: less of it may pass. */
const isCutOff = (failure: Failure): boolean => isBroken(failure) && failure.kind !== 'timed-out';

/** One file as the part of a request, and what went wrong with reading it. */
class SendingPart {
  readonly sending: Sending;
  readonly part: UploadPart;
  readonly #work: JobWork;
  failure: Failure | null = null;
  #sentBytes = 0;

  constructor({ staging, work }: Pick<RequestSenderOptions, 'staging' | 'work'>, sending: Sending) {
    const { file, md5, sizeBytes } = sending;
    const { name } = file;
    this.sending = sending;
    this.#work = work;
    this.part = {
      md5,
      name,
      sizeBytes,
      ...flagsOf(file),
      tags: tagsOf(file),
      open: () => this.#read(staging.open(file.stagedId ?? '')),
    };
  }

  sent(bytes: number): void {
    this.#sentBytes += bytes;
    this.show('sending');
  }

  show(phase: 'sending' | 'verifying'): void {
    const { position, file, sizeBytes } = this.sending;
    this.#work.active(position, {
      position,
      hash: file.sha256 ?? '',
      phase,
      receivedBytes: this.#sentBytes,
      totalBytes: sizeBytes,
    });
  }

  async *#read(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, void> {
    const { name } = this.sending.file;
    let readBytes = 0;
    try {
      for await (const chunk of bytes) {
        readBytes += chunk.length;
        if (readBytes > this.sending.sizeBytes) throw new FailureError({ kind: 'file-changed', name });
        yield chunk;
        // It was copied; a reader of gigabytes would else collect thousands of them.
        releaseBytes(chunk);
      }
      if (readBytes < this.sending.sizeBytes) throw new FailureError({ kind: 'file-changed', name });
    } catch (error) {
      if (error instanceof FailureError)
        this.failure = error.failure.kind === 'staged-file-missing' ? { kind: 'file-changed', name } : error.failure;
      throw error;
    }
  }
}
