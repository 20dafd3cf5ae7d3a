import { access, constants, mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fail } from '../../shared/failure.ts';

/**
 * A folder that can be written to, by its absolute path; it is made where it is not there. @throws FailureError
 * `not-writable`
 */
export async function makeFolder(path: string): Promise<void> {
  try {
    await make(path);
    await access(path, constants.W_OK | constants.X_OK);
  } catch (error) {
    fail({ kind: 'not-writable', path, code: codeOf(error) }, error);
  }
}

/** Node's own way of making the folders above it too never ends where none can be made, as in /proc. */
async function make(path: string): Promise<void> {
  if (await isFolder(path)) return;
  const above = dirname(path);
  if (above !== path) await make(above);
  await mkdir(path).catch(async (error: unknown) => {
    // Somebody else may have made it meanwhile.
    if (!(await isFolder(path))) throw error;
  });
}

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : 'UNKNOWN');
