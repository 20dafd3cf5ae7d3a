import { systemErrorCode } from '../../shared/disk-failure.ts';

const goneCodes = new Set(['ENOENT', 'ENOTDIR']);

/** @returns null where there is nothing at that path. Throws the system's other errors. */
export async function ifThere<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if (goneCodes.has(systemErrorCode(error) ?? '')) return null;
    throw error;
  }
}
