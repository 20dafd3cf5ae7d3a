import { fail } from '../../../shared/failure.ts';
import { ZipDirectory } from './zip-directory.ts';
import { encryptedWith, type ZipProtection } from '../encryption/zip-encryption.ts';
import { requireSafeName } from '../export/exported-name.ts';
import { encryptionOf, recordOf } from './zip-entry.ts';
import { checksumOf, wholeOf, type ZipMember } from './zip-member.ts';
import { localHeader, zip64Limits, type Zip64Limits } from './write-zip-records.ts';

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
