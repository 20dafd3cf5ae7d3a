import { fail } from '../../../shared/failure.ts';
import {
  type ArchiveEncryption,
  encryptedWith,
  type EntryEncryption,
  winZipAes,
  zipCrypto,
  type ZipProtection,
} from '../encryption/zip-encryption.ts';
import { requireSafeName } from '../export/export-manifest.ts';
import { encryptedFlag } from '../reading/read-zip-records.ts';
import {
  checksumOf,
  type EntryRecord,
  localHeader,
  wholeOf,
  zip64Limits,
  type Zip64Limits,
  ZipDirectory,
  type ZipMember,
} from './write-zip-records.ts';

/** `open` may be called twice: ZipCrypto needs the CRC before the first byte. */
type ZipMembers = Iterable<ZipMember> | AsyncIterable<ZipMember>;

/**
 * A password ZIP of the members in their order, stored and streamed: memory does not grow with their sizes. When a
 * member cannot be read to its end the iteration throws what it threw, before any record that would make the archive
 * look complete. A member is asked for when the one before it is written. `requireName` throws at a name that must not
 * be in it: a sample is named by a hash in lower case, or as a manifest. Lower limits are for tests.
 * @throws FailureError `password-empty`, at once
 */
export function writeSampleZip(
  members: ZipMembers,
  protection: ZipProtection,
  limits: Zip64Limits = zip64Limits,
  requireName: (name: string) => void = requireSafeName,
): AsyncIterable<Uint8Array> {
  if (protection.password === '') fail({ kind: 'password-empty' });
  return zipOf(members, protection, limits, requireName);
}

async function* zipOf(
  members: ZipMembers,
  protection: ZipProtection,
  limits: Zip64Limits,
  requireName: (name: string) => void,
): AsyncGenerator<Uint8Array, void, void> {
  const directory = new ZipDirectory(limits);
  const archive = encryptionOf(protection);
  let offset = 0;
  for await (const member of members) {
    requireName(member.name);
    const encryption = archive.entry(protection.encryption === 'zipcrypto' ? await checksumOf(wholeOf(member)) : 0);
    const record = recordOf({ ...member, crc32: encryption.crc32 }, encryption);
    const header = localHeader(record, limits);
    yield header;
    yield* encryptedWith(await encryption.open(), wholeOf(member));
    directory.add(record, offset);
    offset += header.length + record.storedBytes;
  }
  yield* directory.end(offset);
}

/** What must be known of an entry before its first byte is written. */
export interface EntryHead {
  /** As it will be in the archive: the caller has judged it. */
  name: string;
  sizeBytes: number;
  /** Of the plain bytes; ZipCrypto alone needs it. */
  crc32: number;
}

export function encryptionOf({ encryption, password }: ZipProtection): ArchiveEncryption {
  return encryption === 'aes-256' ? winZipAes(password) : zipCrypto(password);
}

export function recordOf(
  { name, sizeBytes }: EntryHead,
  { method, version, extra, overheadBytes, crc32 }: EntryEncryption,
): EntryRecord {
  return {
    name,
    method,
    flags: encryptedFlag,
    version,
    crc32,
    storedBytes: sizeBytes + overheadBytes,
    plainBytes: sizeBytes,
    extra,
  };
}
