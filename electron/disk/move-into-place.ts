import { link, open, rename, rm, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { platform } from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
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
 * Gives a finished and synced file a name that nothing has: all of it stands there at once, and after a power cut too.
 * Both paths are on one file system. @returns false where the name is taken. Throws the system's error; nothing of the
 * file is under the name then
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
