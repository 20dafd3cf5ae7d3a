import { randomBytes } from 'node:crypto';
import { type FileHandle, lstat, open, rename, rm } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { systemErrorCode, writeFailure } from '../../../shared/disk-failure.ts';
import { fail, type Failure } from '../../../shared/failure.ts';
import { ignoreMissing, moveToFreeName, persistently, syncFolder } from '../../base/files.ts';
import { isFileName } from './export-manifest.ts';

export interface WrittenFile extends Placed {
  sizeBytes: number;
}

/**
 * Writes a new file into a folder of the person's. It appears under its name only when it is complete and on the disk;
 * a file that is there is never written over; nothing is left when the bytes or the disk fail. `underWay` is what it is
 * called until then.
 * @throws FailureError `disk-full`, `not-writable`, `disk-failed`, or what the bytes throw
 */
export async function writeFileSafely(
  folder: string,
  fileName: string,
  bytes: AsyncIterable<Uint8Array>,
  underWay: string,
): Promise<WrittenFile> {
  requirePlainName(fileName);
  const unfinished = join(folder, underWay);
  const handle = await onDisk(folder, () => open(unfinished, 'wx', 0o600));
  try {
    const sizeBytes = await writeAll(handle, folder, bytes);
    return { ...(await placeFile(unfinished, folder, fileName)), sizeBytes };
  } catch (error) {
    await removeQuietly(unfinished);
    throw error;
  }
}

async function writeAll(handle: FileHandle, folder: string, bytes: AsyncIterable<Uint8Array>): Promise<number> {
  try {
    let sizeBytes = 0;
    for await (const piece of bytes) {
      await onDisk(folder, () => writeWhole(handle, piece));
      sizeBytes += piece.length;
    }
    await onDisk(folder, () => handle.sync());
    return sizeBytes;
  } finally {
    await onDisk(folder, () => handle.close());
  }
}

async function writeWhole(handle: FileHandle, piece: Uint8Array): Promise<void> {
  for (let done = 0; done < piece.length;) done += (await handle.write(piece, done)).bytesWritten;
}

export interface Placed {
  path: string;
  /** The name it got: ` (2)` is added where the wanted one was taken. */
  fileName: string;
}

const namesTried = 1000;

/**
 * Gives a finished and synced file its name in a folder of the person's, over nothing that is there: all of it appears
 * at once.
 */
export async function placeFile(unfinished: string, folder: string, fileName: string): Promise<Placed> {
  requirePlainName(fileName);
  const extension = extname(fileName);
  return onDisk(folder, () =>
    underFreeName(folder, basename(fileName, extension), extension, (free) => moveToFreeName(unfinished, free)),
  );
}

/** The same for a folder with all that is in it. */
export async function placeFolder(unfinished: string, folder: string, name: string): Promise<Placed> {
  requirePlainName(name);
  return onDisk(folder, async () => {
    await syncFolder(unfinished);
    const placed = await underFreeName(folder, name, '', (free) => moveFolder(unfinished, free));
    await syncFolder(folder);
    return placed;
  });
}

/**
 * A folder is renamed over nothing but an empty one: what comes between the look and the rename, and has anything in
 * it, stays.
 */
async function moveFolder(from: string, to: string): Promise<boolean> {
  if (await isThere(to)) return false;
  try {
    await persistently(() => rename(from, to));
    return true;
  } catch (error) {
    if (await isThere(to)) return false;
    throw error;
  }
}

const isThere = async (path: string): Promise<boolean> => (await ignoreMissing(lstat(path))) !== null;

/** Removes what is not finished. The failure that led here is reported, not that of the removal. */
export async function removeQuietly(path: string): Promise<void> {
  await Promise.allSettled([rm(path, { force: true, recursive: true })]);
}

/** @param take false where the name is taken */
async function underFreeName(
  folder: string,
  stem: string,
  extension: string,
  take: (path: string) => Promise<boolean>,
): Promise<Placed> {
  for (let number = 1; number <= namesTried; number += 1) {
    const fileName = number === 1 ? `${stem}${extension}` : `${stem} (${number})${extension}`;
    const path = join(folder, fileName);
    if (await take(path)) return { path, fileName };
  }
  return fail({ kind: 'disk-failed', path: folder, code: 'EEXIST' });
}

/** Only the disk's own errors are the disk's: any other passes by untouched. */
export async function onDisk<T>(folder: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === null) throw error;
    return fail(folderFailure(code, folder), error);
  }
}

/** A folder that is gone, or is none, is one that cannot be written. */
export function folderFailure(code: string, folder: string): Failure {
  return code === 'ENOENT' || code === 'ENOTDIR'
    ? { kind: 'not-writable', path: folder, code }
    : writeFailure(code, folder);
}

function requirePlainName(fileName: string): void {
  if (!isFileName(fileName)) throw new TypeError('an export has a plain file name');
}

/** What is written now, or was when the program ended. It outlasts a crash. */
export interface FileNotes {
  all(): { id: string; folder: string }[];
  put(id: string, folder: string): void;
  drop(id: string): void;
}

/**
 * Files on their way into folders of the person's, without a job. Each is noted before it is there: only so can the
 * next start find what a crash left of it, wherever that folder is.
 */
export class NotedFiles {
  readonly #notes: FileNotes;

  constructor(notes: FileNotes) {
    this.#notes = notes;
  }

  /** As `writeFileSafely` does. Throws as the notes do, too. */
  write(folder: string, fileName: string, bytes: AsyncIterable<Uint8Array>): Promise<WrittenFile> {
    return this.underWay(folder, (unfinished) => writeFileSafely(folder, fileName, bytes, unfinished));
  }

  /** `work` writes it under the name that it is given, and gives it another one when it is finished. */
  async underWay<T>(folder: string, work: (unfinished: string) => Promise<T>): Promise<T> {
    const id = randomBytes(16).toString('hex');
    this.#notes.put(id, folder);
    try {
      return await work(unfinishedNameOf(id));
    } finally {
      await this.#removeQuietly(id, folder);
    }
  }

  /**
   * To be called at a start. What cannot be removed now, such as what lies on a disk that is not there, is left to
   * another one.
   */
  async removeLeft(): Promise<void> {
    for (const { id, folder } of this.#notes.all()) await this.#removeQuietly(id, folder);
  }

  async #removeQuietly(id: string, folder: string): Promise<void> {
    await Promise.allSettled([this.#remove(id, folder)]);
  }

  /** A link, or a folder, is none of ours: it stays. */
  async #remove(id: string, folder: string): Promise<void> {
    const path = join(folder, unfinishedNameOf(id));
    const found = await ignoreMissing(lstat(path));
    if (found?.isFile() === true) await rm(path, { force: true });
    if (found !== null || (await ignoreMissing(lstat(folder))) !== null) this.#notes.drop(id);
  }
}

/** Nothing else has this name. */
const unfinishedNameOf = (id: string): string => `.vitrine-${id}.part`;
