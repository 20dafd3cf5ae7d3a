import type { ArchiveRemark } from '../../../shared/domain/opened-archive.ts';
import { fail } from '../../../shared/failure.ts';
import {
  centralSignature,
  descriptorFlag,
  extraField,
  localHeaderBytes,
  localSignature,
  max16,
  max32,
  u16,
  u32,
  u64,
  zip64EndSignature,
  zip64FieldId,
  zip64LocatorSignature,
} from './read-zip-records.ts';
import type { ArchiveBytes } from './zip-source.ts';

/** The content of one of the two headers of an entry (APPNOTE.TXT 6.3.10, 4.3.7 and 4.3.12). */
export interface EntryHeader {
  rawName: Uint8Array;
  flags: number;
  method: number;
  /** MS-DOS time: its upper byte may replace that of the CRC. */
  time: number;
  crc32: number;
  /** As declared. `Infinity` when it is beyond what a number counts exactly. */
  storedBytes: number;
  plainBytes: number;
  extra: Uint8Array;
}

/** An entry as a directory lists it. */
export interface ListedEntry extends EntryHeader {
  /** Of a file system, where the archive was made on Unix; 0 elsewhere. */
  mode: number;
  /** Where its local header should be, in the file. */
  localAt: number;
}

/** A local header, and where the bytes behind it begin. */
export interface LocalEntry extends EntryHeader {
  at: number;
  dataAt: number;
}

/** Its sizes follow its bytes. */
export const hasDescriptor = ({ flags }: LocalEntry): boolean => (flags & descriptorFlag) !== 0;

export interface Directory {
  entries: ListedEntry[];
  /** Where the directory and its end lie: there is no entry in between. Null without a directory. */
  extent: { start: number; end: number } | null;
  remarks: ArchiveRemark[];
  /** It lists more than `most`, which were not read. */
  isCut: boolean;
}

const centralHeaderBytes = 46;
const endBytes = 22;
const zip64LocatorBytes = 20;
const zip64EndBytes = 56;
/** A comment is at most 64 KiB long, and as much of something else may follow the archive. */
const tailBytes = 2 * max16 + endBytes;
/** Names and fields that are kept of one directory: those of ten thousand members are far smaller. */
const mostKeptBytes = 64 * 2 ** 20;

/**
 * The last directory of the archive, with at most `most` entries. What the end record counts is only a hint: a
 * directory is as long as its records. No end record, or one that leads to no directory, gives no entries and the
 * remark.
 * @throws FailureError `archive-unsupported` for a part of a split archive; and what the source throws
 */
export async function readDirectory(bytes: ArchiveBytes, archiveName: string, most: number): Promise<Directory> {
  const tailAt = Math.max(bytes.from, bytes.size - tailBytes);
  const tail = await bytes.read(tailAt, bytes.size - tailAt);
  for (let at = tail.lastIndexOf(endMark); at >= 0; at = at === 0 ? -1 : tail.lastIndexOf(endMark, at - 1)) {
    if (tail.length - at < endBytes) continue;
    // Headers behind it: it is the end of something inside an archive whose own end is cut off.
    if (headerMarks.some((mark) => tail.includes(mark, at))) break;
    const end = await readEnd(bytes, tail.subarray(at, at + endBytes), tailAt + at);
    const walk = await bestWalk(bytes, end, most);
    if (walk === null) continue;
    const { entries, isCut, start } = walk;
    if (await isSplit(bytes, end, entries))
      fail({ kind: 'archive-unsupported', name: archiveName, feature: 'parts of a split archive' });
    return { entries, isCut, extent: { start, end: end.at + endBytes }, remarks: remarksOf(bytes, end, walk) };
  }
  return { entries: [], extent: null, remarks: [], isCut: false };
}

const endMark = Buffer.from('PK\u0005\u0006', 'latin1');
const headerMarks = ['PK\u0001\u0002', 'PK\u0003\u0004'].map((mark) => Buffer.from(mark, 'latin1'));

interface End {
  at: number;
  /** Where its records end: at the zip64 end record, where there is one. */
  directoryEnd: number;
  counted: number;
  sizeBytes: number;
  offset: number;
  disk: number;
}

async function readEnd(bytes: ArchiveBytes, record: Buffer, at: number): Promise<End> {
  const end = {
    at,
    directoryEnd: at,
    counted: u16(record, 10),
    sizeBytes: u32(record, 12),
    offset: u32(record, 16),
    disk: u16(record, 4),
  };
  if (end.counted !== max16 && end.sizeBytes !== max32 && end.offset !== max32) return end;
  const locator = await bytes.read(at - zip64LocatorBytes, zip64LocatorBytes);
  if (u32(locator, 0) !== zip64LocatorSignature) return end;
  // Bytes in front of the archive shift where it is: then it lies right before its locator.
  for (const position of [u64(locator, 8), at - zip64LocatorBytes - zip64EndBytes]) {
    const large = await bytes.read(position, zip64EndBytes);
    if (large.length < zip64EndBytes || u32(large, 0) !== zip64EndSignature) continue;
    return {
      at,
      directoryEnd: position,
      counted: u64(large, 32),
      sizeBytes: u64(large, 40),
      offset: u64(large, 48),
      disk: u32(large, 16),
    };
  }
  return end;
}

/** The records that follow each other from one place on. */
interface Walk {
  start: number;
  end: number;
  entries: ListedEntry[];
  isCut: boolean;
}

/**
 * The directory lies right before its end, and where the end record points: one of the two may be a lie, or shifted by
 * bytes in front. The one that leads to its end is it, and of two the longer one. Null when neither is one.
 */
async function bestWalk(
  bytes: ArchiveBytes,
  { directoryEnd, sizeBytes, offset, counted }: End,
  most: number,
): Promise<Walk | null> {
  const walks: Walk[] = [];
  for (const start of new Set([directoryEnd - sizeBytes, offset])) {
    if (start < bytes.from || start >= directoryEnd) continue;
    const walk = await walkFrom(bytes, start, start - offset, most);
    if (walk.entries.length > 0) walks.push(walk);
  }
  const rank = ({ end, isCut, entries }: Walk): number =>
    (end === directoryEnd || isCut ? 2 ** 32 : 0) + entries.length;
  const [best] = walks.toSorted((a, b) => rank(b) - rank(a));
  if (best === undefined)
    return counted === 0 && sizeBytes === 0
      ? { start: directoryEnd, end: directoryEnd, entries: [], isCut: false }
      : null;
  return best;
}

async function walkFrom(bytes: ArchiveBytes, start: number, shift: number, most: number): Promise<Walk> {
  const entries: ListedEntry[] = [];
  let at = start;
  for (let keptBytes = 0; ;) {
    const record = await readListed(bytes, at);
    if (record === null) return { start, end: at, entries, isCut: false };
    keptBytes += record.length;
    if (entries.length === most || keptBytes > mostKeptBytes) return { start, end: at, entries, isCut: true };
    entries.push({ ...record.entry, localAt: await placeOf(bytes, record.entry.localAt, shift) });
    at += record.length;
  }
}

/** Null where no record of a directory begins. */
export async function readListed(
  bytes: ArchiveBytes,
  at: number,
): Promise<{ entry: ListedEntry; length: number } | null> {
  const fixed = await bytes.read(at, centralHeaderBytes);
  if (fixed.length < centralHeaderBytes || u32(fixed, 0) !== centralSignature) return null;
  const [nameBytes, extraBytes, commentBytes] = [u16(fixed, 28), u16(fixed, 30), u16(fixed, 32)];
  const facts = {
    flags: u16(fixed, 8),
    method: u16(fixed, 10),
    time: u16(fixed, 12),
    crc32: u32(fixed, 16),
    mode: u32(fixed, 38) >>> 16,
  };
  const sizes = { storedBytes: u32(fixed, 20), plainBytes: u32(fixed, 24), localAt: u32(fixed, 42) };
  const tail = Uint8Array.from(await bytes.read(at + centralHeaderBytes, nameBytes + extraBytes));
  if (tail.length < nameBytes + extraBytes) return null;
  const extra = tail.subarray(nameBytes);
  return {
    entry: { rawName: tail.subarray(0, nameBytes), extra, ...facts, ...enlarged(sizes, extra) },
    length: centralHeaderBytes + nameBytes + extraBytes + commentBytes,
  };
}

/** What does not fit 32 bits is in a zip64 field, in this order. */
function enlarged(sizes: Pick<ListedEntry, 'storedBytes' | 'plainBytes' | 'localAt'>, extra: Uint8Array): typeof sizes {
  const field = extraField(extra, zip64FieldId);
  if (field === null) return sizes;
  let at = 0;
  const next = (value: number): number =>
    value === max32 && at + 8 <= field.length ? u64(field, (at += 8) - 8) : value;
  const plainBytes = next(sizes.plainBytes);
  const storedBytes = next(sizes.storedBytes);
  return { plainBytes, storedBytes, localAt: next(sizes.localAt) };
}

/** Offsets count from the beginning of the archive, or of the file: the bytes at each place decide. */
async function placeOf(bytes: ArchiveBytes, offset: number, shift: number): Promise<number> {
  if (shift === 0) return offset;
  for (const position of [offset + shift, offset])
    if (u32(await bytes.read(position, 4), 0) === localSignature) return position;
  return offset + shift;
}

/** Null where no local header lies whole. */
export async function readLocal(bytes: ArchiveBytes, at: number): Promise<LocalEntry | null> {
  const fixed = await bytes.read(at, localHeaderBytes);
  if (fixed.length < localHeaderBytes || u32(fixed, 0) !== localSignature) return null;
  const [nameBytes, extraBytes] = [u16(fixed, 26), u16(fixed, 28)];
  const facts = { flags: u16(fixed, 6), method: u16(fixed, 8), time: u16(fixed, 10), crc32: u32(fixed, 14) };
  const sizes = { storedBytes: u32(fixed, 18), plainBytes: u32(fixed, 22), localAt: 0 };
  const dataAt = at + localHeaderBytes + nameBytes + extraBytes;
  const tail = Uint8Array.from(await bytes.read(at + localHeaderBytes, nameBytes + extraBytes));
  if (tail.length < nameBytes + extraBytes) return null;
  const extra = tail.subarray(nameBytes);
  const { storedBytes, plainBytes } = enlarged(sizes, extra);
  return { at, dataAt, rawName: tail.subarray(0, nameBytes), extra, ...facts, storedBytes, plainBytes };
}

/**
 * A number of another disk alone means nothing, as some malware writes one: it is split when its entries are not here.
 */
async function isSplit(bytes: ArchiveBytes, end: End, entries: readonly ListedEntry[]): Promise<boolean> {
  if (end.disk === 0 || end.disk === max16 || entries[0] === undefined) return false;
  return u32(await bytes.read(entries[0].localAt, 4), 0) !== localSignature;
}

function remarksOf({ from }: ArchiveBytes, { counted }: End, { start, entries, isCut }: Walk): ArchiveRemark[] {
  // A count of 16 bits that runs over is how old tools write more than 65,535 entries.
  const isWrong = !isCut && counted !== entries.length && counted !== entries.length % (max16 + 1);
  const first = entries.reduce((least, { localAt }) => Math.min(least, localAt), entries.length === 0 ? 0 : start);
  return [
    ...(isWrong ? [{ kind: 'count-wrong' as const, counted, listed: entries.length }] : []),
    ...(first > 0 && from === 0 ? [{ kind: 'bytes-in-front' as const, bytes: first }] : []),
  ];
}
