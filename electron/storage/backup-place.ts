import { existsSync } from 'node:fs';
import { readdir, realpath } from 'node:fs/promises';
import { resolve, sep } from 'node:path';
import { fail } from '../../shared/failure.ts';
import { makeChildFolder } from '../disk/make-child-folder.ts';
import { translateFileError } from './atomic-file.ts';
import { type BackupFile, readBackupFile, writeBackupFile } from './backup-file.ts';
import { nearestFolder, realPlace, requireWritable } from './move-plan.ts';

/**
 * Makes a folder the backup of a desk, if it is not yet: it is empty, or not there and to be made, or an earlier backup of that desk.
 * @returns the folder free of links. Fails with `backup-refused`, `not-writable`, `backup-damaged`, `data-newer`, and as a disk does.
 */
export async function takeBackupFolder(chosen: string, { data, desk }: { data: string; desk: string }): Promise<string> {
  try {
    const folder = await placeOf(chosen, await realpath(data));
    if (!existsSync(folder)) await makeChildFolder(folder);
    if ((await earlierOf(folder, desk)) === null) await writeBackupFile(folder, { desk, whole: null });
    return folder;
  } catch (error) {
    throw translateFileError(error, chosen);
  }
}

/**
 * What the folder says of itself. One that says nothing any more is not begun anew: a disk that is not mounted leaves an empty folder.
 * Fails with `backup-refused`, `backup-damaged`, `data-newer`, `disk-failed`.
 */
export async function requireBackupOf(folder: string, desk: string): Promise<BackupFile> {
  const file = (await readBackupFile(folder)) ?? fail({ kind: 'backup-refused', path: folder, reason: 'no-backup' });
  return file.desk === desk ? file : fail({ kind: 'backup-refused', path: folder, reason: 'other-desk' });
}

async function placeOf(chosen: string, data: string): Promise<string> {
  const folder = await realPlace(resolve(chosen));
  if (folder === data || folder.startsWith(data + sep)) fail({ kind: 'backup-refused', path: folder, reason: 'inside' });
  if (data.startsWith(folder.endsWith(sep) ? folder : folder + sep)) fail({ kind: 'backup-refused', path: folder, reason: 'around' });
  await requireWritable(nearestFolder(folder), folder);
  return folder;
}

async function earlierOf(folder: string, desk: string): Promise<BackupFile | null> {
  const file = await readBackupFile(folder);
  if (file === null && (await readdir(folder)).length > 0) fail({ kind: 'backup-refused', path: folder, reason: 'not-empty' });
  if (file !== null && file.desk !== desk) fail({ kind: 'backup-refused', path: folder, reason: 'other-desk' });
  return file;
}
