import { crc32 } from 'node:zlib';
import type { ByteSource } from './byte-source.ts';
import { dataDescriptor, descriptorFollows, headerBeforeDescriptor, limitsFor } from './data-descriptor.ts';
import { deflatedAtMost, deflatedMethod, deflatedPieces, deflatedWhole } from './deflated.ts';
import { storedMethod } from './zip-encryption.ts';
import { centralHeader, endRecords, localHeader, zip64Limits, type EntryRecord, type PlacedRecord, type Zip64Limits } from './zip-records.ts';

export interface PlainMember {
  /** ASCII; the writer does not judge it. */
  name: string;
  /** How many bytes `open` gives. */
  sizeBytes: number;
  /** Called once. */
  open(): ByteSource;
}

/** Up to this size a member is held in memory, and its header says its CRC and sizes. */
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
 * A ZIP without a password, in the order of its members, streamed: memory does not grow with their sizes or number, but
 * for the directory at its end. When a member cannot be read to its end the iteration throws what it threw, before any
 * record that would make the archive look complete. Lower limits are for tests.
 */
export async function* writePlainZip(members: Iterable<PlainMember>, limits: Zip64Limits = zip64Limits): AsyncGenerator<Uint8Array, void, void> {
  const written: { record: PlacedRecord; limits: Zip64Limits }[] = [];
  let offset = 0;
  for (const member of members) {
    const entry = yield* member.sizeBytes <= heldBytesAtMost ? heldEntry(member, limits) : streamedEntry(member, limits);
    written.push({ record: { ...entry.record, offset }, limits: entry.limits });
    offset += entry.entryBytes;
  }
  let sizeBytes = 0;
  for (const { record, limits: own } of written) {
    const header = centralHeader(record, own);
    sizeBytes += header.length;
    yield header;
  }
  yield endRecords({ entries: written.length, offset, sizeBytes }, limits);
}

async function* heldEntry(member: PlainMember, limits: Zip64Limits): EntryWriting {
  const bytes = await gathered(member);
  const deflated = await deflatedWhole(bytes);
  const body = deflated ?? bytes;
  const record: EntryRecord = {
    ...recordOf(member), method: deflated === null ? storedMethod : deflatedMethod, crc32: crc32(bytes), storedBytes: body.length,
  };
  const entry = Buffer.concat([localHeader(record, limits), body]);
  yield entry;
  return { record, limits, entryBytes: entry.length };
}

async function* streamedEntry(member: PlainMember, limits: Zip64Limits): EntryWriting {
  const own = limitsFor(deflatedAtMost(member.sizeBytes), limits);
  const record: EntryRecord = { ...recordOf(member), method: deflatedMethod, flags: descriptorFollows };
  const header = headerBeforeDescriptor(record, own);
  yield header;
  for await (const piece of deflatedPieces(wholeOf(member, (checksum) => (record.crc32 = checksum)))) {
    record.storedBytes += piece.length;
    yield piece;
  }
  const descriptor = dataDescriptor(record, own);
  yield descriptor;
  return { record, limits: own, entryBytes: header.length + record.storedBytes + descriptor.length };
}

const recordOf = ({ name, sizeBytes }: PlainMember): EntryRecord => ({
  name, method: storedMethod, flags: 0, version, crc32: 0, storedBytes: 0, plainBytes: sizeBytes, extra: new Uint8Array(0),
});

async function gathered(member: PlainMember): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of wholeOf(member, () => {})) pieces.push(piece);
  return Buffer.concat(pieces);
}

/** Any other number of bytes than was said would make an archive that misleads its reader. */
async function* wholeOf(member: PlainMember, checked: (crc32: number) => void): AsyncGenerator<Uint8Array, void, void> {
  let left = member.sizeBytes;
  let checksum = 0;
  for await (const piece of member.open()) {
    left -= piece.length;
    if (left < 0) break;
    checksum = crc32(piece, checksum);
    yield piece;
  }
  if (left !== 0) throw new Error(`${member.name} is not of the ${member.sizeBytes} bytes it was said to have`);
  checked(checksum);
}
