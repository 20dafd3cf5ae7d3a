import { mkdir } from 'node:fs/promises';
import { systemErrorCode } from '../../shared/disk-failure.ts';

/**
 * Makes a folder for its owner only, in one that is there. Not those above it: a data directory that is gone must not
 * begin anew.
 * @returns false when it was there already. Throws the system's errors.
 */
export async function makeChildFolder(path: string): Promise<boolean> {
  try {
    await mkdir(path, { mode: 0o700 });
    return true;
  } catch (error) {
    if (systemErrorCode(error) !== 'EEXIST') throw error;
    return false;
  }
}
