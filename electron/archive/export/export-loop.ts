import type { MessagePort } from 'node:worker_threads';
import { assertNever } from '../../../shared/assert-never.ts';
import { systemErrorCode } from '../../../shared/disk-failure.ts';
import { checksumOf } from '../writing/write-zip-records.ts';
import type { FromExportWorker, ToExportWorker } from './export-thread.ts';
import { ExportedFile, plainEntries, ZipEntries } from './exported-file.ts';

/** What samples are read from, in the worker. */
export interface SourceReader<Source> {
  /** In pieces of whole multiples of 64 KiB, but for the last; each is the reader's to change. */
  open(source: Source): AsyncIterable<Uint8Array<ArrayBuffer>>;
  /** Why the iteration threw; null for a defect. */
  reasonOf(error: unknown): string | null;
}

type Copy<Source> = Extract<ToExportWorker<Source>, { kind: 'copy' }>;

const movedEveryBytes = 1024 * 1024;

/**
 * Reading, encryption and the disk, in a worker that has nothing else to do. After a failure of the disk nothing is
 * answered: the caller removes what there is.
 */
export function serveExports<Source>(port: MessagePort, reader: SourceReader<Source>): void {
  const loop = new ExportLoop(port, reader);
  /** Waiting for the disk, a message must not be overtaken by the next one. */
  let earlier: Promise<void> = Promise.resolve();
  port.on('message', (message: ToExportWorker<Source>) => {
    earlier = earlier.then(() => loop.work(message)).catch((error: unknown) => loop.failed(error));
  });
}

class ExportLoop<Source> {
  readonly #port: MessagePort;
  readonly #reader: SourceReader<Source>;
  #file: ExportedFile | null = null;
  #hasFailed = false;

  constructor(port: MessagePort, reader: SourceReader<Source>) {
    this.#port = port;
    this.#reader = reader;
  }

  async work(message: ToExportWorker<Source>): Promise<void> {
    if (this.#hasFailed) return undefined;
    switch (message.kind) {
      case 'file':
        this.#file = new ExportedFile(
          message.target,
          message.zip === null ? plainEntries : new ZipEntries(message.zip.protection, message.zip.limits),
        );
        return undefined;
      case 'copy':
        return this.#answer(await this.#copied(message));
      case 'entry':
        return this.#opened().begin(message.head, message.offset);
      case 'bytes':
        this.#opened().write(message.piece);
        return this.#answer({ kind: 'written' });
      case 'end-entry':
        return this.#opened().end();
      case 'flush':
        this.#opened().flush();
        return this.#answer({ kind: 'flushed' });
      case 'finish-file':
        return this.#answer({ kind: 'finished', sizeBytes: await this.#opened().finish(message.end) });
      case 'remove-file':
        await this.#opened().remove();
        return this.#answer({ kind: 'removed' });
      default:
        return assertNever(message);
    }
  }

  async #copied(order: Copy<Source>): Promise<FromExportWorker> {
    const { number } = order;
    try {
      return { kind: 'copied', number, crc32: await this.#copy(order) };
    } catch (error) {
      if (!(error instanceof SourceError)) throw error;
      return { kind: 'unreadable', number, reason: this.#reader.reasonOf(error.cause) ?? rethrow(error.cause) };
    }
  }

  /**
   * The entry's head has said how many bytes there are: any other number would make an archive that misleads. @returns
   * the CRC
   */
  async #copy({ number, head, offset, source }: Copy<Source>): Promise<number> {
    const crc32 = this.#opened().needsChecksum ? await checksumOf(this.#readFrom(source)) : 0;
    await this.#opened().begin({ ...head, crc32 }, offset);
    let left = head.sizeBytes;
    let unreported = 0;
    for await (const piece of this.#readFrom(source)) {
      left -= piece.length;
      unreported += piece.length;
      this.#opened().write(piece);
      if (unreported < movedEveryBytes) continue;
      this.#answer({ kind: 'moved', number, bytes: unreported });
      unreported = 0;
    }
    if (left !== 0) raise(`${head.name} is not ${head.sizeBytes} bytes long`);
    this.#opened().end();
    if (unreported > 0) this.#answer({ kind: 'moved', number, bytes: unreported });
    return crc32;
  }

  /** No generator: one more around the source's own would take as long as the disk. */
  #readFrom(source: Source): AsyncIterable<Uint8Array<ArrayBuffer>> {
    const pieces = this.#reader.open(source)[Symbol.asyncIterator]();
    const next = (): Promise<IteratorResult<Uint8Array<ArrayBuffer>>> =>
      pieces.next().catch((error: unknown) => {
        throw new SourceError(error);
      });
    return {
      [Symbol.asyncIterator]: () => ({
        next,
        return: async () => (await pieces.return?.()) ?? { done: true, value: undefined },
      }),
    };
  }

  /** A disk that refuses is reported; any other error is a defect and ends the worker, which its owner sees. */
  failed(error: unknown): void {
    const code = systemErrorCode(error) ?? rethrow(error);
    this.#hasFailed = true;
    this.#answer({ kind: 'failed', code });
  }

  #answer(message: FromExportWorker): void {
    this.#port.postMessage(message);
  }

  #opened(): ExportedFile {
    return this.#file ?? raise('no file is open');
  }
}

/** Distinguishes what a source throws from what the export's own disk does. */
class SourceError extends Error {
  constructor(cause: unknown) {
    super('the source failed', { cause });
  }
}

function raise(message: string): never {
  throw new Error(message);
}

function rethrow(error: unknown): never {
  throw error;
}
