import { lstat, rename, rm } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { systemErrorCode, writeFailure } from '../../../shared/disk-failure.ts';
import { fail, type Failure } from '../../../shared/failure.ts';
import { ignoreMissing, moveToFreeName, persistently, syncFolder } from '../../base/files.ts';
import { isFileName } from './export-names.ts';

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

/** Removes what is not finished. The failure that led here is the one to tell, not that of clearing up after it. */
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

export function requirePlainName(fileName: string): void {
  if (!isFileName(fileName)) throw new TypeError('an export has a plain file name');
}
