import { mkdir, stat } from 'node:fs/promises';
import { systemErrorCode, writeFailure } from '../../shared/disk-failure.ts';
import { fail } from '../../shared/failure.ts';

/** Makes the folder given with `--exports` in a folder that exists, so that a wrong one is named at the start and not at the first export. */
export async function makeExportFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder);
  } catch (error) {
    if (systemErrorCode(error) === 'EEXIST' && (await stat(folder)).isDirectory()) return;
    fail(writeFailure(systemErrorCode(error) ?? 'unknown', folder), error);
  }
}
