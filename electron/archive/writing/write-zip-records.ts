import { crc32 } from 'node:zlib';
import type { ByteSource } from '../byte-source.ts';
import {
  centralSignature,
  descriptorSignature,
  endSignature,
  localSignature,
  max16,
  max32,
  utf8Flag,
  zip64EndSignature,
  zip64FieldId,
  zip64LocatorSignature,
} from '../reading/read-zip-records.ts';

/**
 * The records of a ZIP as APPNOTE.TXT 6.3.10 defines them, pure; little-endian. A header has its sizes, so that old
 * tools do not stumble over data descriptors; where those cannot be helped, `dataDescriptor` writes them.
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

interface PlacedRecord extends EntryRecord {
  /** Where its local header begins. */
  offset: number;
}

interface Directory {
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
/** Made on Unix (3), where the upper half of the attributes is the mode: a plain file that no one can execute. */
const madeBy = (3 << 8) | 63;
const plainFileAttributes = (0o100600 << 16) >>> 0;
/** 1980-01-01, the format's zero: it has no time zone, and no header shows when a sample left. */
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

function centralHeader(entry: PlacedRecord, limits: Zip64Limits): Buffer {
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
function endRecords(directory: Directory, limits: Zip64Limits): Buffer {
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

/** The limits an entry keeps in all its records; `mostBytes` is what its larger size may grow to. */
export function limitsFor(mostBytes: number, limits: Zip64Limits): Zip64Limits {
  return mostBytes >= limits.bytesFrom ? { ...limits, bytesFrom: 0 } : limits;
}

/**
 * For entries whose CRC and stored size are known only once their bytes are written: the header before them has zero,
 * and a data descriptor behind them has the values (APPNOTE.TXT 4.3.9). An entry that may outgrow 32 bits has a zip64
 * field in that header, which makes the descriptor's sizes 64 bits long.
 */
export function headerBeforeDescriptor(entry: EntryRecord, limits: Zip64Limits): Buffer {
  return localHeader({ ...entry, crc32: 0, storedBytes: 0, plainBytes: 0 }, limits);
}

export function dataDescriptor({ crc32: checksum, storedBytes, plainBytes }: EntryRecord, limits: Zip64Limits): Buffer {
  const isZip64 = limits.bytesFrom === 0;
  const descriptor = Buffer.alloc(isZip64 ? 24 : 16);
  descriptor.writeUInt32LE(descriptorSignature, 0);
  descriptor.writeUInt32LE(checksum, 4);
  for (const [index, bytes] of [storedBytes, plainBytes].entries()) {
    if (isZip64) descriptor.writeBigUInt64LE(BigInt(bytes), 8 + index * 8);
    else descriptor.writeUInt32LE(bytes, 8 + index * 4);
  }
  return descriptor;
}

const headersTogether = 512;

/** The table at the end of a ZIP, gathered while its entries are written: about 120 bytes of memory for each. */
export class ZipDirectory {
  readonly #limits: Zip64Limits;
  readonly #whole: Buffer[] = [];
  #latest: Buffer[] = [];
  #sizeBytes = 0;
  #entries = 0;

  constructor(limits: Zip64Limits) {
    this.#limits = limits;
  }

  /** `offset` is where the entry's local header begins; `limits` are those its other records keep. */
  add(record: EntryRecord, offset: number, limits = this.#limits): void {
    const header = centralHeader({ ...record, offset }, limits);
    this.#entries += 1;
    this.#sizeBytes += header.length;
    this.#latest.push(header);
    if (this.#latest.length < headersTogether) return;
    this.#whole.push(Buffer.concat(this.#latest));
    this.#latest = [];
  }

  /** What ends the archive, `offset` being where it begins. */
  *end(offset: number): Generator<Buffer, void, void> {
    yield* this.#whole;
    yield* this.#latest;
    yield endRecords({ entries: this.#entries, offset, sizeBytes: this.#sizeBytes }, this.#limits);
  }
}

/** What becomes an entry of a ZIP that is written. */
export interface ZipMember {
  name: string;
  /** How many bytes `open` gives. */
  sizeBytes: number;
  open(): ByteSource;
}

/**
 * All its bytes. Its size is known before them: any other number of bytes would make an archive that misleads its
 * reader, and is a defect.
 */
export async function* wholeOf(member: ZipMember): AsyncGenerator<Uint8Array, void, void> {
  let left = member.sizeBytes;
  for await (const piece of member.open()) {
    left -= piece.length;
    if (left < 0) break;
    yield piece;
  }
  if (left !== 0) throw new Error(`${member.name} is not ${member.sizeBytes} bytes long`);
}

export async function checksumOf(bytes: ByteSource): Promise<number> {
  let checksum = 0;
  for await (const chunk of bytes) checksum = crc32(chunk, checksum);
  return checksum;
}
