import { crc32 } from 'node:zlib';
import { fail } from '../../shared/failure.ts';
import type { ByteSource } from './byte-source.ts';
import { ZipDirectory } from './zip-directory.ts';
import { encryptedWith, type ZipProtection } from './zip-encryption.ts';
import { encryptionOf, recordOf, requireSafeName } from './zip-entry.ts';
import { localHeader, zip64Limits, type Zip64Limits } from './zip-records.ts';

export interface ZipMember {
  /** A hash in lower case, or a manifest's name. */
  name: string;
  /** How many bytes `open` gives. */
  sizeBytes: number;
  /** May be called twice: ZipCrypto needs the CRC before the first byte. */
  open(): ByteSource;
}

export type ZipMembers = Iterable<ZipMember> | AsyncIterable<ZipMember>;

/**
 * A password ZIP of the members in their order, stored and streamed: memory does not grow with their sizes. When a
 * member cannot be read to its end the iteration throws what it threw, before any record that would make the archive
 * look complete. A member is asked for when the one before it is written.
 * @throws FailureError `password-empty`, at once
 */
export function writeSampleZip(members: ZipMembers, protection: ZipProtection): AsyncIterable<Uint8Array> {
  return writeZip(members, protection, zip64Limits);
}

/** As `writeSampleZip`, with the limits at which the format grows to 64 bits lowered, to test that without 4 GiB. */
export function writeZip(members: ZipMembers, protection: ZipProtection, limits: Zip64Limits): AsyncIterable<Uint8Array> {
  if (protection.password === '') fail({ kind: 'password-empty' });
  return zipOf(members, protection, limits);
}

async function* zipOf(members: ZipMembers, protection: ZipProtection, limits: Zip64Limits): AsyncGenerator<Uint8Array, void, void> {
  const directory = new ZipDirectory(limits);
  let offset = 0;
  for await (const member of members) {
    requireSafeName(member.name);
    const encryption = encryptionOf(protection, protection.encryption === 'zipcrypto' ? await checksumOf(wholeOf(member)) : 0);
    const record = recordOf({ ...member, crc32: encryption.crc32 }, encryption);
    const header = localHeader(record, limits);
    yield header;
    yield* encryptedWith(encryption.open(), wholeOf(member));
    directory.add(record, offset);
    offset += header.length + record.storedBytes;
  }
  yield* directory.end(offset);
}

async function checksumOf(bytes: ByteSource): Promise<number> {
  let checksum = 0;
  for await (const chunk of bytes) checksum = crc32(chunk, checksum);
  return checksum;
}

/** The header has said how many bytes there are; any other number would make an archive that misleads its reader. */
async function* wholeOf(member: ZipMember): AsyncGenerator<Uint8Array, void, void> {
  let left = member.sizeBytes;
  for await (const piece of member.open()) {
    left -= piece.length;
    if (left < 0) break;
    yield piece;
  }
  if (left !== 0) throw new Error(`${member.name} is not of the ${member.sizeBytes} bytes it was said to have`);
}
