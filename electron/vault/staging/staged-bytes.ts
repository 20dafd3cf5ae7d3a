import { decryptBodyFrom, headerBytes } from '../container/container.ts';
import { fill, openBlocking, openFile, type OpenFile } from '../container/readable-file.ts';
import { openInPlace, openInPlaceBlocking, type OpenInPlace } from './in-place-file.ts';
import { openContainer, type OpenContainer } from './open-container.ts';
import { ChangedFileError, type InPlaceSource, type StagedSource } from './staged-source.ts';

/**
 * A staged file, to be read at any place. Its calls throw DamagedContainerError, ChangedFileError or the system's
 * error.
 */
export interface StagedBytes {
  readonly sizeBytes: number;
  /** Fewer than asked for only at the end. The bytes of a container are not verified. */
  read(position: number, length: number): Promise<Buffer>;
  /** To be asked when all was read. */
  requireUnchanged(): void | Promise<void>;
  close(): Promise<void>;
}

export interface FileOpeners {
  container: OpenFile;
  inPlace: OpenInPlace;
}

/** For a thread that has other things to do. */
export const asynchronously: FileOpeners = { container: openFile, inPlace: openInPlace };
/** For a worker that reads and does nothing else. */
export const blocking: FileOpeners = { container: openBlocking, inPlace: openInPlaceBlocking };

export async function openStagedBytes(source: StagedSource, openers: FileOpeners): Promise<StagedBytes> {
  return source.kind === 'container'
    ? containerBytes(await openContainer(source.path, openers.container))
    : inPlaceBytes(source, openers.inPlace);
}

/** Closes the container's file with itself. */
export function containerBytes({ file, header, facts: { sizeBytes } }: OpenContainer): StagedBytes {
  return {
    sizeBytes,
    read: async (position, length) => {
      const bytes = roomFor(position, length, sizeBytes);
      await fill(file, bytes, headerBytes + position);
      return decryptBodyFrom(header, position, bytes);
    },
    requireUnchanged: () => {},
    close: async () => file.close(),
  };
}

async function inPlaceBytes(source: InPlaceSource, open: OpenInPlace): Promise<StagedBytes> {
  const file = await open(source);
  return {
    sizeBytes: source.sizeBytes,
    read: async (position, length) => {
      const bytes = roomFor(position, length, source.sizeBytes);
      for (let done = 0; done < bytes.length;) {
        const count = await file.read(bytes.subarray(done), position + done);
        if (count === 0) throw new ChangedFileError('shorter');
        done += count;
      }
      return bytes;
    },
    requireUnchanged: () => file.requireUnchanged(),
    close: async () => file.close(),
  };
}

const roomFor = (position: number, length: number, sizeBytes: number): Buffer =>
  Buffer.allocUnsafe(Math.max(0, Math.min(length, sizeBytes - position)));
