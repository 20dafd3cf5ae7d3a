import { isUtf8 } from 'node:buffer';
import { fileTypeFromBuffer } from 'file-type';
import { zipMime } from '../../../shared/domain/opened-archive.ts';
import { blocking, openStagedBytes, type StagedBytes, type StagedSource } from '../staging/staged-bytes.ts';
import { stripOfHeld, stripOfSource } from './byte-strip.ts';
import { hasZipBehind, isZipMime, zipKind } from './zip-kind.ts';

interface InspectedBytes {
  mime: string | null;
  strip: string | null;
  isZip: boolean;
}

/**
 * For a worker only: its calls block. @returns null when it was stopped. @throws ChangedFileError,
 * DamagedContainerError or the system's error
 */
export async function inspectStaged(source: StagedSource, isStopped: () => boolean): Promise<InspectedBytes | null> {
  const bytes = await openStagedBytes(source, blocking);
  try {
    const block = await bytes.read(0, blockBytes);
    const mime = await mimeOf(block, bytes);
    const strip = block.length === bytes.sizeBytes ? stripOfHeld(block) : await stripOfSource(bytes, isStopped);
    const isZip = await holdsZip(mime, block, bytes);
    if (isStopped()) return null;
    await bytes.requireUnchanged();
    return { mime, strip, isZip };
  } finally {
    await bytes.close();
  }
}

/** Bytes that are looked at first: a header's, and of an archive some members'. */
export const blockBytes = 64 * 1024;
/** Nothing in one block takes a hundredth of that. */
const mostMs = 2000;

const zipStarts = ['PK\u0003\u0004', 'PK\u0005\u0006'].map((start) => Buffer.from(start, 'latin1'));
const gzipStart = Buffer.from([0x1f, 0x8b, 0x08]);
/** A text may begin with the two letters that these begin with; they themselves have zeros soon behind them. */
const weaklySigned = new Set(['image/bmp', 'application/x-msdownload']);

/** @returns null for a type that is not known. `block` is the beginning of the file. */
export async function mimeOf(block: Buffer, bytes: Pick<StagedBytes, 'sizeBytes' | 'read'>): Promise<string | null> {
  const mime = await detected(block);
  const isText = isPlainText(block, bytes.sizeBytes);
  if (mime === null || (isText && weaklySigned.has(mime)))
    return isText ? textMime(block) : await unknownMime(block, bytes);
  return isZipMime(mime) && startsAsZip(block) ? zipKind(mime, block, bytes) : mime;
}

/** A few bytes in front of an archive, or a broken first header, make it nothing else. */
async function unknownMime(block: Buffer, bytes: Pick<StagedBytes, 'sizeBytes' | 'read'>): Promise<string | null> {
  return (await hasZipBehind(block, bytes)) ? zipMime : null;
}

/**
 * Whether there are members to be taken out. A document or a program that is packed as a ZIP is none: it is a sample
 * itself. What has a ZIP behind it, as self-extracting archives do, has members, though it is a sample as well.
 */
export async function holdsZip(
  mime: string | null,
  block: Buffer,
  bytes: Pick<StagedBytes, 'sizeBytes' | 'read'>,
): Promise<boolean> {
  return startsAsZip(block) || mime === zipMime ? mime === zipMime : hasZipBehind(block, bytes);
}

const startsWith = (block: Buffer, start: Buffer): boolean => block.subarray(0, start.length).equals(start);
const startsAsZip = (block: Buffer): boolean => zipStarts.some((start) => startsWith(block, start));

/** Bytes that the library stumbles over, or does not come to an end with, are of no known type. */
async function detected(block: Buffer): Promise<string | null> {
  // The library would inflate it, to say the same.
  if (startsWith(block, gzipStart)) return 'application/gzip';
  const late = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => late.resolve(undefined), mostMs);
  try {
    return (await Promise.race([fileTypeFromBuffer(block), late.promise]))?.mime ?? null;
  } catch {
    return null;
  } finally {
    clearTimeout(timer);
  }
}

function isPlainText(block: Buffer, sizeBytes: number): boolean {
  return (
    block.length > 0 && !block.includes(0) && isUtf8(block.length < sizeBytes ? withoutCutCharacter(block) : block)
  );
}

/** A character may continue beyond the block: up to three bytes of it are left off. */
function withoutCutCharacter(block: Buffer): Buffer {
  for (let left = 1; left <= 3; left += 1) {
    const byte = block.at(-left) ?? 0;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    if (length > left) return block.subarray(0, -left);
    if (byte < 0x80 || length > 1) return block;
  }
  return block;
}

const textMime = (block: Buffer): string => (block.toString('latin1', 0, 2) === '#!' ? 'text/x-script' : 'text/plain');
