import { winZipAes } from '../encryption/winzip-aes.ts';
import { zipCrypto } from '../encryption/zip-crypto.ts';
import type { ArchiveEncryption, EntryEncryption, ZipProtection } from '../encryption/zip-encryption.ts';
import { encryptedFlag } from '../zip-format.ts';
import type { EntryRecord } from './write-zip-records.ts';

/** What must be known of an entry before its first byte is written. */
export interface EntryHead {
  /** As it will stand in the archive: whoever writes it has judged it. */
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
