import type { LibraryRow } from '../../shared/domain/library.ts';
import { fail } from '../../shared/failure.ts';
import type { CommandRun } from './command.ts';
import { wrongUsage } from './usage-error.ts';

const isHash = (text: string): boolean => /^(?:[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64})$/i.test(text);

/** A hash as it was typed, in lower case; null for what is none. */
export const typedHash = (text: string): string | null => (isHash(text) ? text.toLowerCase() : null);

/** @throws UsageError for what is not a hash */
export const neededHash = (text: string): string =>
  typedHash(text) ?? wrongUsage(`"${text}" is not an MD5, SHA-1 or SHA-256`);

/** What the library knows of it. @throws FailureError `not-in-library` */
export async function librarySample(run: CommandRun, hash: string): Promise<LibraryRow> {
  const { row } = await run.ask('library.sample', { hash });
  return row;
}

/** What the repository is asked by. @throws FailureError `not-in-library`, `needs-md5` */
export async function md5Of(run: CommandRun, hash: string): Promise<string> {
  if (hash.length === 32) return hash;
  const { md5 } = await librarySample(run, hash);
  return md5 ?? fail({ kind: 'needs-md5', hash });
}
