import type { RandomAccess, RandomPart, ZipAtOptions } from './zip-source.ts';

/** Passwords that senders of samples and sharing services use. */
const usualPasswords = ['infected', 'malware', 'virus', 'infect3d', 'infect666'];

/** What to try on an archive, in order: what a person gave for it, none, the usual ones and the one of own exports. */
export const archivePasswords = (given: readonly string[], exportPassword: string): string[] => [
  ...new Set([...given, '', ...usualPasswords, exportPassword]),
];

/**
 * Reads a ZIP by its central directory: what cannot be read as a stream, and local archives. Junk before the archive
 * and up to 64 KiB behind it are passed over.
 * @throws FailureError `archive-damaged`, `archive-truncated`, `archive-limit`, `archive-unsupported` for a split
 * archive; and what the source throws, unchanged
 */
export async function* readZipAt(source: RandomAccess, options: ZipAtOptions): AsyncGenerator<RandomPart, void, void> {
  // No start needs it: it is loaded with the first archive.
  const { readParts } = await import('./zip-random-reading.ts');
  yield* readParts(source, options);
}

/**
 * Members up to this are held until they are stored: each waits for the disk, and others are read meanwhile. In bytes.
 */
const heldUpTo = 256 * 1024;

/**
 * Reads a small member, so that the next one can be read before its bytes are used. @returns them; null for a large
 * one. Throws as `chunks`
 */
export async function smallMember({
  sizeBytes,
  chunks,
}: Extract<RandomPart, { kind: 'streamed' }>): Promise<Uint8Array | null> {
  if (sizeBytes > heldUpTo) return null;
  const all: Uint8Array[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return all.length === 1 && all[0] !== undefined ? all[0] : Buffer.concat(all);
}

/** Nothing for no bytes. */
export async function* inOnePiece(bytes: Uint8Array): AsyncGenerator<Uint8Array, void, void> {
  if (bytes.length > 0) yield bytes;
}
