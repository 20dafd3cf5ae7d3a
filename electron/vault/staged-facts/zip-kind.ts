import { zipMime } from '../../../shared/domain/opened-archive.ts';
import type { StagedBytes } from '../staging/staged-bytes.ts';

/** APPNOTE 6.3.10, sections 4.3.7 and 4.3.12: where a record has its name. */
const localRecord = { signature: Buffer.from('PK\u0003\u0004', 'latin1'), lengthAt: 26, nameAt: 30 } as const;
const directoryRecord = { signature: Buffer.from('PK\u0001\u0002', 'latin1'), lengthAt: 28, nameAt: 46 } as const;
/** Enough for the directory of some five hundred members. */
const tailBytes = 64 * 1024;

const contentTypes = '[Content_Types].xml';
/** What file-type guesses by, where it has not seen the content types. */
const officeFolders = [
  ['word/', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
  ['ppt/', 'application/vnd.openxmlformats-officedocument.presentationml.presentation'],
  ['xl/', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
] as const;
const guessed = new Set<string>(officeFolders.map(([, mime]) => mime));

export const isZipMime = (mime: string): boolean => mime === zipMime || guessed.has(mime);

/**
 * Corrects a type that was derived from the first members alone. A document or a program packed as a ZIP may have its
 * identifying members at its end; a ZIP that only has folders with a document's folder names is not a document.
 */
export async function zipKind(
  mime: string,
  block: Buffer,
  bytes: Pick<StagedBytes, 'sizeBytes' | 'read'>,
): Promise<string> {
  if (bytes.sizeBytes <= block.length) return mime;
  const tail = await bytes.read(Math.max(0, bytes.sizeBytes - tailBytes), tailBytes);
  const names = new Set([...namesIn(block, localRecord), ...namesIn(tail, directoryRecord)]);
  const isOffice = names.has(contentTypes);
  if (mime !== zipMime) return isOffice ? mime : zipMime;
  if (names.has('AndroidManifest.xml') && names.has('classes.dex')) return 'application/vnd.android.package-archive';
  if (names.has('META-INF/MANIFEST.MF')) return 'application/java-archive';
  return (isOffice && officeMime([...names])) || zipMime;
}

/** Documents and programs that are packed as a ZIP, by file-type's names. */
const packedAsZip =
  /openxmlformats|macroenabled|oasis\.opendocument|java-archive|package-archive|epub\+zip|xpinstall|3mf/;

/** What calls itself a ZIP is opened as one: a name inside may make any archive look like a program. */
export function asNamed(
  name: string,
  inspected: { mime: string | null; isZip: boolean },
): { mime: string | null; isZip: boolean } {
  const isArchive = inspected.mime !== null && packedAsZip.test(inspected.mime) && /\.zip$/i.test(name);
  return isArchive ? { mime: zipMime, isZip: true } : { mime: inspected.mime, isZip: inspected.isZip };
}

/** APPNOTE 6.3.10, section 4.3.16. */
const endRecord = { signature: Buffer.from('PK\u0005\u0006', 'latin1'), bytes: 22, directoryBytesAt: 12 } as const;
const longestComment = 0xffff;

/**
 * Whether the file ends with a ZIP: an end record, and before it a directory of the length stated in the record. A
 * signature may follow.
 */
export async function hasZipBehind(block: Buffer, bytes: Pick<StagedBytes, 'sizeBytes' | 'read'>): Promise<boolean> {
  const from = Math.max(0, bytes.sizeBytes - longestComment - endRecord.bytes);
  const tail = bytes.sizeBytes <= block.length ? block.subarray(from) : await bytes.read(from, bytes.sizeBytes - from);
  for (
    let at = tail.lastIndexOf(endRecord.signature);
    at >= 0;
    at = at === 0 ? -1 : tail.lastIndexOf(endRecord.signature, at - 1)
  ) {
    if (at + endRecord.bytes > tail.length) continue;
    const directoryAt = from + at - tail.readUInt32LE(at + endRecord.directoryBytesAt);
    if (directoryAt < 0 || directoryAt >= from + at) continue;
    if ((await bytes.read(directoryAt, directoryRecord.signature.length)).equals(directoryRecord.signature))
      return true;
  }
  return false;
}

const officeMime = (names: readonly string[]): string | undefined =>
  officeFolders.find(([folder]) => names.some((name) => name.startsWith(folder)))?.[1];

function* namesIn(
  bytes: Buffer,
  { signature, lengthAt, nameAt }: typeof localRecord | typeof directoryRecord,
): Generator<string, void, void> {
  for (
    let at = bytes.indexOf(signature);
    at >= 0 && at + nameAt <= bytes.length;
    at = bytes.indexOf(signature, at + nameAt)
  ) {
    const length = bytes.readUInt16LE(at + lengthAt);
    yield bytes.toString('latin1', at + nameAt, Math.min(bytes.length, at + nameAt + length));
  }
}
