import { fail, FailureError } from '../../shared/failure.ts';

/** Primary result codes of SQLite (https://sqlite.org/rescode.html) that have a sentence of their own. */
const busy = 5;
const readOnly = 8;
const inputOutput = 10;
const corrupt = 11;
const full = 13;
const cannotOpen = 14;
const notADatabase = 26;

/** Runs what speaks to a database and turns SQLite's errors into failures that name its path; others pass. */
export function overSqlite<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof FailureError) throw error;
    const code = resultCode(error);
    if (code === null) throw error;
    return failWith(code, path, error);
  }
}

function failWith(code: number, path: string, cause: unknown): never {
  const name = `SQLITE_${code}`;
  switch (code & 0xff) {
    case busy:
      return fail({ kind: 'data-in-use', path }, cause);
    case readOnly:
    case cannotOpen:
      return fail({ kind: 'not-writable', path, code: name }, cause);
    case inputOutput:
      return fail({ kind: 'disk-failed', path, code: name }, cause);
    case full:
      return fail({ kind: 'disk-full', path }, cause);
    case corrupt:
    case notADatabase:
      return fail({ kind: 'data-damaged', path, code: name }, cause);
    default:
      throw cause;
  }
}

/** node:sqlite puts SQLite's extended result code into `errcode`. */
function resultCode(error: unknown): number | null {
  return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' ? error.errcode : null;
}
