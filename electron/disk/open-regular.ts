import { constants } from 'node:fs';
import { type FileHandle, lstat, open } from 'node:fs/promises';
import { systemErrorCode } from '../../shared/disk-failure.ts';
import { ifThere } from './if-there.ts';

/** Windows has not the last two: there they are undefined, which as a bit is none. */
const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;

/** Whether there is a file, and no link to one. Throws the system's errors. */
export const isRegular = async (path: string): Promise<boolean> => (await ifThere(lstat(path)))?.isFile() === true;

/**
 * Opens a file that somebody else may have put there; null when there is none, or it is a link, a pipe, a device.
 * Throws the system's errors.
 */
export async function openRegular(path: string): Promise<FileHandle | null> {
  if (!(await isRegular(path))) return null;
  const file = await ifThere(open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)).catch(nullAtLink);
  if (file === null || (await file.stat()).isFile()) return file;
  await file.close();
  return null;
}

function nullAtLink(error: unknown): null {
  if (systemErrorCode(error) === 'ELOOP') return null;
  throw error;
}
