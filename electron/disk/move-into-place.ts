import { open, rename } from 'node:fs/promises';
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

/** Tries again while another program holds the file: an antivirus opens fresh files for a moment, and a rename fails meanwhile. */
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

/** A new or removed name is durable once its folder is. Windows has no such call; its file systems journal the rename. */
export async function syncFolder(folder: string): Promise<void> {
  if (platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
