import { assertNever } from '../../../shared/assert-never.ts';
import { type Failure, FailureError } from '../../../shared/failure.ts';
import { startWorker, type WorkerStart } from '../../base/workers.ts';
import { inPiecesOf } from '../byte-source.ts';
import type { ZipProtection } from '../encryption/zip-encryption.ts';
import { zip64Limits, type Zip64Limits } from '../writing/write-zip-records.ts';
import type { EntryHead } from '../writing/zip-entry.ts';
import type { FileEnd, FromExportWorker, ToExportWorker } from './export-messages.ts';
import { folderFailure } from './export-place.ts';
import type { FileTarget } from './exported-file.ts';
import { requireSafeName } from './exported-name.ts';

/** Its module calls `serveExports`. */
export type ExportWorker = Pick<WorkerStart, 'entry' | 'beside'>;

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

/** The cipher goes on at multiples of 64 KiB only. */
const pieceBytes = 64 * 1024;

/**
 * Writes files of an export in a thread of its own, one after the other. After a failure of the disk, and once it is
 * closed, every call fails with that: whoever owns the path removes what is there, after `close`.
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

  /** Tells a failure of the disk from one of whatever gives the bytes. */
  get hasFailed(): boolean {
    return this.#failure !== null;
  }

  /** Bytes of the copies that are not over. */
  get load(): number {
    return this.#load;
  }

  openZip(target: FileTarget, { encryption, password }: ZipProtection, limits: Zip64Limits = zip64Limits): void {
    this.#tell({ kind: 'file', target, zip: { protection: { encryption, password }, limits } });
  }

  openPlain(target: FileTarget): void {
    this.#tell({ kind: 'file', target, zip: null });
  }

  /** Need not be awaited before the next one. */
  async copy({ head, offset, source, moved }: CopyOrder<Source>): Promise<Copied> {
    requireSafeName(head.name);
    const number = this.#nextCopy++;
    this.#tell({ kind: 'copy', number, head, offset, source });
    const copy = { sizeBytes: head.sizeBytes, moved, result: Promise.withResolvers<Copied>() };
    this.#copies.set(number, copy);
    this.#load += head.sizeBytes;
    return copy.result.promise;
  }

  /** An entry whose bytes are here. */
  async put(head: EntryHead, offset: number, bytes: Iterable<Uint8Array>): Promise<void> {
    requireSafeName(head.name);
    this.#tell({ kind: 'entry', head, offset });
    for await (const piece of inPiecesOf(pieceBytes, bytes)) await this.#ask({ kind: 'bytes', piece });
    this.#tell({ kind: 'end-entry' });
  }

  /** Resolves when nothing is held back that would be written later. */
  async flush(): Promise<void> {
    await this.#ask({ kind: 'flush' });
  }

  /** @returns where it wrote the last byte of the file, which is closed, and on the disk where it was to be durable */
  finish(end: FileEnd | null = null): Promise<number> {
    return this.#ask({ kind: 'finish-file', end });
  }

  /** Removes the file that is being written. */
  async remove(): Promise<void> {
    await this.#ask({ kind: 'remove-file' });
  }

  /** Ends the thread; what it was doing is cancelled. Resolves when it holds no file open. */
  async close(): Promise<void> {
    this.#fail({ kind: 'cancelled' });
    await this.#worker.terminate();
  }

  async #ask(message: ToExportWorker<Source>): Promise<number> {
    this.#tell(message);
    this.#answer = Promise.withResolvers();
    return this.#answer.promise;
  }

  #tell(message: ToExportWorker<Source>): void {
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
