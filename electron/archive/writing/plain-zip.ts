import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { crc32, createDeflateRaw, deflateRaw } from 'node:zlib';
import { type ByteSource, startingWith } from '../byte-source.ts';
import { deflatedMethod, descriptorFlag, storedMethod } from '../reading/read-zip-records.ts';
import {
  dataDescriptor,
  type EntryRecord,
  headerBeforeDescriptor,
  limitsFor,
  localHeader,
  wholeOf,
  zip64Limits,
  type Zip64Limits,
  ZipDirectory,
  type ZipMember,
} from './write-zip-records.ts';

/** Up to this size a member is held in memory, and its header has its CRC and sizes. */
export const heldBytesAtMost = 1024 * 1024;
const version = 20;

/** How an entry ended: its records, the limits they keep, and the bytes it took in the archive. */
interface WrittenEntry {
  record: EntryRecord;
  limits: Zip64Limits;
  entryBytes: number;
}
type EntryWriting = AsyncGenerator<Uint8Array, WrittenEntry, void>;

/**
 * A ZIP without a password, in the order of its members, whose names are not judged; each is opened once. Streamed:
 * memory does not grow with their sizes or number, but for the directory at its end. When a member cannot be read to
 * its end the iteration throws what it threw, before any record that would make the archive look complete. Lower limits
 * are for tests.
 */
export async function* writePlainZip(
  members: Iterable<ZipMember> | AsyncIterable<ZipMember>,
  limits: Zip64Limits = zip64Limits,
): AsyncGenerator<Uint8Array, void, void> {
  const directory = new ZipDirectory(limits);
  let offset = 0;
  for await (const member of members) {
    const entry = yield* member.sizeBytes <= heldBytesAtMost
      ? heldEntry(member, limits)
      : streamedEntry(member, limits);
    directory.add(entry.record, offset, entry.limits);
    offset += entry.entryBytes;
  }
  yield* directory.end(offset);
}

async function* heldEntry(member: ZipMember, limits: Zip64Limits): EntryWriting {
  const bytes = await gathered(member);
  const deflated = await deflatedWhole(bytes);
  const body = deflated ?? bytes;
  const record: EntryRecord = {
    ...recordOf(member),
    method: deflated === null ? storedMethod : deflatedMethod,
    crc32: crc32(bytes),
    storedBytes: body.length,
  };
  const entry = Buffer.concat([localHeader(record, limits), body]);
  yield entry;
  return { record, limits, entryBytes: entry.length };
}

async function* streamedEntry(member: ZipMember, limits: Zip64Limits): EntryWriting {
  const own = limitsFor(deflatedAtMost(member.sizeBytes), limits);
  const record: EntryRecord = { ...recordOf(member), method: deflatedMethod, flags: descriptorFlag };
  const header = headerBeforeDescriptor(record, own);
  yield header;
  for await (const piece of deflatedPieces(checksummed(member, record))) {
    record.storedBytes += piece.length;
    yield piece;
  }
  const descriptor = dataDescriptor(record, own);
  yield descriptor;
  return { record, limits: own, entryBytes: header.length + record.storedBytes + descriptor.length };
}

const recordOf = ({ name, sizeBytes }: ZipMember): EntryRecord => ({
  name,
  method: storedMethod,
  flags: 0,
  version,
  crc32: 0,
  storedBytes: 0,
  plainBytes: sizeBytes,
  extra: new Uint8Array(0),
});

async function gathered(member: ZipMember): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of wholeOf(member)) pieces.push(piece);
  return Buffer.concat(pieces);
}

/** All its bytes; the record has their CRC when they have ended. */
async function* checksummed(member: ZipMember, record: EntryRecord): AsyncGenerator<Uint8Array, void, void> {
  for await (const piece of wholeOf(member)) {
    record.crc32 = crc32(piece, record.crc32);
    yield piece;
  }
}

const pieceBytes = 128 * 1024;
const deflateWhole = promisify(deflateRaw);

/** The bytes in fewer, or null when there are none fewer. For what is in memory anyway. */
async function deflatedWhole(bytes: Uint8Array): Promise<Buffer | null> {
  const deflated = await deflateWhole(bytes);
  return deflated.length < bytes.length ? deflated : null;
}

/**
 * Deflates (RFC 1951) off the thread, as it is read. Packed samples do not shrink, so whether to try is decided by
 * their first piece; what is not tried is still framed, because a DEFLATE stream shows where it ends, and bytes alone
 * do not.
 */
async function* deflatedPieces(bytes: ByteSource): AsyncGenerator<Uint8Array, void, void> {
  const pieces = iterate(bytes);
  try {
    const first = await pieces.next();
    const level = first.done || (await shrinks(first.value)) ? 1 : 0;
    yield* throughDeflate(startingWith(first, pieces), level);
  } finally {
    await pieces.return?.();
  }
}

/** The most bytes `deflatedPieces` makes of so many: a frame of five bytes for each block, and an end. */
export const deflatedAtMost = (sizeBytes: number): number => sizeBytes + Math.ceil(sizeBytes / 4096) * 5 + 64;

async function shrinks(piece: Uint8Array): Promise<boolean> {
  return (await deflateWhole(piece, { level: 1 })).length < piece.length * 0.9;
}

async function* throughDeflate(
  bytes: AsyncIterable<Uint8Array>,
  level: number,
): AsyncGenerator<Uint8Array, void, void> {
  const deflate = createDeflateRaw({ level, chunkSize: pieceBytes });
  // What breaks the feeding breaks the reading too, which is where it is thrown.
  const feeding = Promise.allSettled([pipeline(bytes, deflate)]);
  const deflated: AsyncIterable<Uint8Array> = deflate;
  try {
    yield* deflated;
  } finally {
    deflate.destroy();
    await feeding;
  }
}

async function* iterate(bytes: ByteSource): AsyncGenerator<Uint8Array, void, void> {
  yield* bytes;
}
