import { mkdir, open, rename, rm, rmdir } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { platform } from 'node:process';
import { systemErrorCode, writeFailure } from '../../../shared/disk-failure.ts';
import { fail, type Failure } from '../../../shared/failure.ts';
import { moveIntoPlace, persistently, syncFolder } from '../../disk/move-into-place.ts';

export interface Placed {
  path: string;
  /** The name it got: ` (2)` is added where the wanted one was taken. */
  fileName: string;
}

const namesTried = 1000;

/**
 * Gives a finished file its name in a folder of the person's, over nothing that is there. The name is taken by an
 * empty file first, in one step that fails when it exists: a rename alone would replace it.
 */
export async function placeFile(unfinished: string, folder: string, fileName: string): Promise<Placed> {
  requirePlainName(fileName);
  const extension = extname(fileName);
  return onDisk(folder, async () => {
    const path = await takeFreeName(folder, basename(fileName, extension), extension, async (free) => (await open(free, 'wx', 0o600)).close());
    try {
      await moveIntoPlace(unfinished, path);
      return { path, fileName: basename(path) };
    } catch (error) {
      await removeQuietly(path);
      throw error;
    }
  });
}

/** The same for a folder with all that is in it. */
export async function placeFolder(unfinished: string, folder: string, name: string): Promise<Placed> {
  requirePlainName(name);
  return onDisk(folder, async () => {
    await syncFolder(unfinished);
    const path = await takeFreeName(folder, name, '', async (free) => {
      await mkdir(free, { mode: 0o700 });
      try {
        await renameFolder(unfinished, free);
      } catch (error) {
        await Promise.allSettled([rmdir(free)]);
        throw error;
      }
    });
    await syncFolder(folder);
    return { path, fileName: basename(path) };
  });
}

/** Over an empty folder POSIX renames in one step. Windows does not; its rename fails where a folder is. */
async function renameFolder(from: string, to: string): Promise<void> {
  if (platform === 'win32') await rmdir(to);
  await persistently(() => rename(from, to));
}

/** Removes what is not finished. The failure that led here is the one to tell, not that of clearing up after it. */
export async function removeQuietly(path: string): Promise<void> {
  await Promise.allSettled([rm(path, { force: true, recursive: true })]);
}

async function takeFreeName(folder: string, stem: string, extension: string, take: (path: string) => Promise<void>): Promise<string> {
  for (let number = 1; ; number += 1) {
    const path = join(folder, number === 1 ? `${stem}${extension}` : `${stem} (${number})${extension}`);
    try {
      await take(path);
      return path;
    } catch (error) {
      if (systemErrorCode(error) !== 'EEXIST' || number === namesTried) throw error;
    }
  }
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
  return code === 'ENOENT' || code === 'ENOTDIR' ? { kind: 'not-writable', path: folder, code } : writeFailure(code, folder);
}

export function requirePlainName(fileName: string): void {
  if (!/^[\w(][\w ().-]*$/.test(fileName) || fileName.endsWith('.')) throw new TypeError('an export has a plain file name');
}
