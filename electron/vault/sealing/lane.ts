import type { Worker } from 'node:worker_threads';
import { assertNever } from '../../../shared/assert-never.ts';
import type { Failure } from '../../../shared/failure.ts';
import { startWorker } from '../../base/workers.ts';
import { folderWriteFailure } from '../disk-failures.ts';
import { removeUnfinished } from '../vault-folder.ts';
import { LaneSealer, type LaneThreads } from './lane-sealer.ts';
import type { Sealer, SealTarget } from './sealer.ts';
import type { FromHasher, FromWriter, ToHasher, ToWriter } from './sealing-messages.ts';

/**
 * Two threads that samples flow through: MD5 and SHA-1 in the first, SHA-256, encryption and the disk in the second,
 * which is about half of the work each. Several samples may share
 * them. While none does, the threads do not keep the process alive.
 */
export class Lane implements LaneThreads {
  readonly #hasher = this.#start('./hash-worker');
  readonly #writer = this.#start('./container-worker');
  readonly #samples = new Map<number, LaneSealer>();
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
    const sealer = new LaneSealer(sample, target, this);
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
