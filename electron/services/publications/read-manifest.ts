import { packageManifest, type PackageManifest } from '../../../shared/domain/package-manifest.ts';

/** Enough for the most files that a package may have, each under a path of a usual length. */
export const manifestBytesAtMost = 6 * 2 ** 20;
/**
 * Commas and opening brackets. JSON is read in one go while all else waits, and takes its time by them more than by its
 * length.
 */
const marksAtMost = 85_000;
const marks: ReadonlySet<number> = new Set(Buffer.from(',[{'));

/** null for one that cannot be read, or is larger than any honest one: it says nothing. */
export function readManifest(bytes: Uint8Array): PackageManifest | null {
  if (bytes.length > manifestBytesAtMost || hasTooManyMarks(bytes)) return null;
  try {
    return packageManifest.safeParse(JSON.parse(new TextDecoder().decode(bytes))).data ?? null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

function hasTooManyMarks(bytes: Uint8Array): boolean {
  let count = 0;
  for (const byte of bytes) if (marks.has(byte)) count += 1;
  return count > marksAtMost;
}
