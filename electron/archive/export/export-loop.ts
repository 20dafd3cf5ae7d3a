import type { MessagePort } from 'node:worker_threads';
import { systemErrorCode } from '../../../shared/disk-failure.ts';
import { assertNever } from '../../../shared/assert-never.ts';
import { ExportedFile, plainEntries, ZipEntries } from './exported-file.ts';
import type { FromExportWorker, ToExportWorker } from './export-messages.ts';
import { checksumOf } from '../writing/zip-member.ts';

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
 * answered: whoever asked removes what there is.
 */
export function serveExports<Source>(port: MessagePort, reader: SourceReader<Source>): void {
  const answer = (message: FromExportWorker): void => port.postMessage(message);
  let file: ExportedFile | null = null;
  let hasFailed = false;
  /** Waiting for the disk, a message must not be overtaken by the next one. */
  let earlier: Promise<void> = Promise.resolve();

  const opened = (): ExportedFile => file ?? raise('no file is open');

  async function work(message: ToExportWorker<Source>): Promise<void> {
    if (hasFailed) return undefined;
    switch (message.kind) {
      case 'file':
        file = new ExportedFile(
          message.target,
          message.zip === null ? plainEntries : new ZipEntries(message.zip.protection, message.zip.limits),
        );
        return undefined;
      case 'copy':
        return answer(await copied(message));
      case 'entry':
        return opened().begin(message.head, message.offset);
      case 'bytes':
        opened().write(message.piece);
        return answer({ kind: 'written' });
      case 'end-entry':
        return opened().end();
      case 'flush':
        opened().flush();
        return answer({ kind: 'flushed' });
      case 'finish-file':
        return answer({ kind: 'finished', sizeBytes: await opened().finish(message.end) });
      case 'remove-file':
        await opened().remove();
        return answer({ kind: 'removed' });
      default:
        return assertNever(message);
    }
  }

  async function copied(order: Copy<Source>): Promise<FromExportWorker> {
    const { number } = order;
    try {
      return { kind: 'copied', number, crc32: await copy(order) };
    } catch (error) {
      if (!(error instanceof SourceError)) throw error;
      return { kind: 'unreadable', number, reason: reader.reasonOf(error.cause) ?? rethrow(error.cause) };
    }
  }

  /**
   * The entry's head has said how many bytes there are: any other number would make an archive that misleads. @returns
   * the CRC
   */
  async function copy({ number, head, offset, source }: Copy<Source>): Promise<number> {
    const crc32 = opened().needsChecksum ? await checksumOf(readFrom(source)) : 0;
    await opened().begin({ ...head, crc32 }, offset);
    let left = head.sizeBytes;
    let untold = 0;
    for await (const piece of readFrom(source)) {
      left -= piece.length;
      untold += piece.length;
      opened().write(piece);
      if (untold < movedEveryBytes) continue;
      answer({ kind: 'moved', number, bytes: untold });
      untold = 0;
    }
    if (left !== 0) raise(`${head.name} is not ${head.sizeBytes} bytes long`);
    opened().end();
    if (untold > 0) answer({ kind: 'moved', number, bytes: untold });
    return crc32;
  }

  /** No generator: one more around the source's own would take as long as the disk. */
  function readFrom(source: Source): AsyncIterable<Uint8Array<ArrayBuffer>> {
    const pieces = reader.open(source)[Symbol.asyncIterator]();
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

  /** A disk that refuses is told; any other error is a defect and ends the worker, which its owner sees. */
  function failed(error: unknown): void {
    const code = systemErrorCode(error) ?? rethrow(error);
    hasFailed = true;
    answer({ kind: 'failed', code });
  }

  port.on('message', (message: ToExportWorker<Source>) => {
    earlier = earlier.then(() => work(message)).catch(failed);
  });
}

/** Tells what a source throws from what the export's own disk does. */
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
