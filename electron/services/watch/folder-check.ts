import { realpath, stat } from 'node:fs/promises';
import { isAbsolute, relative } from 'node:path';
import { systemErrorCode } from '../../../shared/disk-failure.ts';
import { fail, type FailureOf } from '../../../shared/failure.ts';

type Refusal = FailureOf<'watch-refused'>['reason'];

/** Why the folder can be watched no longer, or not at all; null: it can. */
export async function refusalOf(folder: string, dataDirectory: string): Promise<Refusal | null> {
  try {
    const [real, data] = await Promise.all([realpath(folder), realpath(dataDirectory)]);
    if (!(await stat(real)).isDirectory()) return 'not-a-folder';
    if (isInside(real, data)) return 'inside-data';
    return isInside(data, real) ? 'around-data' : null;
  } catch (error) {
    if (systemErrorCode(error) === null) throw error;
    return 'not-a-folder';
  }
}

/** @throws FailureError `watch-refused` */
export async function requireWatchable(folder: string, dataDirectory: string): Promise<void> {
  const reason = await refusalOf(folder, dataDirectory);
  if (reason !== null) fail({ kind: 'watch-refused', path: folder, reason });
}

/** The folder itself counts as inside. */
function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way === '' || (!isAbsolute(way) && way.split(/[\\/]/)[0] !== '..');
}
