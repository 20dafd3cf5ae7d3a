import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from 'node:fs';
import { open } from 'node:fs/promises';
import { platform } from 'node:process';
import { assertNever } from '../../../shared/assert-never.ts';
import type { Failure } from '../../../shared/failure.ts';
import { asPlainFile, systemPath } from '../../base/name-bytes.ts';
import { fill, openBlocking, openFile, type OpenFile, type ReadableFile } from '../container/container-file.ts';
import {
  type ContainerFacts,
  containerOverheadBytes,
  DamagedContainerError,
  decryptBodyFrom,
  headerBytes,
  readFacts,
  trailerBytes,
} from '../container/container.ts';

/** Where the bytes of a staged file are. It can be handed to a thread. */
export type StagedSource = ContainerSource | InPlaceSource;

export interface ContainerSource {
  kind: 'container';
  path: string;
}

/** A file of the person's, and what it was when it was staged. */
export interface InPlaceSource {
  kind: 'in-place';
  /** As text: see `systemPath`. */
  path: string;
  sizeBytes: number;
  /** When it was last modified, in milliseconds since 1970, as `stat` gives it. */
  changedMs: number;
}

/** The file was changed since it was staged, or is no file any more. */
export class ChangedFileError extends Error {
  override readonly name = 'ChangedFileError';
}

/** There is nothing at such a path, however it is written. */
const missingCodes = new Set(['ENOENT', 'ENOTDIR', 'ELOOP']);
export const isMissingCode = (code: string | null): boolean => code !== null && missingCodes.has(code);

/** A file of the person's, open, and when it was opened the one that was staged. */
interface InPlaceFile extends ReadableFile {
  /** To be asked when all was read. @throws ChangedFileError */
  requireUnchanged(): void | Promise<void>;
}

type OpenInPlace = (source: InPlaceSource) => InPlaceFile | Promise<InPlaceFile>;

/** A pipe that has taken the file's place is not waited for. */
const flags = platform === 'win32' ? constants.O_RDONLY : constants.O_RDONLY | constants.O_NONBLOCK;

/** For a thread that has other things to do. @throws ChangedFileError, or the system's error */
const openInPlace: OpenInPlace = async (source) => {
  const handle = await asPlainFile(() => open(systemPath(source.path), flags));
  const requireUnchanged = async (): Promise<void> => requireAsStaged(await handle.stat(), source);
  try {
    await requireUnchanged();
  } catch (error) {
    await handle.close();
    throw error;
  }
  return {
    sizeBytes: source.sizeBytes,
    read: async (buffer, position) => (await handle.read(buffer, 0, buffer.length, position)).bytesRead,
    requireUnchanged,
    close: () => handle.close(),
  };
};

/** For a worker that reads and does nothing else. @throws ChangedFileError, or the system's error */
export const openInPlaceBlocking: OpenInPlace = (source) => {
  const file = asPlainFile(() => openSync(systemPath(source.path), flags));
  const requireUnchanged = (): void => requireAsStaged(fstatSync(file), source);
  try {
    requireUnchanged();
  } catch (error) {
    closeSync(file);
    throw error;
  }
  return {
    sizeBytes: source.sizeBytes,
    read: (buffer, position) => readSync(file, buffer, 0, buffer.length, position),
    requireUnchanged,
    close: () => closeSync(file),
  };
};

export const isAsStaged = (found: Stats, { sizeBytes, changedMs }: InPlaceSource): boolean =>
  found.isFile() && found.size === sizeBytes && found.mtimeMs === changedMs;

function requireAsStaged(found: Stats, source: InPlaceSource): void {
  if (!isAsStaged(found, source)) throw new ChangedFileError('another size or another time');
}

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

interface FileOpeners {
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
      const bytes = budgetFor(position, length, sizeBytes);
      await fill(file, bytes, headerBytes + position);
      return decryptBodyFrom(header, position, bytes);
    },
    requireUnchanged: () => {},
    close: async () => file.close(),
  };
}

async function inPlaceBytes(source: InPlaceSource, opening: OpenInPlace): Promise<StagedBytes> {
  const file = await opening(source);
  return {
    sizeBytes: source.sizeBytes,
    read: async (position, length) => {
      const bytes = budgetFor(position, length, source.sizeBytes);
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

const budgetFor = (position: number, length: number, sizeBytes: number): Buffer =>
  Buffer.allocUnsafe(Math.max(0, Math.min(length, sizeBytes - position)));

interface OpenContainer {
  file: ReadableFile;
  header: Buffer;
  facts: ContainerFacts;
}

/**
 * Opens the container at `path` and reads its facts about the sample; the body is not read. @throws
 * DamagedContainerError, or the system's error
 */
export async function openContainer(path: string, opening: OpenFile): Promise<OpenContainer> {
  const file = await opening(path);
  try {
    return { file, ...(await readEnds(file)) };
  } catch (error) {
    await file.close();
    throw error;
  }
}

async function readEnds(file: ReadableFile): Promise<{ header: Buffer; facts: ContainerFacts }> {
  if (file.sizeBytes < containerOverheadBytes) throw new DamagedContainerError('cut off');
  const header = Buffer.alloc(headerBytes);
  const trailer = Buffer.alloc(trailerBytes);
  await fill(file, header, 0);
  await fill(file, trailer, file.sizeBytes - trailerBytes);
  return { header, facts: readFacts(header, trailer, file.sizeBytes) };
}

/** With twice the size, a released buffer is not available for the next piece. */
const pieceBytes = 128 * 1024;

/**
 * The file in pieces of 128 KiB. The last piece, which may be shorter, is given out only when the file is still the one
 * that was staged, so a reader that counts bytes never holds a mixture as complete.
 * @throws ChangedFileError, or the system's error
 */
export async function* readInPlace(source: InPlaceSource): AsyncGenerator<Uint8Array<ArrayBuffer>, void, void> {
  const file = await openInPlace(source);
  try {
    for (let position = 0; position < source.sizeBytes;) {
      const buffer = Buffer.allocUnsafeSlow(Math.min(pieceBytes, source.sizeBytes - position));
      const count = await file.read(buffer, position);
      if (count === 0) throw new ChangedFileError('shorter');
      position += count;
      if (position === source.sizeBytes) await file.requireUnchanged();
      yield buffer.subarray(0, count);
    }
  } finally {
    await file.close();
  }
}

/** Why a staged file could not be read. `code` is the system's name of the error, where there is one. */
export interface UnreadStaged {
  reason: 'gone' | 'changed' | 'unreadable';
  code: string;
}

/** From the reason reported by a reading thread or process: `changed`, `damaged`, or the system's name of an error. */
export function unreadStagedOf(said: string): UnreadStaged {
  if (said === 'changed') return { reason: 'changed', code: '' };
  return { reason: said === 'damaged' || isMissingCode(said) ? 'gone' : 'unreadable', code: said };
}

/** The failure that the person sees. */
export function unreadStagedFailure(name: string, { reason, code }: UnreadStaged): Failure {
  switch (reason) {
    case 'changed':
      return { kind: 'file-changed', name };
    case 'gone':
      return { kind: 'file-gone', name };
    case 'unreadable':
      return { kind: 'file-unreadable', name, code };
    default:
      return assertNever(reason);
  }
}
