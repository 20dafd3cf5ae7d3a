import { z } from 'zod';
import type { Failure } from './failure.ts';

const systemError = z.object({ code: z.string() });

/** The operating system's name of an error, such as `ENOSPC`; null when it is none of the system's. */
export function systemErrorCode(error: unknown): string | null {
  const read = systemError.safeParse(error);
  return read.success && /^E[A-Z0-9]+$/.test(read.data.code) ? read.data.code : null;
}

/**
 * What a failed write means to the person: `disk-full`, `not-writable`, or `disk-failed` for all else.
 * Codes are those of POSIX `errno`; `path` is shown, so it is the folder they know rather than a temporary file.
 */
export function writeFailure(code: string, path: string): Failure {
  switch (code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return { kind: 'disk-full', path };
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return { kind: 'not-writable', path, code };
    default:
      return { kind: 'disk-failed', path, code };
  }
}
