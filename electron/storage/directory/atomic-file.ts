import { randomBytes } from 'node:crypto';
import { open, readdir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { systemErrorCode, writeFailure } from '../../../shared/disk-failure.ts';
import { FailureError } from '../../../shared/failure.ts';
import { moveIntoPlace } from '../../base/files.ts';

const temporaryEnding = '.unfinished';

/**
 * Replaces a file, or makes it, so that a reader sees the old bytes or the new ones and never a part: temporary
 * file → fsync → rename → fsync of the folder. Mode 0600. Fails with `disk-full`, `not-writable` or `disk-failed`.
 */
export async function writeFileAtomic(path: string, bytes: Uint8Array | string): Promise<void> {
  const temporary = `${path}.${randomBytes(6).toString('hex')}${temporaryEnding}`;
  try {
    await writeSynced(temporary, bytes);
    await moveIntoPlace(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw translateFileError(error, path);
  }
}

/** Whether a file of that name is what a crash left of an earlier write to the other. */
export const isUnfinishedOf = (fileName: string, name: string): boolean =>
  name.startsWith(`${fileName}.`) && name.endsWith(temporaryEnding);

/** Removes what a crash left of earlier writes to this file. */
export async function removeUnfinished(path: string): Promise<void> {
  try {
    const names = await readdir(dirname(path));
    await Promise.all(
      names
        .filter((name) => isUnfinishedOf(basename(path), name))
        .map((name) => rm(join(dirname(path), name), { force: true })),
    );
  } catch (error) {
    throw translateFileError(error, path);
  }
}

/** The failure that a system error means for the person; a failure passes, and so does a defect. */
export function translateFileError(error: unknown, path: string): Error {
  const code = systemErrorCode(error);
  if (code !== null && !(error instanceof FailureError))
    return new FailureError(writeFailure(code, path), { cause: error });
  return error instanceof Error ? error : new TypeError('a value that is not an error was thrown', { cause: error });
}

async function writeSynced(path: string, bytes: Uint8Array | string): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}
