import { constants, fdatasync, fsync } from 'node:fs';
import { type FileHandle, link, lstat, mkdir, open, rename, rm, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { platform } from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { systemErrorCode } from '../../shared/disk-failure.ts';

/** Elsewhere than on Windows a refused permission is final. */
const heldCodes = new Set(platform === 'win32' ? ['EPERM', 'EBUSY', 'EACCES'] : ['EBUSY']);
const pausesMs = [10, 20, 40, 80, 160, 320, 640, 1280];

/**
 * Puts a finished and synced file in its place, over an older one, so that it is there after a power cut too. Both
 * paths are on one file system. Throws the system's error; `to` is then the old file, or the new one whole.
 */
export async function moveIntoPlace(from: string, to: string): Promise<void> {
  await persistently(() => rename(from, to));
  await syncFolder(dirname(to));
}

/**
 * Gives a finished and synced file a name that nothing has: all of it is there at once, and after a power cut too. Both
 * paths are on one file system. Throws the system's error; nothing of the file is under the name then.
 *
 * @returns false where the name is taken
 */
export async function moveToFreeName(from: string, to: string): Promise<boolean> {
  const name = await takeName(from, to);
  if (name === 'taken') return false;
  try {
    await persistently(() => (name === 'linked' ? unlink(from) : rename(from, to)));
    await syncFolder(dirname(to));
    return true;
  } catch (error) {
    await Promise.allSettled([rm(to, { force: true })]);
    throw error;
  }
}

/**
 * A rename would replace what is there: the file gets a second name, or, on a disk that knows none, an empty file holds
 * the name for a moment. Such disks say so in more ways than can be listed: for FAT it is EPERM on Linux, ENOTSUP on
 * macOS and EISDIR on Windows, and for a share there may be no name that Node knows. What else is wrong with a disk the
 * empty file meets too.
 */
async function takeName(from: string, to: string): Promise<'linked' | 'held' | 'taken'> {
  try {
    await persistently(() => link(from, to));
    return 'linked';
  } catch (error) {
    if (systemErrorCode(error) === 'EEXIST') return 'taken';
  }
  return (await makeEmptyFile(to)) ? 'held' : 'taken';
}

/** @returns false when there was one, or anything else of the name */
async function makeEmptyFile(path: string): Promise<boolean> {
  try {
    await (await open(path, 'wx', 0o600)).close();
    return true;
  } catch (error) {
    if (systemErrorCode(error) !== 'EEXIST') throw error;
    return false;
  }
}

/**
 * Tries again while another program holds the file: an antivirus opens fresh files for a moment, and a rename fails
 * meanwhile.
 */
export async function persistently(work: () => Promise<void>, held: ReadonlySet<string> = heldCodes): Promise<void> {
  for (const pauseMs of pausesMs) {
    try {
      return await work();
    } catch (error) {
      if (!held.has(systemErrorCode(error) ?? '')) throw error;
      await pause(pauseMs);
    }
  }
  return work();
}

/**
 * A new or removed name is durable once its folder is. Windows has no such call; its file systems journal the rename.
 */
export async function syncFolder(folder: string): Promise<void> {
  if (platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

const goneCodes = new Set(['ENOENT', 'ENOTDIR']);

/** @returns null where there is nothing at that path. Throws the system's other errors. */
export async function ignoreMissing<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if (goneCodes.has(systemErrorCode(error) ?? '')) return null;
    throw error;
  }
}

/**
 * Makes a folder for its owner only, in one that is there. Not those above it: a data directory that is gone must not
 * begin again.
 *
 * @returns false when it was there already. Throws the system's errors.
 */
export async function makeChildFolder(path: string): Promise<boolean> {
  try {
    await mkdir(path, { mode: 0o700 });
    return true;
  } catch (error) {
    if (systemErrorCode(error) !== 'EEXIST') throw error;
    return false;
  }
}

/** Windows has not the last two: there they are undefined, which as a bit is none. */
const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;

/** Whether there is a file, and no link to one. Throws the system's errors. */
export const isRegular = async (path: string): Promise<boolean> =>
  (await ignoreMissing(lstat(path)))?.isFile() === true;

/**
 * Opens a file that another program may have put there; null when there is none, or it is a link, a pipe, a device.
 * Throws the system's errors.
 */
export async function openRegular(path: string): Promise<FileHandle | null> {
  if (!(await isRegular(path))) return null;
  const file = await ignoreMissing(open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)).catch(nullAtLink);
  if (file === null || (await file.stat()).isFile()) return file;
  await file.close();
  return null;
}

function nullAtLink(error: unknown): null {
  if (systemErrorCode(error) === 'ELOOP') return null;
  throw error;
}

/**
 * Brings a finished file to the disk, by a handle of its own: Windows syncs only what is open for writing. @throws the
 * system's error
 */
export async function syncFile(path: string): Promise<void> {
  const handle = await open(path, 'r+');
  try {
    await handle.datasync();
  } finally {
    await handle.close();
  }
}

/** Written before the disk is asked to begin: what it has then taken need not be waited for at the end. */
const syncEveryBytes = 16 * 1024 * 1024;
const syncData = promisify(fdatasync);
const syncAll = promisify(fsync);

/**
 * Makes one file durable, most of it while it is still being written: every 16 MiB a sync begins in the background. Its
 * failure is the file's: an error reported once is not reported again by a later sync.
 */
export class SyncedAhead {
  #unsyncedBytes = 0;
  #syncing: Promise<void> | null = null;
  #error: Error | null = null;

  /** So much more was written to the open file. */
  wrote(file: number, bytes: number): void {
    this.#unsyncedBytes += bytes;
    if (this.#unsyncedBytes >= syncEveryBytes && this.#syncing === null) this.#begin(file);
  }

  /** Waits for the disk: all that was written is on it then. @throws the system's error, of an earlier sync too */
  async finish(file: number): Promise<void> {
    await this.idle();
    if (this.#error) throw this.#error;
    await syncAll(file);
  }

  /** Resolves when nothing is under way, so that the file can be closed. */
  async idle(): Promise<void> {
    await this.#syncing;
  }

  #begin(file: number): void {
    this.#unsyncedBytes = 0;
    this.#syncing = syncData(file)
      .catch((error: unknown) => {
        this.#error ??= error instanceof Error ? error : new Error('fdatasync', { cause: error });
      })
      .finally(() => {
        this.#syncing = null;
      });
  }
}
