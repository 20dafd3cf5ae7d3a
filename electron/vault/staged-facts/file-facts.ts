import type { Hashes } from '../../../shared/domain/hash.ts';

/**
 * `code` is the system's name of the error, or `damaged` for a container, or empty where there is nothing more to say.
 */
export interface UnreadFile {
  id: string;
  reason: 'gone' | 'changed' | 'unreadable';
  code: string;
}

export type HashedFile = { id: string; hashes: Hashes; sizeBytes: number } | UnreadFile;

/** `mime` is by content, null where it is of no known type; `strip` is a `ByteStrip`, null for an empty file. */
export type LookedFile = { id: string; mime: string | null; strip: string | null; isZip: boolean } | UnreadFile;
