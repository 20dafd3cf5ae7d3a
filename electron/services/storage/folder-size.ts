import { type Dirent } from 'node:fs';
import { lstat, opendir } from 'node:fs/promises';
import { join } from 'node:path';
import { systemErrorCode } from '../../../shared/disk-failure.ts';

export interface FolderSize {
  bytes: number;
  files: number;
}

/** What goes while it is walked is not there; a folder that was never made has nothing in it. */
const goneCodes = new Set(['ENOENT', 'ENOTDIR']);

/**
 * Of all files under a folder, or (`deep` false) of those right in it. Links are not followed and not counted. Throws
 * the system's errors.
 */
export async function folderSize(folder: string, deep = true): Promise<FolderSize> {
  const size: FolderSize = { bytes: 0, files: 0 };
  const folders = (await isFolder(folder)) ? [folder] : [];
  for (let path = folders.pop(); path !== undefined; path = folders.pop()) {
    for await (const entry of entriesOf(path)) {
      if (entry.isDirectory() && deep) folders.push(join(path, entry.name));
      if (entry.isFile()) await add(size, join(path, entry.name));
    }
  }
  return size;
}

async function isFolder(path: string): Promise<boolean> {
  return (await unlessGone(lstat(path)))?.isDirectory() ?? false;
}

async function* entriesOf(folder: string): AsyncGenerator<Dirent, void, void> {
  const entries = await unlessGone(opendir(folder));
  if (entries) yield* entries;
}

async function add(size: FolderSize, path: string): Promise<void> {
  const facts = await unlessGone(lstat(path));
  if (facts === null) return;
  size.bytes += facts.size;
  size.files += 1;
}

async function unlessGone<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if (goneCodes.has(systemErrorCode(error) ?? '')) return null;
    throw error;
  }
}
