import type { ZipEncryption } from '../../shared/domain/settings.ts';
import { hashKindOf } from '../../shared/domain/hash.ts';
import { fail } from '../../shared/failure.ts';
import type { ByteSource } from './byte-source.ts';
import { manifestName } from './export-manifest.ts';
import { winZipAes } from './winzip-aes.ts';
import { zipCrypto } from './zip-crypto.ts';
import { type EntryEncryption } from './zip-encryption.ts';
import { centralHeader, endRecords, localHeader, zip64Limits, type PlacedRecord, type Zip64Limits } from './zip-records.ts';

export interface ZipMember {
  /** A hash in lower case, or `manifest.csv`: a sample's own name never becomes the name of a file. */
  name: string;
  /** How many bytes `open` gives. */
  sizeBytes: number;
  /** May be called twice: ZipCrypto needs the CRC before the first byte. */
  open(): ByteSource;
}

export interface SampleZipOptions {
  encryption: ZipEncryption;
  /** Encoded as UTF-8. Tools of one code page open it with ASCII passwords only. */
  password: string;
}

const encryptedFlag = 1;

/**
 * A password ZIP of the members in their order, stored and streamed: memory does not grow with their sizes. When a
 * member cannot be read to its end the iteration throws what it threw, before any record that would make the archive
 * look complete.
 * @throws FailureError `password-empty`, at once
 */
export function writeSampleZip(members: readonly ZipMember[], options: SampleZipOptions): AsyncIterable<Uint8Array> {
  return writeZip(members, options, zip64Limits);
}

/** As `writeSampleZip`, with the limits at which the format grows to 64 bits lowered, to test that without 4 GiB. */
export function writeZip(members: readonly ZipMember[], options: SampleZipOptions, limits: Zip64Limits): AsyncIterable<Uint8Array> {
  if (options.password === '') fail({ kind: 'password-empty' });
  for (const { name } of members) requireSafeName(name);
  return zipOf(members, options, limits);
}

async function* zipOf(members: readonly ZipMember[], options: SampleZipOptions, limits: Zip64Limits): AsyncGenerator<Uint8Array, void, void> {
  const written: PlacedRecord[] = [];
  let offset = 0;
  for (const member of members) {
    const encryption = await encryptionFor(member, options);
    const record = recordOf(member, encryption);
    const header = localHeader(record, limits);
    yield header;
    yield* encryption.encrypt(wholeOf(member));
    written.push({ ...record, offset });
    offset += header.length + record.storedBytes;
  }
  yield* directoryOf(written, offset, limits);
}

function* directoryOf(written: readonly PlacedRecord[], offset: number, limits: Zip64Limits): Generator<Uint8Array, void, void> {
  let sizeBytes = 0;
  for (const record of written) {
    const header = centralHeader(record, limits);
    sizeBytes += header.length;
    yield header;
  }
  yield endRecords({ entries: written.length, offset, sizeBytes }, limits);
}

async function encryptionFor(member: ZipMember, { encryption, password }: SampleZipOptions): Promise<EntryEncryption> {
  return encryption === 'aes-256' ? winZipAes(password) : zipCrypto(password, () => wholeOf(member));
}

function recordOf({ name, sizeBytes }: ZipMember, { method, version, extra, overheadBytes, crc32 }: EntryEncryption): Omit<PlacedRecord, 'offset'> {
  return { name, method, flags: encryptedFlag, version, crc32, storedBytes: sizeBytes + overheadBytes, plainBytes: sizeBytes, extra };
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

function requireSafeName(name: string): void {
  const isHash = hashKindOf(name) !== null && name === name.toLowerCase();
  if (!isHash && name !== manifestName) throw new TypeError('a member is named by its hash');
}
