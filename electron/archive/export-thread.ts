import { assertNever, FailureError, type Failure } from '../../shared/failure.ts';
import { startWorker } from '../threads/worker-start.ts';
import type { FromExportWorker, ToExportWorker } from './export-messages.ts';
import { folderFailure } from './export-place.ts';
import type { FileTarget } from './exported-file.ts';
import type { ZipProtection } from './zip-encryption.ts';
import { requireSafeName, type EntryHead } from './zip-entry.ts';
import { zip64Limits, type Zip64Limits } from './write-zip-records.ts';

const batchBytes = 1024 * 1024;
/** What may be on its way to the worker. */
const batchesInFlight = 8;
const messagesInFlight = 256;
/** Shorter ones are copied: a small sample must not hold a megabyte. */
const shortBatchBytes = 64 * 1024;

/**
 * Writes files of an export in a thread of its own, one after the other. Bytes are taken as fast as the disk takes
 * them. After a failure every call fails with it: whoever owns the path removes what is there, after `close`.
 */
export class ExportThread {
  readonly #worker = startWorker({
    entry: './export-worker',
    beside: import.meta.url,
    onEnd: (code) => this.#fail({ kind: 'worker-ended', task: 'exporting', code }),
  });
  readonly #shownPath: string;
  readonly #limits: Zip64Limits;
  readonly #spare: Uint8Array<ArrayBuffer>[] = [];
  #batch: Uint8Array<ArrayBuffer> | null = null;
  #filled = 0;
  #bytesInFlight = 0;
  #inFlight = 0;
  #failure: FailureError | null = null;
  #room: PromiseWithResolvers<void> | null = null;
  #answer: PromiseWithResolvers<number> | null = null;

  /** `shownPath` is the folder the person knows; failures name it. Lower the limits only in tests. */
  constructor(shownPath: string, limits: Zip64Limits = zip64Limits) {
    this.#shownPath = shownPath;
    this.#limits = limits;
    this.#worker.on('message', (message: FromExportWorker) => this.#heard(message));
  }

  /** Tells a failure of the disk from one of whatever gives the bytes. */
  get hasFailed(): boolean {
    return this.#failure !== null;
  }

  openZip(target: FileTarget, protection: ZipProtection): void {
    this.#tell({ kind: 'file', target, zip: { protection, limits: this.#limits } });
  }

  openPlain(target: FileTarget): void {
    this.#tell({ kind: 'file', target, zip: null });
  }

  begin(head: EntryHead): void {
    requireSafeName(head.name);
    this.#tell({ kind: 'entry', head });
  }

  /** Await each call before the next. The chunk may be used again once it has resolved. */
  async write(chunk: Uint8Array): Promise<void> {
    for (let taken = 0; taken < chunk.length; ) {
      this.#batch ??= this.#spare.pop() ?? new Uint8Array(batchBytes);
      const part = chunk.subarray(taken, taken + batchBytes - this.#filled);
      this.#batch.set(part, this.#filled);
      this.#filled += part.length;
      taken += part.length;
      if (this.#filled === batchBytes) await this.#sendBatch();
    }
  }

  async end(): Promise<void> {
    await this.#sendBatch();
    this.#tell({ kind: 'end-entry' });
  }

  /** Takes the begun entry back. */
  drop(): void {
    this.#filled = 0;
    this.#tell({ kind: 'drop-entry' });
  }

  /** @returns bytes of the file, which is closed, and on the disk where it was to be durable */
  async finish(): Promise<number> {
    return this.#ask({ kind: 'finish-file' });
  }

  /** Removes the file that is being written. */
  async remove(): Promise<void> {
    this.#filled = 0;
    await this.#ask({ kind: 'remove-file' });
  }

  /** Ends the thread, with what it was doing. Resolves when it holds no file open. */
  async close(): Promise<void> {
    await this.#worker.terminate();
  }

  /** An entry without bytes sends an empty batch, so that no number of them can fill the way to the worker. */
  async #sendBatch(): Promise<void> {
    const bytes = this.#takeBatch();
    this.#bytesInFlight += bytes.length;
    this.#inFlight += 1;
    this.#tell({ kind: 'bytes', bytes });
    while (this.#inFlight >= messagesInFlight || this.#bytesInFlight >= batchesInFlight * batchBytes) {
      this.#room = Promise.withResolvers();
      await this.#room.promise;
    }
  }

  #takeBatch(): Uint8Array<ArrayBuffer> {
    const length = this.#filled;
    this.#filled = 0;
    if (this.#batch === null || length <= shortBatchBytes) return this.#batch?.slice(0, length) ?? new Uint8Array(0);
    const batch = this.#batch.subarray(0, length);
    this.#batch = null;
    return batch;
  }

  #ask(message: ToExportWorker): Promise<number> {
    this.#tell(message);
    this.#answer = Promise.withResolvers();
    return this.#answer.promise;
  }

  #tell(message: ToExportWorker): void {
    if (this.#failure !== null) throw this.#failure;
    this.#worker.postMessage(message, message.kind === 'bytes' ? [message.bytes.buffer] : []);
  }

  #heard(message: FromExportWorker): void {
    switch (message.kind) {
      case 'written': return this.#written(message.bytes);
      case 'finished': return this.#answer?.resolve(message.sizeBytes);
      case 'removed': return this.#answer?.resolve(0);
      case 'failed': return this.#fail(folderFailure(message.code, this.#shownPath));
      default: return assertNever(message);
    }
  }

  #written(bytes: Uint8Array<ArrayBuffer>): void {
    this.#inFlight -= 1;
    this.#bytesInFlight -= bytes.length;
    if (bytes.buffer.byteLength === batchBytes) this.#spare.push(new Uint8Array(bytes.buffer));
    this.#room?.resolve();
  }

  #fail(failure: Failure): void {
    this.#failure ??= new FailureError(failure);
    for (const waiting of [this.#room, this.#answer]) waiting?.reject(this.#failure);
  }
}
