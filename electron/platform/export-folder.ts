import { mkdir, stat } from 'node:fs/promises';
import { systemErrorCode, writeFailure } from '../../shared/disk-failure.ts';
import { fail } from '../../shared/failure.ts';

/** A file has its place, or there is nothing to make it in: another one must be named. */
const noPlaceCodes = new Set(['EEXIST', 'ENOTDIR', 'ENOENT']);

/**
 * Makes the folder given with `--exports` in a folder that exists, so that a wrong one is named at the start and not at
 * the first export.
 */
export async function makeExportFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder);
  } catch (error) {
    const code = systemErrorCode(error) ?? 'unknown';
    if (code === 'EEXIST' && (await isFolder(folder))) return;
    fail(noPlaceCodes.has(code) ? { kind: 'not-writable', path: folder, code } : writeFailure(code, folder), error);
  }
}

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
