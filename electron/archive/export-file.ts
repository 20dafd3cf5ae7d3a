import { randomBytes } from 'node:crypto';
import { open, rm, type FileHandle } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { systemErrorCode, writeFailure } from '../../shared/disk-failure.ts';
import { fail } from '../../shared/failure.ts';
import { moveIntoPlace } from '../disk/move-into-place.ts';

export interface WrittenFile {
  path: string;
  /** The name it got: ` (2)` is added where the wanted one was taken. */
  fileName: string;
  sizeBytes: number;
}

const namesTried = 1000;

/**
 * Writes a new file into a folder of the person's. It appears under its name only when it is complete and on the disk;
 * a file that is there is never written over; nothing is left when the bytes or the disk fail.
 * @throws FailureError `disk-full`, `not-writable`, `disk-failed`, or what the bytes throw
 */
export async function writeFileSafely(folder: string, fileName: string, bytes: AsyncIterable<Uint8Array>): Promise<WrittenFile> {
  requirePlainName(fileName);
  const temporary = join(folder, `.vitrine-${randomBytes(16).toString('hex')}.part`);
  const handle = await onDisk(folder, open(temporary, 'wx', 0o600));
  try {
    const sizeBytes = await writeAll(handle, folder, bytes);
    const path = await onDisk(folder, placeUnderFreeName(temporary, folder, fileName));
    return { path, fileName: basename(path), sizeBytes };
  } catch (error) {
    await removeQuietly(temporary);
    throw error;
  }
}

async function writeAll(handle: FileHandle, folder: string, bytes: AsyncIterable<Uint8Array>): Promise<number> {
  try {
    let sizeBytes = 0;
    for await (const piece of bytes) {
      await onDisk(folder, writeWhole(handle, piece));
      sizeBytes += piece.length;
    }
    await onDisk(folder, handle.sync());
    return sizeBytes;
  } finally {
    await onDisk(folder, handle.close());
  }
}

async function writeWhole(handle: FileHandle, piece: Uint8Array): Promise<void> {
  for (let done = 0; done < piece.length; ) done += (await handle.write(piece, done)).bytesWritten;
}

/** The name is taken by an empty file first, in one step that fails when it exists: a rename alone would replace it. */
async function placeUnderFreeName(temporary: string, folder: string, fileName: string): Promise<string> {
  const path = await takeFreeName(folder, fileName);
  try {
    await moveIntoPlace(temporary, path);
    return path;
  } catch (error) {
    await removeQuietly(path);
    throw error;
  }
}

/** The failure that led here is the one to tell, not that of clearing up after it. */
async function removeQuietly(path: string): Promise<void> {
  await Promise.allSettled([rm(path, { force: true })]);
}

async function takeFreeName(folder: string, fileName: string): Promise<string> {
  const extension = extname(fileName);
  const stem = basename(fileName, extension);
  for (let number = 1; ; number += 1) {
    const path = join(folder, number === 1 ? fileName : `${stem} (${number})${extension}`);
    try {
      await (await open(path, 'wx', 0o600)).close();
      return path;
    } catch (error) {
      if (systemErrorCode(error) !== 'EEXIST' || number === namesTried) throw error;
    }
  }
}

/** Only the disk's own errors are the disk's: what the bytes throw passes by untouched. */
async function onDisk<T>(folder: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === null) throw error;
    return fail(code === 'ENOENT' || code === 'ENOTDIR' ? { kind: 'not-writable', path: folder, code } : writeFailure(code, folder), error);
  }
}

function requirePlainName(fileName: string): void {
  if (!/^[\w(][\w ().-]*$/.test(fileName) || fileName.endsWith('.')) throw new TypeError('an export has a plain file name');
}
