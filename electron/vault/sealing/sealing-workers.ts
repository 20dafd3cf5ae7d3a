import { availableParallelism } from 'node:os';
import type { Worker } from 'node:worker_threads';
import { assertNever } from '../../../shared/assert-never.ts';
import { type Failure, FailureError } from '../../../shared/failure.ts';
import { startWorker } from '../../base/workers.ts';
import type { ContainerFacts } from '../container/container.ts';
import { folderWriteFailure } from '../disk-failures.ts';
import { removeUnfinished } from '../vault-folder.ts';
import type { EarlyHashes, HashCandidates, OpenSealer, Sealer, SealTarget } from './sealer.ts';

export interface SealingWorkers {
  readonly openSealer: OpenSealer;
  /** Ends the workers; what they were working on fails as `cancelled` and leaves no file. */
  close(): Promise<void>;
}

/** A pair is two threads, and more threads than processors only take turns. */
const pairsAtMost = Math.max(1, Math.min(4, Math.floor(availableParallelism() / 2)));

/** Pairs start with the first sample that needs one, are used again, and are replaced when they end by themselves. */
export function openSealingWorkers(): SealingWorkers {
  const pairs: WorkerPair[] = [];
  let closed = false;

  function pairForOneMore(): WorkerPair {
    const usable = pairs.filter((pair) => pair.isAlive).toSorted((one, other) => one.load - other.load);
    const [idlest] = usable;
    if (idlest && (idlest.load === 0 || usable.length >= pairsAtMost)) return idlest;
    const started = new WorkerPair();
    pairs.splice(0, pairs.length, ...usable, started);
    return started;
  }

  return {
    openSealer(target) {
      if (closed) throw new Error('the sealing workers are closed');
      return pairForOneMore().open(target);
    },
    async close() {
      closed = true;
      await Promise.all(pairs.map((pair) => pair.close()));
    },
  };
}

/** The two threads, as one sample sees them. */
interface SealingThreads {
  toHasher(message: ToHasher): void;
  toWriter(message: ToWriter): void;
  /** The sample has ended: its late answers go nowhere. */
  release(sample: number): void;
}

/** Large enough that a message between threads costs nothing beside the work it carries. */
const batchBytes = 1024 * 1024;
/** Under way in the two threads at a time: enough to keep both busy, and the bound on memory. */
const batchesInFlight = 8;

/** One sample on its way through a pair. Each call waits for its answer, or for the failure that came instead. */
class WorkerSealer implements Sealer {
  readonly target: SealTarget;
  readonly #sample: number;
  readonly #threads: SealingThreads;
  readonly #spare: Uint8Array<ArrayBuffer>[] = [];
  #inFlight = 0;
  #failure: FailureError | null = null;
  #space: PromiseWithResolvers<void> | null = null;
  #digest: PromiseWithResolvers<HashCandidates> | null = null;
  #sealed: PromiseWithResolvers<ContainerFacts> | null = null;
  #discarded: PromiseWithResolvers<void> | null = null;

  constructor(sample: number, target: SealTarget, threads: SealingThreads) {
    this.#sample = sample;
    this.target = target;
    this.#threads = threads;
  }

  async write(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
    this.#requireHealthy();
    this.#threads.toHasher({ kind: 'batch', sample: this.#sample, bytes });
    this.#inFlight += 1;
    if (this.#inFlight >= batchesInFlight) {
      this.#space = Promise.withResolvers();
      await this.#space.promise;
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
    this.#space?.resolve();
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

  /** Waiting callers get the error now, and later callers when they call. */
  onFailed(failure: Failure): void {
    this.#failure ??= new FailureError(failure);
    for (const waiting of [this.#space, this.#digest, this.#sealed]) waiting?.reject(this.#failure);
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

/**
 * Two threads that samples flow through: MD5 and SHA-1 in the first, SHA-256, encryption and the disk in the second,
 * which is about half of the work each. Several samples may share
 * them. While none does, the threads do not keep the process alive.
 */
class WorkerPair implements SealingThreads {
  readonly #hasher = this.#start('./hash-worker');
  readonly #writer = this.#start('./container-worker');
  readonly #samples = new Map<number, WorkerSealer>();
  #nextSample = 1;
  #ended: Promise<void> | null = null;

  constructor() {
    this.#hasher.on('message', (message: FromHasher) => this.#fromHasher(message));
    this.#writer.on('message', (message: FromWriter) => this.#fromWriter(message));
    for (const worker of [this.#hasher, this.#writer]) worker.unref();
  }

  get isAlive(): boolean {
    return this.#ended === null;
  }

  /** Samples in it. */
  get load(): number {
    return this.#samples.size;
  }

  open(target: SealTarget): Sealer {
    const sample = this.#nextSample++;
    const sealer = new WorkerSealer(sample, target, this);
    this.#samples.set(sample, sealer);
    this.#holdProcess();
    this.toWriter({ kind: 'open', sample, path: target.path, durable: target.durable });
    return sealer;
  }

  toHasher(message: ToHasher): void {
    this.#hasher.postMessage(message, message.kind === 'batch' ? [message.bytes.buffer] : []);
  }

  toWriter(message: ToWriter): void {
    this.#writer.postMessage(message, message.kind === 'batch' ? [message.bytes.buffer] : []);
  }

  /** The sample is sealed or discarded: what is still said of it goes nowhere. */
  release(sample: number): void {
    this.#samples.delete(sample);
    if (this.isAlive) this.#holdProcess();
  }

  /** Resolves when both threads are gone and what they had begun is removed. */
  close(): Promise<void> {
    return this.#end({ kind: 'cancelled' });
  }

  #start(entry: string): Worker {
    return startWorker({ entry, beside: import.meta.url, onEnd: (code) => this.#crashed(code) });
  }

  #fromHasher(message: FromHasher): void {
    const sealer = this.#samples.get(message.sample);
    if (sealer === undefined) return;
    if (message.kind === 'batch') this.toWriter(message);
    else sealer.onDigest(message);
  }

  #fromWriter(message: FromWriter): void {
    const sealer = this.#samples.get(message.sample);
    if (sealer === undefined) return;
    switch (message.kind) {
      case 'written':
        return sealer.onWritten(message);
      case 'sealed':
        return sealer.onSealed(message);
      case 'discarded':
        return sealer.onDiscarded();
      case 'failed':
        return sealer.onFailed(folderWriteFailure(message.code, sealer.target.shownPath));
      default:
        return assertNever(message);
    }
  }

  #crashed(code: string): void {
    void this.#end({ kind: 'worker-ended', task: 'storing a sample', code });
  }

  #end(failure: Failure): Promise<void> {
    this.#ended ??= this.#endOnce(failure);
    return this.#ended;
  }

  async #endOnce(failure: Failure): Promise<void> {
    const unfinished = [...this.#samples.values()];
    this.#samples.clear();
    const gone = Promise.all([this.#hasher.terminate(), this.#writer.terminate()]);
    for (const sealer of unfinished) sealer.onFailed(failure);
    await gone;
    await Promise.all(unfinished.map(({ target }) => removeUnfinished(target.path)));
    for (const sealer of unfinished) sealer.onDiscarded();
  }

  #holdProcess(): void {
    for (const worker of [this.#hasher, this.#writer]) {
      if (this.#samples.size > 0) worker.ref();
      else worker.unref();
    }
  }
}

/** Messages between the vault's thread and its two workers. `sample` identifies the sample in flight. */

export type ToHasher =
  | { kind: 'batch'; sample: number; bytes: Uint8Array<ArrayBuffer> }
  | { kind: 'digest'; sample: number; tail: Uint8Array }
  | { kind: 'forget'; sample: number };

export type FromHasher =
  /** The batch, hashed, on its way to the writer. */
  | { kind: 'batch'; sample: number; bytes: Uint8Array<ArrayBuffer> }
  | { kind: 'digest'; sample: number; candidates: HashCandidates };

export type ToWriter =
  | { kind: 'open'; sample: number; path: string; durable: boolean }
  | { kind: 'batch'; sample: number; bytes: Uint8Array<ArrayBuffer> }
  | { kind: 'seal'; sample: number; tail: Uint8Array; hashes: EarlyHashes }
  | { kind: 'discard'; sample: number };

export type FromWriter =
  /** The batch, written, to be filled again. */
  | { kind: 'written'; sample: number; bytes: Uint8Array<ArrayBuffer> }
  | { kind: 'sealed'; sample: number; facts: ContainerFacts }
  | { kind: 'discarded'; sample: number }
  /** `code` as the system names it; the file is closed and gone. */
  | { kind: 'failed'; sample: number; code: string };
