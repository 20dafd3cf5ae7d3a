import { FailureError, type Failure } from '../../../shared/failure.ts';
import type { ContainerFacts } from '../container/container.ts';
import type { EarlyHashes, HashCandidates, Sealer, SealTarget } from './sealer.ts';
import type { FromHasher, FromWriter, ToHasher, ToWriter } from './sealing-messages.ts';
import { removeUnfinished } from '../vault-folder.ts';

/** The two threads, as one sample sees them. */
export interface LaneThreads {
  toHasher(message: ToHasher): void;
  toWriter(message: ToWriter): void;
  /** The sample has ended: its late answers go nowhere. */
  release(sample: number): void;
}

/** Large enough that a message between threads costs nothing beside the work it carries. */
const batchBytes = 1024 * 1024;
/** Under way in the two threads at a time: enough to keep both busy, and the bound on memory. */
const batchesInFlight = 8;

/** One sample on its way through a lane. Each call waits for its answer, or for the failure that came instead. */
export class LaneSealer implements Sealer {
  readonly target: SealTarget;
  readonly #sample: number;
  readonly #threads: LaneThreads;
  readonly #spare: Uint8Array<ArrayBuffer>[] = [];
  #inFlight = 0;
  #failure: FailureError | null = null;
  #room: PromiseWithResolvers<void> | null = null;
  #digest: PromiseWithResolvers<HashCandidates> | null = null;
  #sealed: PromiseWithResolvers<ContainerFacts> | null = null;
  #discarded: PromiseWithResolvers<void> | null = null;

  constructor(sample: number, target: SealTarget, threads: LaneThreads) {
    this.#sample = sample;
    this.target = target;
    this.#threads = threads;
  }

  async write(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
    this.#requireHealthy();
    this.#threads.toHasher({ kind: 'batch', sample: this.#sample, bytes });
    this.#inFlight += 1;
    if (this.#inFlight >= batchesInFlight) {
      this.#room = Promise.withResolvers();
      await this.#room.promise;
    }
    return this.#spare.pop() ?? new Uint8Array(batchBytes);
  }

  async digest(tail: Uint8Array): Promise<HashCandidates> {
    this.#requireHealthy();
    this.#digest = Promise.withResolvers();
    this.#threads.toHasher({ kind: 'digest', sample: this.#sample, tail });
    return this.#digest.promise;
  }

  async seal(tail: Uint8Array, hashes: EarlyHashes): Promise<ContainerFacts> {
    this.#requireHealthy();
    this.#sealed = Promise.withResolvers();
    this.#threads.toWriter({ kind: 'seal', sample: this.#sample, tail, hashes });
    return this.#sealed.promise;
  }

  /** The writer closes its file first, because an open file cannot be removed everywhere. */
  async discard(): Promise<void> {
    this.onFailed({ kind: 'cancelled' });
    if (this.#discarded === null) {
      this.#discarded = Promise.withResolvers();
      this.#threads.toHasher({ kind: 'forget', sample: this.#sample });
      this.#threads.toWriter({ kind: 'discard', sample: this.#sample });
    }
    await this.#discarded.promise;
    await removeUnfinished(this.target.path);
  }

  onWritten({ bytes }: Extract<FromWriter, { kind: 'written' }>): void {
    this.#inFlight -= 1;
    if (bytes.buffer.byteLength === batchBytes) this.#spare.push(new Uint8Array(bytes.buffer));
    this.#room?.resolve();
  }

  onDigest({ candidates }: Extract<FromHasher, { kind: 'digest' }>): void {
    this.#digest?.resolve(candidates);
  }

  onSealed({ facts }: Extract<FromWriter, { kind: 'sealed' }>): void {
    this.#end();
    this.#sealed?.resolve(facts);
  }

  onDiscarded(): void {
    this.#end();
    this.#discarded?.resolve();
  }

  /** Whoever waits hears it now, and whoever asks next hears it then. */
  onFailed(failure: Failure): void {
    this.#failure ??= new FailureError(failure);
    for (const waiting of [this.#room, this.#digest, this.#sealed]) waiting?.reject(this.#failure);
  }

  /** The threads hold nothing of this sample any more: nothing is left to ask them for. */
  #end(): void {
    this.#discarded ??= Promise.withResolvers();
    this.#discarded.resolve();
    this.#threads.release(this.#sample);
  }

  #requireHealthy(): void {
    if (this.#failure !== null) throw this.#failure;
  }
}
