import { lstat, readdir, realpath, rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { systemErrorCode } from '../../shared/disk-failure.ts';
import type { OldCopy, RemovedCopy } from '../../shared/domain/storage.ts';
import { fail } from '../../shared/failure.ts';
import { ignoreMissing, persistently } from '../base/files.ts';
import { translateFileError } from './atomic-file.ts';
import type { CopiedFile } from './folder-copy.ts';
import { holdDesk } from './move-data.ts';
import { moveListName, readMoveList, readMoveListHead, replaceMoveList } from './move-list.ts';
import { removeMark, writeMark } from './move-mark.ts';
import { lockNames } from './move-plan.ts';

/**
 * What a move to this directory left where the data was; null: nothing, or it was removed since. Throws the system's
 * errors.
 */
export async function findOldCopy(directory: string): Promise<OldCopy | null> {
  const head = await readMoveListHead(directory);
  if (head === null || head.from === (await realpath(directory)) || !(await isFolderItself(head.from))) return null;
  return { path: head.from, bytes: head.bytes };
}

/** A link in its place leads to what nobody copied. */
async function isFolderItself(path: string): Promise<boolean> {
  return (await ignoreMissing(lstat(path)))?.isDirectory() === true && (await realpath(path)) === path;
}

/**
 * Removes from the old folder what a move to this directory copied and nobody changed since, and nothing else. Does
 * nothing where there is no old copy; ended in the middle, it is brought to its end by the next call. Fails with
 * `data-in-use`, `not-writable`, `disk-full`, `disk-failed`, and with `cancelled` when it is told to stop.
 */
export async function removeOldCopy(directory: string, stop: Pick<AbortSignal, 'aborted'>): Promise<RemovedCopy> {
  try {
    const old = await findOldCopy(directory);
    return old === null ? { freedBytes: 0, leftFiles: 0 } : await removeFrom(old.path, directory, stop);
  } catch (error) {
    throw translateFileError(error, directory);
  }
}

async function removeFrom(old: string, directory: string, stop: Pick<AbortSignal, 'aborted'>): Promise<RemovedCopy> {
  const { folders, freedBytes } = await underLocks(old, () => removeFiles(old, directory, stop));
  for (const name of lockNames) await rm(join(old, name), { force: true });
  for (const folder of folders.toReversed()) await removeIfEmpty(join(old, folder));
  await replaceMoveList(directory, old);
  await rm(join(old, moveListName), { force: true });
  return { freedBytes, leftFiles: await filesLeft(old) };
}

/** Half of a desk must not be opened as if it were all of it: the mark says so until all is gone. */
async function underLocks<T>(old: string, work: () => Promise<T>): Promise<T> {
  const release = holdDesk(old, { deskMs: 0, labMs: 0 });
  try {
    await writeMark(old, { names: [], isWhole: false });
    const done = await work();
    await removeMark(old);
    return done;
  } catch (error) {
    throw translateFileError(error, old);
  } finally {
    release();
  }
}

/** @returns the folders that are still those of the list */
async function removeFiles(
  old: string,
  directory: string,
  stop: Pick<AbortSignal, 'aborted'>,
): Promise<{ folders: string[]; freedBytes: number }> {
  const folders = new Set(['.']);
  let freedBytes = 0;
  for await (const entry of readMoveList(directory)) {
    if (stop.aborted) fail({ kind: 'cancelled' });
    if ('folder' in entry) {
      // Behind a folder that became a link lies what nobody copied.
      if (
        folders.has(dirname(entry.folder)) &&
        (await ignoreMissing(lstat(join(old, entry.folder))))?.isDirectory() === true
      )
        folders.add(entry.folder);
    } else if (folders.has(dirname(entry.path))) freedBytes += await removeFile(join(old, entry.path), entry);
  }
  folders.delete('.');
  return { folders: [...folders], freedBytes };
}

/** @returns the bytes it gave back */
async function removeFile(path: string, { sizeBytes, changedMs }: CopiedFile): Promise<number> {
  const found = await ignoreMissing(lstat(path));
  if (found === null || !found.isFile() || found.size !== sizeBytes || found.mtimeMs !== changedMs) return 0;
  await persistently(() => rm(path));
  return sizeBytes;
}

async function removeIfEmpty(folder: string): Promise<void> {
  try {
    await rmdir(folder);
  } catch (error) {
    if (!['ENOTEMPTY', 'EEXIST', 'ENOENT'].includes(systemErrorCode(error) ?? '')) throw error;
  }
}

async function filesLeft(old: string): Promise<number> {
  const entries = await readdir(old, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => !entry.isDirectory()).length;
}
