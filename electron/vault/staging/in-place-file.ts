import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from 'node:fs';
import { open } from 'node:fs/promises';
import { platform } from 'node:process';
import { asPlainFile, systemPath } from '../../base/name-bytes.ts';
import type { ReadableFile } from '../container/readable-file.ts';
import { ChangedFileError, type InPlaceSource } from './staged-source.ts';

/** A file of the person's, open, and when it was opened the one that was staged. */
export interface InPlaceFile extends ReadableFile {
  /** To be asked when all was read. @throws ChangedFileError */
  requireUnchanged(): void | Promise<void>;
}

export type OpenInPlace = (source: InPlaceSource) => InPlaceFile | Promise<InPlaceFile>;

/** A pipe that has taken the file's place is not waited for. */
const flags = platform === 'win32' ? constants.O_RDONLY : constants.O_RDONLY | constants.O_NONBLOCK;

/** For a thread that has other things to do. @throws ChangedFileError, or the system's error */
export const openInPlace: OpenInPlace = async (source) => {
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
