import { lstatSync } from 'node:fs';
import { lstat, readdir, realpath, rm, rmdir } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { systemErrorCode } from '../../../shared/disk-failure.ts';
import type { OldCopy, RemovedCopy } from '../../../shared/domain/storage.ts';
import { fail } from '../../../shared/failure.ts';
import { ignoreMissing, persistently } from '../../base/files.ts';
import { isOpenToOthers } from '../../base/owned-file.ts';
import { translateFileError } from './atomic-file.ts';
import {
  clearEarlierMove,
  copyUnderMark,
  type DataChoice,
  endMark,
  findDataDirectory,
  pointTo,
  removeMark,
  writeMark,
} from './data-location.ts';
import { type DataLock, holdDataDirectory } from './data-lock.ts';
import { type CopiedFile, copyContent, sizeOf } from './folder-copy.ts';
import {
  lockNames,
  moveListName,
  type MovePlan,
  moveRules,
  placeOfData,
  planMove,
  readMoveList,
  readMoveListHead,
  replaceMoveList,
  requireNotNamed,
  requireSpace,
  writeMoveList,
} from './move-plan.ts';
import { makeDataDirectory } from './private-files.ts';

interface DataMove extends DataChoice {
  /** A folder that is empty or not there. */
  target: string;
  /**
   * How long to wait for the program that asked for the move and is ending; not at all by default. The thread blocks
   * meanwhile.
   */
  hostEndsWithinMs?: number;
  /** Called once all checks have passed, before the first byte. */
  onBegin(size: { files: number; bytes: number }): void;
}

const labEndsWithinMs = 3_000;

/**
 * Copies all data to another folder, compares every byte, and only then makes it the directory to open; the old copy is
 * not changed. If the move is interrupted, the old one remains in force, and the next move to that folder starts over.
 * Fails with `move-refused`, `data-in-use`, `disk-full`, `not-writable`, `disk-failed`, and as `findDataDirectory`
 * does. @returns the old directory and the new one, free of links
 */
export async function moveData({
  named,
  usual,
  target,
  hostEndsWithinMs = 0,
  onBegin,
}: DataMove): Promise<{ from: string; to: string }> {
  requireNotNamed(named);
  const from = await placeOfData(findDataDirectory({ named, usual }));
  const release = holdDataAndLab(from, { hostMs: hostEndsWithinMs, labMs: labEndsWithinMs });
  try {
    const plan = await planMove(from, target, { isInUse: false });
    await makePlace(plan.to);
    await requireSpace(plan);
    onBegin({ files: plan.content.files.length, bytes: sizeOf(plan.content) });
    await copyAll(plan);
    await pointTo(plan.to, usual);
    endMark(plan.to);
    return { from, to: plan.to };
  } finally {
    release();
  }
}

/**
 * A lab can be served alone, from the folder of a program that is closed. Fails with `data-in-use`. @returns the way to
 * let go of both
 */
function holdDataAndLab(directory: string, waits: { hostMs: number; labMs: number }): () => void {
  const lock = holdDataDirectory(directory, { fileName: 'lock.db', waitMs: waits.hostMs });
  const lab = join(directory, 'lab');
  // Behind a link lies what is not of this computer.
  if (lstatSync(lab, { throwIfNoEntry: false })?.isDirectory() !== true) return () => lock.release();
  const labLock = holdLab(lab, waits.labMs, lock);
  return () => {
    labLock.release();
    lock.release();
  };
}

function holdLab(lab: string, waitMs: number, database: DataLock): DataLock {
  try {
    return holdDataDirectory(lab, { fileName: 'lab.lock', waitMs });
  } catch (error) {
    database.release();
    throw error;
  }
}

/** The folder, made and for its owner only, with nothing in it. */
export async function makePlace(to: string): Promise<void> {
  try {
    makeDataDirectory(to);
    // A disk without modes. Data that begins there is opened; that which is private is not moved there.
    if (isOpenToOthers(to)) fail({ kind: 'not-writable', path: to, code: 'EPERM' });
    await clearEarlierMove(to);
  } catch (error) {
    throw translateFileError(error, to);
  }
}

async function copyAll({ from, to, content }: MovePlan): Promise<void> {
  await copyUnderMark(to, [...topNames(content), moveListName], async () => {
    await copyContent(content, from, to, { ...moveRules, isInUse: false });
    await writeMoveList(to, { from, bytes: sizeOf(content) }, content);
  });
}

export const topNames = ({ folders, files }: { folders: string[]; files: { path: string }[] }): string[] =>
  [...folders, ...files.map(({ path }) => path)].filter((path) => !path.includes(sep));

/**
 * What a move to this directory left where the data was; null: nothing, or it was removed since. Throws the system's
 * errors.
 */
export async function findOldCopy(directory: string): Promise<OldCopy | null> {
  const head = await readMoveListHead(directory);
  if (head === null || head.from === (await realpath(directory)) || !(await isFolderItself(head.from))) return null;
  return { path: head.from, bytes: head.bytes };
}

/** A link in its place leads to data that was not copied. */
async function isFolderItself(path: string): Promise<boolean> {
  return (await ignoreMissing(lstat(path)))?.isDirectory() === true && (await realpath(path)) === path;
}

/**
 * Removes from the old folder the files that a move to this directory copied and that are unchanged since, and nothing
 * else. Does nothing where there is no old copy; after an interruption, the next call completes it. Fails with
 * `data-in-use`, `not-writable`, `disk-full`, `disk-failed`, and with `cancelled` when `stop` is aborted.
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

/** Half of the data must not be opened as if it were all of it: the mark stays until everything is removed. */
async function underLocks<T>(old: string, work: () => Promise<T>): Promise<T> {
  const release = holdDataAndLab(old, { hostMs: 0, labMs: 0 });
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
      // A folder that became a link leads to data that was not copied.
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
