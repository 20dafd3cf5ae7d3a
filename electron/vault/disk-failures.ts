import { existsSync } from 'node:fs';
import { systemErrorCode, writeFailure } from '../../shared/disk-failure.ts';
import { fail, type Failure } from '../../shared/failure.ts';

/**
 * Rethrows a failed write into a folder as a failure of the catalogue; what is not the system's is a defect and stays
 * itself.
 */
export function throwWriteFailure(error: unknown, folder: string): never {
  const code = systemErrorCode(error);
  if (code === null) throw error;
  return fail(folderWriteFailure(code, folder), error);
}

/** By the system's name of the error. */
export function folderWriteFailure(code: string, folder: string): Failure {
  return code === 'ENOENT' && !existsSync(folder) ? { kind: 'folder-gone', path: folder } : writeFailure(code, folder);
}

/** The same for reading, where a refused permission does not concern writing. */
export function throwReadFailure(error: unknown, shownPath: string): never {
  const code = systemErrorCode(error);
  if (code === null) throw error;
  return fail({ kind: 'disk-failed', path: shownPath, code }, error);
}

/** @returns null when there is nothing at that path */
export async function unlessMissing<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return null;
    throw error;
  }
}
