import { constants, existsSync } from 'node:fs';
import { access, chmod, readdir, realpath, stat } from 'node:fs/promises';
import { join, resolve, sep } from 'node:path';
import { platform } from 'node:process';
import { fail } from '../../shared/failure.ts';
import { makeChildFolder } from '../base/files.ts';
import { isUnfinishedOf, translateFileError } from './atomic-file.ts';
import { type BackupFile, backupFileName, readBackupFile, writeBackupFile } from './backup-file.ts';
import { nearestFolder, realPlace, requireWritable } from './move-plan.ts';

export interface BackupPlace {
  /** The data directory. */
  data: string;
  desk: string;
  /** What is put there is taken in by this desk; null: nothing is watched. */
  watched?: string | null;
  /**
   * Whether there should be one in this folder, which is then not begun anew: a disk that is not mounted leaves an
   * empty folder.
   */
  isExpected?(folder: string): boolean;
}

/**
 * Makes a folder the backup of a desk, if it is not yet: it is empty, or not there and to be made, or an earlier backup
 * of that desk.
 * @returns the folder free of links. Fails with `backup-refused`, `not-writable`, `backup-damaged`, `data-newer`, and
 * as a disk does.
 */
export async function takeBackupFolder(
  chosen: string,
  { data, desk, watched = null, isExpected = () => false }: BackupPlace,
): Promise<string> {
  try {
    const folder = await realPlace(resolve(chosen));
    if (isExpected(folder) && !existsSync(join(folder, backupFileName)))
      fail({ kind: 'backup-refused', path: folder, reason: 'no-backup' });
    await requirePlace(folder, await realpath(data), watched === null ? null : await realPlace(watched));
    if (!existsSync(folder)) await makeChildFolder(folder);
    if ((await earlierOf(folder, desk)) === null) await begin(folder, desk);
    return folder;
  } catch (error) {
    throw translateFileError(error, chosen);
  }
}

/**
 * What the folder says of itself. One that says nothing any more is not begun anew: a disk that is not mounted leaves
 * an empty folder. Fails with `backup-refused`, `backup-damaged`, `data-newer`, `disk-failed`.
 */
export async function requireBackupOf(folder: string, desk: string): Promise<BackupFile> {
  const file = (await readBackupFile(folder)) ?? fail({ kind: 'backup-refused', path: folder, reason: 'no-backup' });
  return file.desk === desk ? file : fail({ kind: 'backup-refused', path: folder, reason: 'other-desk' });
}

async function requirePlace(folder: string, data: string, watched: string | null): Promise<void> {
  if (isIn(folder, data)) fail({ kind: 'backup-refused', path: folder, reason: 'inside' });
  if (isIn(data, folder)) fail({ kind: 'backup-refused', path: folder, reason: 'around' });
  if (watched !== null && (isIn(folder, watched) || isIn(watched, folder)))
    fail({ kind: 'backup-refused', path: folder, reason: 'watched' });
  await requireWritable(nearestFolder(folder), folder);
  if (existsSync(folder))
    await access(folder, constants.R_OK).catch((error: unknown) =>
      fail({ kind: 'backup-refused', path: folder, reason: 'unreadable' }, error),
    );
}

/** The folder itself counts as inside. */
const isIn = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);

/**
 * An empty folder that was there is for its owner only from now on, as one that is made is. On Windows the profile does
 * it.
 */
async function begin(folder: string, desk: string): Promise<void> {
  if (platform !== 'win32' && ((await stat(folder)).mode & 0o077) !== 0) await chmod(folder, 0o700);
  await writeBackupFile(folder, { desk, whole: null });
}

async function earlierOf(folder: string, desk: string): Promise<BackupFile | null> {
  const file = await readBackupFile(folder);
  if (file === null && (await readdir(folder)).some((name) => !isUnfinishedOf(backupFileName, name)))
    fail({ kind: 'backup-refused', path: folder, reason: 'not-empty' });
  if (file !== null && file.desk !== desk) fail({ kind: 'backup-refused', path: folder, reason: 'other-desk' });
  return file;
}
