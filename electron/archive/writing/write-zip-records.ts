import {
  centralSignature,
  endSignature,
  localSignature,
  max16,
  max32,
  utf8Flag,
  zip64EndSignature,
  zip64FieldId,
  zip64LocatorSignature,
} from '../zip-format.ts';

/**
 * The records of a ZIP as APPNOTE.TXT 6.3.10 defines them, pure; little-endian. A header says its sizes, so that old
 * tools do not stumble over data descriptors; where those cannot be helped, `data-descriptor.ts` has them.
 */
export interface EntryRecord {
  /** Well-formed text. One that is more than ASCII is marked as UTF-8 (appendix D). */
  name: string;
  method: number;
  flags: number;
  /** Version needed to extract, times ten. */
  version: number;
  crc32: number;
  /** Bytes as they lie in the archive, and as they come out. */
  storedBytes: number;
  plainBytes: number;
  /** Extra fields that the encryption needs. */
  extra: Uint8Array;
}

export interface PlacedRecord extends EntryRecord {
  /** Where its local header begins. */
  offset: number;
}

export interface Directory {
  entries: number;
  offset: number;
  sizeBytes: number;
}

/** Sizes and offsets from here on need zip64; `entriesFrom` likewise for their number. Lower only in tests. */
export interface Zip64Limits {
  bytesFrom: number;
  entriesFrom: number;
}
export const zip64Limits: Zip64Limits = { bytesFrom: 0xffffffff, entriesFrom: 0xffff };

const zip64Version = 45;
/** Made on Unix (3), where the upper half of the attributes is the mode: a plain file that nobody can execute. */
const madeBy = (3 << 8) | 63;
const plainFileAttributes = (0o100600 << 16) >>> 0;
/** 1980-01-01, the format's zero: it has no time zone, and no header tells when a sample left. */
const dosDate = 0x0021;

export function localHeader(entry: EntryRecord, limits: Zip64Limits): Buffer {
  const large = isLarge(entry, limits);
  const fields = large ? [entry.plainBytes, entry.storedBytes] : [];
  return Buffer.concat([
    u32(localSignature),
    common(entry, large, fields),
    nameBytes(entry),
    zip64Field(fields),
    entry.extra,
  ]);
}

export function centralHeader(entry: PlacedRecord, limits: Zip64Limits): Buffer {
  const large = isLarge(entry, limits);
  const far = entry.offset >= limits.bytesFrom;
  const fields = [...(large ? [entry.plainBytes, entry.storedBytes] : []), ...(far ? [entry.offset] : [])];
  const noComment = u16(0);
  const firstDisk = u16(0);
  const binary = u16(0);
  return Buffer.concat([
    u32(centralSignature),
    u16(madeBy),
    common(entry, large, fields),
    noComment,
    firstDisk,
    binary,
    u32(plainFileAttributes),
    u32(far ? max32 : entry.offset),
    nameBytes(entry),
    zip64Field(fields),
    entry.extra,
  ]);
}

/** What ends the archive: the zip64 records where they are needed, then the end of the central directory. */
export function endRecords(directory: Directory, limits: Zip64Limits): Buffer {
  const { entries, offset, sizeBytes } = directory;
  const needs64 = entries >= limits.entriesFrom || offset >= limits.bytesFrom || sizeBytes >= limits.bytesFrom;
  const count = u16(needs64 ? max16 : entries);
  return Buffer.concat([
    needs64 ? zip64EndRecords(directory) : Buffer.alloc(0),
    u32(endSignature),
    u16(0),
    u16(0),
    count,
    count,
    u32(needs64 ? max32 : sizeBytes),
    u32(needs64 ? max32 : offset),
    u16(0),
  ]);
}

function zip64EndRecords({ entries, offset, sizeBytes }: Directory): Buffer {
  const bytesThatFollow = u64(44);
  const locator = [u32(zip64LocatorSignature), u32(0), u64(offset + sizeBytes), u32(1)];
  return Buffer.concat([
    u32(zip64EndSignature),
    bytesThatFollow,
    u16(madeBy),
    u16(zip64Version),
    u32(0),
    u32(0),
    u64(entries),
    u64(entries),
    u64(sizeBytes),
    u64(offset),
    ...locator,
  ]);
}

const nameBytes = ({ name }: EntryRecord): Buffer => Buffer.from(name, 'utf8');

/** The fields from "version needed" to "extra field length", the same in both headers. */
function common(entry: EntryRecord, large: boolean, zip64: number[]): Buffer {
  const nameLength = nameBytes(entry).length;
  const flags = nameLength === entry.name.length ? entry.flags : entry.flags | utf8Flag;
  return Buffer.concat([
    u16(zip64.length > 0 ? Math.max(entry.version, zip64Version) : entry.version),
    u16(flags),
    u16(entry.method),
    u16(0),
    u16(dosDate),
    u32(entry.crc32),
    u32(large ? max32 : entry.storedBytes),
    u32(large ? max32 : entry.plainBytes),
    u16(nameLength),
    u16(zip64Field(zip64).length + entry.extra.length),
  ]);
}

function zip64Field(values: number[]): Buffer {
  return values.length === 0
    ? Buffer.alloc(0)
    : Buffer.concat([u16(zip64FieldId), u16(values.length * 8), ...values.map(u64)]);
}

const isLarge = (entry: EntryRecord, limits: Zip64Limits): boolean =>
  Math.max(entry.storedBytes, entry.plainBytes) >= limits.bytesFrom;

function u16(value: number): Buffer {
  const buffer = Buffer.alloc(2);
  buffer.writeUInt16LE(value);
  return buffer;
}

function u32(value: number): Buffer {
  const buffer = Buffer.alloc(4);
  buffer.writeUInt32LE(value);
  return buffer;
}

function u64(value: number): Buffer {
  const buffer = Buffer.alloc(8);
  buffer.writeBigUInt64LE(BigInt(value));
  return buffer;
}
