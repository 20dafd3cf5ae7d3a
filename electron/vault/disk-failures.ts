import { systemErrorCode, writeFailure } from '../../shared/disk-failure.ts';
import { fail } from '../../shared/failure-error.ts';

/** Rethrows a failed write as a failure of the catalogue; what is not the system's is a defect and stays itself. */
export function throwWriteFailure(error: unknown, shownPath: string): never {
  const code = systemErrorCode(error);
  if (code === null) throw error;
  return fail(writeFailure(code, shownPath), error);
}

/** The same for reading, where a refused permission says nothing about writing. */
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
