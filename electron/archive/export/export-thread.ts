import { assertNever } from '../../../shared/assert-never.ts';
import { type Failure, FailureError } from '../../../shared/failure.ts';
import { startWorker, type WorkerStart } from '../../base/workers.ts';
import { inPiecesOf } from '../byte-source.ts';
import type { ZipProtection } from '../encryption/zip-encryption.ts';
import type { EntryHead } from '../writing/sample-zip.ts';
import { zip64Limits, type Zip64Limits } from '../writing/write-zip-records.ts';
import { folderFailure } from './export-file.ts';
import { requireSafeName } from './export-manifest.ts';
import type { FileEnd, FileTarget } from './exported-file.ts';

/** Its module calls `serveExports`. */
type ExportWorker = Pick<WorkerStart, 'entry' | 'beside'>;

/** In, with its CRC where the encryption needs one; or not, for a reason of the source's. */
export type Copied = { isIn: true; crc32: number } | { isIn: false; reason: string };

export interface CopyOrder<Source> {
  head: EntryHead;
  /** Where in the file it begins. */
  offset: number;
  source: Source;
  /** So many more bytes of it. */
  moved(bytes: number): void;
}

interface GoingCopy {
  sizeBytes: number;
  moved(bytes: number): void;
  result: PromiseWithResolvers<Copied>;
}

/** The cipher continues at multiples of 64 KiB only. */
const pieceBytes = 64 * 1024;

/**
 * Writes files of an export in a thread of its own, one after the other. After a failure of the disk, and once it is
 * closed, every call fails with that: the owner of the path removes what is there, after `close`.
 */
export class ExportThread<Source> {
  readonly #worker;
  readonly #copies = new Map<number, GoingCopy>();
  #shownPath = '';
  #nextCopy = 1;
  #load = 0;
  #failure: FailureError | null = null;
  #answer: PromiseWithResolvers<number> | null = null;

  constructor(worker: ExportWorker) {
    this.#worker = startWorker({
      ...worker,
      onEnd: (code) => this.#fail({ kind: 'worker-ended', task: 'exporting', code }),
    });
    this.#worker.on('message', (message: FromExportWorker) => this.#heard(message));
  }

  /** `shownPath` is the folder the person knows; failures name it. */
  beginFor(shownPath: string): void {
    this.#shownPath = shownPath;
    this.#worker.ref();
  }

  /** It does not keep the process alive until it is begun again. */
  rest(): void {
    this.#worker.unref();
  }

  /** Distinguishes a failure of the disk from one of the source of the bytes. */
  get hasFailed(): boolean {
    return this.#failure !== null;
  }

  /** Bytes of the copies that are not over. */
  get load(): number {
    return this.#load;
  }

  openZip(target: FileTarget, { encryption, password }: ZipProtection, limits: Zip64Limits = zip64Limits): void {
    this.#report({ kind: 'file', target, zip: { protection: { encryption, password }, limits } });
  }

  openPlain(target: FileTarget): void {
    this.#report({ kind: 'file', target, zip: null });
  }

  /** Need not be awaited before the next one. */
  async copy({ head, offset, source, moved }: CopyOrder<Source>): Promise<Copied> {
    requireSafeName(head.name);
    const number = this.#nextCopy++;
    this.#report({ kind: 'copy', number, head, offset, source });
    const copy = { sizeBytes: head.sizeBytes, moved, result: Promise.withResolvers<Copied>() };
    this.#copies.set(number, copy);
    this.#load += head.sizeBytes;
    return copy.result.promise;
  }

  /** An entry whose bytes are here. */
  async put(head: EntryHead, offset: number, bytes: Iterable<Uint8Array>): Promise<void> {
    requireSafeName(head.name);
    this.#report({ kind: 'entry', head, offset });
    for await (const piece of inPiecesOf(pieceBytes, bytes)) await this.#request({ kind: 'bytes', piece });
    this.#report({ kind: 'end-entry' });
  }

  /** Resolves when nothing is held back that would be written later. */
  async flush(): Promise<void> {
    await this.#request({ kind: 'flush' });
  }

  /** @returns where it wrote the last byte of the file, which is closed, and on the disk where it was to be durable */
  finish(end: FileEnd | null = null): Promise<number> {
    return this.#request({ kind: 'finish-file', end });
  }

  /** Removes the file that is being written. */
  async remove(): Promise<void> {
    await this.#request({ kind: 'remove-file' });
  }

  /** Ends the thread; what it was doing is cancelled. Resolves when it holds no file open. */
  async close(): Promise<void> {
    this.#fail({ kind: 'cancelled' });
    await this.#worker.terminate();
  }

  async #request(message: ToExportWorker<Source>): Promise<number> {
    this.#report(message);
    this.#answer = Promise.withResolvers();
    return this.#answer.promise;
  }

  #report(message: ToExportWorker<Source>): void {
    if (this.#failure !== null) throw this.#failure;
    this.#worker.postMessage(message);
  }

  #heard(message: FromExportWorker): void {
    switch (message.kind) {
      case 'moved':
        return this.#copies.get(message.number)?.moved(message.bytes);
      case 'copied':
        return this.#copied(message.number, { isIn: true, crc32: message.crc32 });
      case 'unreadable':
        return this.#copied(message.number, { isIn: false, reason: message.reason });
      case 'finished':
        return this.#answer?.resolve(message.sizeBytes);
      case 'written':
      case 'flushed':
      case 'removed':
        return this.#answer?.resolve(0);
      case 'failed':
        return this.#fail(folderFailure(message.code, this.#shownPath));
      default:
        return assertNever(message);
    }
  }

  #copied(number: number, copied: Copied): void {
    const copy = this.#copies.get(number);
    this.#copies.delete(number);
    this.#load -= copy?.sizeBytes ?? 0;
    copy?.result.resolve(copied);
  }

  #fail(failure: Failure): void {
    this.#failure ??= new FailureError(failure);
    const copies = [...this.#copies.values()];
    this.#copies.clear();
    this.#answer?.reject(this.#failure);
    for (const { result } of copies) result.reject(this.#failure);
  }
}

/** A second export usually follows soon. In milliseconds. */
const keptMs = 60_000;

/** Threads that have finished an export are kept for the next one for a while: starting them takes as long as 50 MB. */
export class ExportThreads<Source> {
  readonly #worker: ExportWorker;
  readonly #idle: ExportThread<Source>[] = [];
  #end: NodeJS.Timeout | null = null;
  #isClosed = false;

  constructor(worker: ExportWorker) {
    this.#worker = worker;
  }

  /** `shownPath` is the folder the person knows; failures name it. */
  take(shownPath: string): ExportThread<Source> {
    const thread = this.#takeIdle() ?? new ExportThread<Source>(this.#worker);
    thread.beginFor(shownPath);
    return thread;
  }

  /** Nothing is under way in it. */
  async giveBack(thread: ExportThread<Source>): Promise<void> {
    if (thread.hasFailed || this.#isClosed) return thread.close();
    thread.rest();
    this.#idle.push(thread);
    clearTimeout(this.#end ?? undefined);
    this.#end = setTimeout(() => void this.#closeIdle(), keptMs).unref();
  }

  /** Threads that are taken end when they are given back. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#end ?? undefined);
    await this.#closeIdle();
  }

  /** One may have ended by itself meanwhile. */
  #takeIdle(): ExportThread<Source> | undefined {
    const alive = this.#idle.findLastIndex((thread) => !thread.hasFailed);
    return alive < 0 ? undefined : this.#idle.splice(alive)[0];
  }

  async #closeIdle(): Promise<void> {
    await Promise.all(this.#idle.splice(0).map((thread) => thread.close()));
  }
}

/** The messages between an exporter and its worker: one file at a time, one entry at a time, in order. */

export type ToExportWorker<Source> =
  /** `zip` of null writes entries as they are. */
  | { kind: 'file'; target: FileTarget; zip: { protection: ZipProtection; limits: Zip64Limits } | null }
  /** A whole entry, read by the worker. `offset` is where in the file it begins. Its CRC is made on the way. */
  | { kind: 'copy'; number: number; head: EntryHead; offset: number; source: Source }
  /** An entry whose bytes are sent. */
  | { kind: 'entry'; head: EntryHead; offset: number }
  | { kind: 'bytes'; piece: Uint8Array<ArrayBuffer> }
  | { kind: 'end-entry' }
  /** Answered when nothing is held back that would be written later. */
  | { kind: 'flush' }
  /** Without an end, another writer finishes the file. */
  | { kind: 'finish-file'; end: FileEnd | null }
  | { kind: 'remove-file' };

export type FromExportWorker =
  /** So many more bytes of a copy. */
  | { kind: 'moved'; number: number; bytes: number }
  | { kind: 'copied'; number: number; crc32: number }
  /** `reason` is the source's. What was written of it is in the way of nothing. */
  | { kind: 'unreadable'; number: number; reason: string }
  | { kind: 'written' }
  | { kind: 'flushed' }
  | { kind: 'finished'; sizeBytes: number }
  | { kind: 'removed' }
  /** `code` as the system names it. Nothing is done after it. */
  | { kind: 'failed'; code: string };
