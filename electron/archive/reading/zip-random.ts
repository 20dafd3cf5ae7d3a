import type {
  ArchiveLimits,
  ArchiveRemark,
  MemberRemark,
  NameEncoding,
} from '../../../shared/domain/opened-archive.ts';
import type { Failure } from '../../../shared/failure.ts';

/** Bytes that can be read anywhere, such as a file. `read` resolves to exactly `length` bytes that lie inside. */
export interface RandomAccess {
  readonly sizeBytes: number;
  read(position: number, length: number): Promise<Uint8Array>;
}

export type RandomPart =
  /** Decrypted and inflated as it is iterated; throws as a streamed part of `readZipStream` does. */
  | { kind: 'streamed'; name: string; sizeBytes: number; chunks: AsyncIterable<Uint8Array>; remarks: MemberRemark[] }
  /** A member that cannot be read; the others are. */
  | { kind: 'refused'; name: string; failure: Failure; remarks: MemberRemark[] };

export interface ZipAtOptions {
  /** For failures. */
  archiveName: string;
  /** Tried in order, each as UTF-8. */
  passwords: readonly string[];
  limits?: ArchiveLimits;
  /** How names that are no UTF-8 are read; guessed where it is left out. */
  nameEncoding?: NameEncoding;
  /** Told how such names are read, before the first part; not where all names are UTF-8. */
  onEncoding?(encoding: NameEncoding): void;
  /** Told what is unusual about the archive as a whole. */
  onRemark?(remark: ArchiveRemark): void;
  /**
   * For packages of rules, where a name is a path and two of one name are a contradiction: members that are links,
   * devices, named twice or named to lead elsewhere are refused, and nothing is read that the directory does not list.
   */
  isStrict?: boolean;
  /** Aborts between entries and inside of large ones; its reason is thrown. */
  signal?: AbortSignal;
  /** Entries that begin before it are left out, and nothing before it is read. */
  from?: number;
}

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
