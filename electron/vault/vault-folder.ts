import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { syncFolder } from '../base/files.ts';

const packName = /^[0-9a-f]{32}\.pack$/;
const unfinishedName = /^[0-9a-f]{32}\.part$/;

/**
 * 32 hexadecimal digits that nothing else is called: 122 bits are random. Node takes the randomness of many UUIDs from
 * the system at once.
 */
export const newId = (): string => randomUUID().replaceAll('-', '');

/** What bears this name belongs to the running program alone, and is removed when the folder is opened again. */
export function unfinishedPath(folder: string, id: string): string {
  return join(folder, `${id}.part`);
}

/** A sample's own file: in the folder of its first two digits. */
export const samplePath = (directory: string, sha256: string): string => join(directory, sha256.slice(0, 2), sha256);

export const isUnfinishedName = (name: string): boolean => unfinishedName.test(name);
export const isPackName = (name: string): boolean => packName.test(name);
export const newPackName = (): string => `${newId()}.pack`;

/** Where a pack lies until the first of its samples is made known: what a crash leaves there was never known. */
export function unpublishedPath(folder: string, pack: string): string {
  return unfinishedPath(folder, pack.slice(0, -'.pack'.length));
}

/**
 * Makes the folder, for this user only, so that a power cut takes nothing that is put there with it, and clears it of
 * what a crash left unfinished. Other files are not touched.
 */
export async function prepareFolder(folder: string): Promise<void> {
  const made = await mkdir(folder, { recursive: true, mode: 0o700 });
  if (made !== undefined)
    for (let path = folder; path.length >= made.length; path = dirname(path)) await syncFolder(dirname(path));
  for (const name of await readdir(folder)) if (isUnfinishedName(name)) await rm(join(folder, name), { force: true });
}

/**
 * Removes an unfinished file. Never fails: the failure that led here is the one to report, and a file that cannot be
 * removed now is removed when the folder is opened again.
 */
export async function removeUnfinished(path: string): Promise<void> {
  await Promise.allSettled([rm(path, { force: true })]);
}
