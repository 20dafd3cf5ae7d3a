import type { Failure } from './failure.ts';

/** The operating system's name of an error, such as `ENOSPC`; null when it is none of the system's. */
export function systemErrorCode(error: unknown): string | null {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return null;
  return /^E[A-Z0-9]+$/.test(error.code) ? error.code : null;
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
