import { type Failure, FailureError } from '../../../shared/failure.ts';
import { releaseBytes } from '../../../shared/release-bytes.ts';
import type { Timing } from '../../api/limits.ts';
import { isBrokenOff } from '../../api/replies/file-replies.ts';
import type { RepositoryApi } from '../../api/repository-api.ts';
import type { Expected } from '../../vault/intake.ts';
import type { ArrivedSample } from '../../vault/receiver.ts';
import type { Vault } from '../../vault/vault.ts';

export interface SampleTransferOptions {
  api: Pick<RepositoryApi, 'downloadFile'>;
  vault: Vault;
  md5: string;
  signal: AbortSignal;
  timing: Timing;
  /** Bytes that are here, fewer than before where the transfer began again; and how many it has in all, if known. */
  progress(receivedBytes: number, totalBytes: number | null): void;
}

/** Breaks in a row that brought it no further than it was. */
const breaksAtMost = 4;
/** In all: a server may give a few bytes each time. */
const breaksInAllAtMost = 100;
const [firstPauseMs, longestPauseMs] = [500, 8_000];

/**
 * The bytes of one sample into the vault. A transfer that breaks is resumed where it broke, where the server gives a
 * part of a file, and else begins again (docs/services.md, "downloadfile"). What arrives is hashed from its first byte
 * on in either case. After a restart of the program nothing of it is left.
 */
export class SampleTransfer {
  readonly #options: SampleTransferOptions;
  #receiver;
  #received = 0;
  /** The most that was ever here. */
  #furthest = 0;
  #totalBytes: number | null = null;
  #validator: string | null = null;
  #canResume = true;
  /** What is here came in parts. */
  #isJoined = false;
  /** Why its bytes may be others. */
  #warned: () => Failure | null = () => null;
  /** What is here may have broken off unseen. */
  #isOpenEnded = false;

  constructor(options: SampleTransferOptions) {
    this.#options = options;
    this.#receiver = options.vault.receive();
  }

  /**
   * Throws why it broke at last, and what the vault throws about wrong bytes, or `text-around-json` for those behind a
   * warning; `abort` is to be called then.
   */
  async arrive(expected: Expected): Promise<ArrivedSample> {
    try {
      await this.#receive();
    } catch (error) {
      return this.#arriveBroken(expected, error);
    }
    try {
      return await this.#arrived(expected);
    } catch (error) {
      if ((!this.#isJoined && !this.#isOpenEnded) || !isOfOtherBytes(error)) throw error;
    }
    // The parts may be those of two files, whatever the server states; or the file did not come to its end.
    this.#canResume = false;
    await this.#beginAgain();
    await this.#receive();
    return this.#arrived(expected);
  }

  async #arrived(expected: Expected): Promise<ArrivedSample> {
    try {
      return await this.#receiver.arrive(expected);
    } catch (error) {
      const warned = this.#isJoined || !isOfOtherBytes(error) ? null : this.#warned();
      throw warned === null ? error : new FailureError(warned, { cause: error });
    }
  }

  async abort(): Promise<void> {
    await this.#receiver.abort();
  }

  /** All of it may be here: some services announce more than they send, and the hash shows it. */
  async #arriveBroken(expected: Expected, broken: unknown): Promise<ArrivedSample> {
    if (!(broken instanceof FailureError) || !isBrokenOff(broken.failure)) throw broken;
    try {
      return await this.#receiver.arrive(expected);
    } catch (error) {
      throw isOfOtherBytes(error) ? broken : error;
    }
  }

  async #receive(): Promise<void> {
    const { signal } = this.#options;
    let breaks = 0;
    for (let inAll = 1; ; inAll += 1) {
      const before = this.#furthest;
      try {
        await this.#once();
        return;
      } catch (error) {
        signal.throwIfAborted();
        const isFurther = this.#furthest > before;
        breaks = isFurther ? 1 : breaks + 1;
        const mayPass = error instanceof FailureError && isBreak(error.failure, this.#furthest > 0, isFurther);
        if (!mayPass || breaks >= breaksAtMost || inAll >= breaksInAllAtMost) throw this.#ofWholeFile(error);
      }
      await this.#pause(breaks);
    }
  }

  /** The last request may have been for a part. */
  #ofWholeFile(error: unknown): unknown {
    if (!(error instanceof FailureError) || error.failure.kind !== 'connection-lost') return error;
    const whole = { receivedBytes: this.#received, expectedBytes: this.#totalBytes };
    return this.#isJoined ? new FailureError({ ...error.failure, ...whole }, { cause: error }) : error;
  }

  /** One request, from where the transfer is. */
  async #once(): Promise<void> {
    const { signal, progress } = this.#options;
    const { part, chunks, warned } = await this.#requested();
    if (part.from === null) {
      // It is of no use; what is here may be of none either.
      for await (const _ of chunks) break;
      this.#canResume = false;
      await this.#beginAgain();
      return this.#once();
    }
    if (part.from === 0 && this.#received > 0) await this.#beginAgain();
    if (part.from === 0) this.#warned = warned;
    this.#isJoined ||= part.from > 0;
    this.#isOpenEnded = part.isOpenEnded;
    this.#totalBytes = part.totalBytes;
    this.#validator = part.validator;
    this.#canResume &&= part.canResume;
    for await (const chunk of chunks) {
      this.#received += chunk.byteLength;
      this.#furthest = Math.max(this.#furthest, this.#received);
      await this.#receiver.write(chunk);
      releaseBytes(chunk);
      progress(this.#received, this.#totalBytes);
    }
    signal.throwIfAborted();
  }

  async #requested(): ReturnType<RepositoryApi['downloadFile']> {
    const { api, md5, signal } = this.#options;
    if (!this.#canResume || this.#received === 0) return api.downloadFile(md5, { signal });
    const from = { offset: this.#received, validator: this.#validator, totalBytes: this.#totalBytes };
    try {
      return await api.downloadFile(md5, { signal, from });
    } catch (error) {
      // The file ends before that place.
      if (!(error instanceof FailureError) || !isOutOfRange(error.failure)) throw error;
      this.#canResume = false;
      return api.downloadFile(md5, { signal });
    }
  }

  async #beginAgain(): Promise<void> {
    const { vault, progress } = this.#options;
    await this.#receiver.abort();
    this.#receiver = vault.receive();
    this.#received = 0;
    this.#isJoined = false;
    progress(0, null);
  }

  async #pause(breaks: number): Promise<void> {
    const { timing, signal } = this.#options;
    const longest = Math.min(longestPauseMs, firstPauseMs * 2 ** (breaks - 1));
    await timing.sleep((longest / 2) * (1 + timing.random()), signal);
    signal.throwIfAborted();
  }
}

/**
 * Whether the transfer broke, and more may come of it. A long silence is one only after bytes have come; what the
 * service or the way to it answers to another request, only when it has begun.
 */
function isBreak(failure: Failure, hasBegun: boolean, isFurther: boolean): boolean {
  switch (failure.kind) {
    case 'connection-lost':
      return true;
    case 'timed-out':
      return failure.phase === 'connect' ? hasBegun : isFurther;
    case 'unreachable':
      return hasBegun && (failure.reason === 'reset' || failure.reason === 'refused' || failure.reason === 'network');
    case 'service-failed':
      return hasBegun && [502, 503, 504].includes(failure.status);
    default:
      return false;
  }
}

const isOutOfRange = (failure: Failure): boolean => failure.kind === 'request-refused' && failure.status === 416;

const isOfOtherBytes = (error: unknown): boolean =>
  error instanceof FailureError &&
  (error.failure.kind === 'wrong-bytes' || error.failure.kind === 'sha256-contradicts');
