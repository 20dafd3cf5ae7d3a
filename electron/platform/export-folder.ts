import { mkdir } from 'node:fs/promises';
import { systemErrorCode, writeFailure } from '../../shared/disk-failure.ts';
import { fail } from '../../shared/failure.ts';

/** Makes the folder given with `--exports`, so that a wrong one is named at the start and not at the first export. */
export async function makeExportFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true });
  } catch (error) {
    fail(writeFailure(systemErrorCode(error) ?? 'unknown', folder), error);
  }
}
