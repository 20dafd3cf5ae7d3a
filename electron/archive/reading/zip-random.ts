import type { Failure } from '../../../shared/failure.ts';
import type { ArchiveLimits } from '../../../shared/domain/archive-limits.ts';

/** Bytes that can be read anywhere, such as a file. `read` resolves to exactly `length` bytes that lie inside. */
export interface RandomAccess {
  readonly sizeBytes: number;
  read(position: number, length: number): Promise<Uint8Array>;
}

export type RandomPart =
  /** Decrypted and inflated as it is iterated; throws as a streamed part of `readZipStream` does. */
  | { kind: 'streamed'; name: string; sizeBytes: number; chunks: AsyncIterable<Uint8Array> }
  /** One entry that is not read; the rest goes on. */
  | { kind: 'refused'; name: string; failure: Failure };

export interface ZipAtOptions {
  /** For failures. */
  archiveName: string;
  /** Tried in order, each as UTF-8. */
  passwords: readonly string[];
  limits?: ArchiveLimits;
  /** Entries that begin before it are left out, and nothing before it is read. */
  from?: number;
}

/** What senders of samples protect archives with; several sharing services use these. */
const usualPasswords = ['infected', 'malware', 'virus', 'infect3d', 'infect666'];

/** What to try on an archive, in order: what a person gave for it, none, the usual ones and the one of own exports. */
export const archivePasswords = (given: readonly string[], exportPassword: string): string[] => [...new Set([...given, '', ...usualPasswords, exportPassword])];

/**
 * Reads a ZIP by its central directory: what cannot be read as a stream, and local archives. Junk before the archive
 * and up to 64 KiB behind it are passed over.
 * @throws FailureError `archive-damaged`, `archive-truncated`, `archive-limit`, `archive-unsupported` for a split archive;
 * and what the source throws, unchanged
 */
export async function* readZipAt(source: RandomAccess, options: ZipAtOptions): AsyncGenerator<RandomPart, void, void> {
  // zip.js is large, and no start needs it: it is loaded with the first archive.
  const { readParts } = await import('./zip-random-reading.ts');
  yield* readParts(source, options);
}
