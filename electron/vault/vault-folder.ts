import { randomBytes } from 'node:crypto';
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { platform } from 'node:process';
import { setTimeout as after } from 'node:timers/promises';
import { systemErrorCode } from '../../shared/disk-failure.ts';

const unfinishedName = /^[0-9a-f]{32}\.part$/;
const renameTries = 10;
const renamePauseMs = 50;

/** 32 hex characters that nothing else is called. */
export const newId = (): string => randomBytes(16).toString('hex');

/** What bears this name belongs to the running program alone, and is removed when the folder is opened again. */
export function unfinishedPath(folder: string, id: string): string {
  return join(folder, `${id}.part`);
}

/** Makes the folder, for this user only, and clears it of what a crash left unfinished. Other files are not touched. */
export async function prepareFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (const name of await readdir(folder)) if (unfinishedName.test(name)) await rm(join(folder, name), { force: true });
}

/**
 * Removes what is not finished. It never fails: the failure that led here is the one to tell, and what cannot be
 * removed now is removed when the folder is opened again.
 */
export async function removeUnfinished(path: string): Promise<void> {
  await Promise.allSettled([rm(path, { force: true })]);
}

/** Puts a finished file in its place, durably, over an older one. On Windows antivirus holds fresh files for a moment. */
export async function moveIntoPlace(from: string, folder: string, name: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await rename(from, join(folder, name));
      break;
    } catch (error) {
      if (platform !== 'win32' || attempt === renameTries || !isHeld(error)) throw error;
      await after(renamePauseMs * attempt);
    }
  }
  await syncFolder(folder);
}

/** A new or removed name is durable once its folder is. Windows has no such call and needs none. */
export async function syncFolder(folder: string): Promise<void> {
  if (platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

const isHeld = (error: unknown): boolean => ['EPERM', 'EBUSY', 'EACCES'].includes(systemErrorCode(error) ?? '');
