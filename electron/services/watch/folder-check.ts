import { opendir, realpath, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative } from 'node:path';
import { systemErrorCode } from '../../../shared/disk-failure.ts';
import { fail, type FailureOf } from '../../../shared/failure.ts';
import { isBackup } from '../../storage/backup/backup-folder.ts';

type Refusal = FailureOf<'watch-refused'>['reason'];

/** Why the folder can be watched no longer, or not at all; null: it can. */
export async function refusalOf(folder: string, dataDirectory: string): Promise<Refusal | null> {
  try {
    const [real, data] = await Promise.all([realpath(folder), realpath(dataDirectory)]);
    if (!(await stat(real)).isDirectory()) return 'not-a-folder';
    // One whose names cannot be read fails here.
    await (await opendir(real)).close();
    if (isInside(real, data)) return 'inside-data';
    if (isInside(data, real)) return 'around-data';
    return (await isInBackup(real)) ? 'inside-backup' : null;
  } catch (error) {
    if (systemErrorCode(error) === null) throw error;
    return 'not-a-folder';
  }
}

async function isInBackup(folder: string): Promise<boolean> {
  return (await isBackup(folder)) || (dirname(folder) !== folder && (await isInBackup(dirname(folder))));
}

/** @throws FailureError `watch-refused` */
export async function requireWatchable(folder: string, dataDirectory: string): Promise<void> {
  const reason = await refusalOf(folder, dataDirectory);
  if (reason !== null) fail({ kind: 'watch-refused', path: folder, reason });
}

/** `watched`: null where none is. @throws FailureError `export-into-watched` */
export async function requireUnwatched(folder: string, watched: string | null): Promise<void> {
  if (watched === null) return;
  const [real, root] = await Promise.all([nearestReal(folder), nearestReal(watched)]);
  if (isInside(real, root)) fail({ kind: 'export-into-watched', path: folder });
}

/** Of a folder that is not there yet, what it would be in. */
async function nearestReal(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (systemErrorCode(error) === null) throw error;
    return dirname(path) === path ? path : join(await nearestReal(dirname(path)), basename(path));
  }
}

/** The folder itself counts as inside. */
function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way === '' || (!isAbsolute(way) && way.split(/[\\/]/)[0] !== '..');
}
