import type { Failure } from '../../../shared/failure.ts';
import { shownName } from '../archive-names.ts';
import { type EntryDecryption, winZipAesDecryption, zipCryptoDecryption } from '../encryption/zip-encryption.ts';
import {
  aesMethod,
  descriptorFlag,
  encryptedFlag,
  extraField,
  isReadableMethod,
  methodName,
  mostExpansion,
  storedMethod,
  u16,
} from './read-zip-records.ts';
import type { EntryHeader, LocalEntry } from './zip-directory.ts';
import type { ArchiveBytes } from './zip-source.ts';
import { damagedEntry, inflated, inflatedAtOnce, type NextPiece, pieceBytes, verified } from './zip-stream-feed.ts';

/** An entry whose bytes are known to lie inside the archive and over no other entry. */
export interface PlacedEntry {
  name: string;
  method: number;
  position: number;
  storedBytes: number;
  plainBytes: number;
  /** Null when the encryption proves the bytes instead. */
  crc32: number | null;
  encryption: EntryDecryption | null;
}

/**
 * WinZip's extra field (https://www.winzip.com/en/support/aes-encryption/): which of its kinds, and the compression
 * under it.
 */
export function aesOf({ extra }: EntryHeader): { vendorVersion: number; strength: number; method: number } | null {
  const field = extraField(extra, 0x9901);
  return field === null || field.length < 7
    ? null
    : { vendorVersion: u16(field, 0), strength: field[4] ?? 0, method: u16(field, 5) };
}

/** How an entry is encrypted, or null. */
export function encryptionOf(header: EntryHeader): EntryDecryption | null {
  const { flags, method, time, crc32 } = header;
  if (method === aesMethod) {
    const aes = aesOf(header);
    return winZipAesDecryption(aes?.strength ?? 0, aes?.vendorVersion ?? 0);
  }
  if ((flags & encryptedFlag) === 0) return null;
  // Of an entry whose CRC was not yet known, the upper byte of the time replaces that of the CRC.
  return zipCryptoDecryption((flags & descriptorFlag) !== 0 ? time >>> 8 : crc32 >>> 24);
}

/** Bytes of the entry itself, without what its encryption adds. */
export const packedBytesOf = (storedBytes: number, encryption: EntryDecryption | null): number =>
  storedBytes - (encryption === null ? 0 : encryption.headBytes + encryption.tailBytes);

/** A short entry is tried whole: then a password that only seemed right is known before anybody relies on it. */
const triedWholeBytes = 8 * 2 ** 20;

/** Which password opens the entry, or null. */
export async function passwordOf(
  bytes: ArchiveBytes,
  entry: PlacedEntry,
  encryption: EntryDecryption,
  passwords: readonly string[],
): Promise<string | null> {
  const head = await bytes.read(entry.position, encryption.headBytes);
  const opening: string[] = [];
  for (const password of passwords) if ((await encryption.open(password, head)) !== null) opening.push(password);
  const isSure = opening.length === 1 && (encryption.isSure || entry.storedBytes > triedWholeBytes);
  if (isSure) return opening[0] ?? null;
  for (const password of opening) if (await opensWhole(bytes, entry, password)) return password;
  return null;
}

/** Whether its bytes match their checksum. */
export async function opensWhole(bytes: ArchiveBytes, entry: PlacedEntry, password: string | null): Promise<boolean> {
  const chunks = entryChunks(bytes, entry, password, () => undefined);
  try {
    for (let result = await chunks.next(); result.done !== true;) result = await chunks.next();
    return true;
  } catch {
    bytes.requireSound();
    return false;
  }
}

/** `readBytes` is how much of the archive the entry has taken until then. */
export type SpendOnEntry = (bytes: number, memberBytes: number, readBytes: number) => void;

/** The entry's bytes, decrypted, inflated and verified. Throws as `verified` does. */
export async function* entryChunks(
  bytes: ArchiveBytes,
  entry: PlacedEntry,
  password: string | null,
  spend: SpendOnEntry,
): AsyncGenerator<Uint8Array, void, void> {
  const pieces =
    password === null || entry.encryption === null
      ? bytes.pieces(entry.position, entry.storedBytes)
      : decrypted(bytes, entry, entry.encryption, password);
  let readBytes = 0;
  const next: NextPiece = async () => {
    const { value, done } = await pieces.next();
    if (done === true) return null;
    readBytes += value.length;
    return value;
  };
  try {
    const plain = entry.method === storedMethod ? all(next) : inflatedFrom(next, entry);
    yield* verified(plain, {
      name: entry.name,
      sizeBytes: entry.plainBytes,
      crc32: entry.crc32,
      spend: (chunkBytes, memberBytes) => spend(chunkBytes, memberBytes, readBytes),
    });
    // What proves the bytes is behind the last of them.
    while ((await next()) !== null);
  } finally {
    await pieces.return();
  }
}

async function* all(next: NextPiece): AsyncGenerator<Uint8Array, void, void> {
  for (let piece = await next(); piece !== null; piece = await next()) yield piece;
}

async function* inflatedFrom(
  next: NextPiece,
  { name, storedBytes }: PlacedEntry,
): AsyncGenerator<Uint8Array, void, void> {
  const first = await next();
  const short = first !== null && storedBytes <= pieceBytes ? inflatedAtOnce(first) : null;
  let given = first === null;
  const firstThenNext: NextPiece = async () => {
    if (given) return next();
    given = true;
    return first;
  };
  if (short === null) yield* inflated(firstThenNext, name);
  else yield short.plain;
}

async function* decrypted(
  bytes: ArchiveBytes,
  entry: PlacedEntry,
  encryption: EntryDecryption,
  password: string,
): AsyncGenerator<Uint8Array, void, void> {
  const { headBytes, tailBytes } = encryption;
  const decipher = await encryption.open(password, await bytes.read(entry.position, headBytes));
  if (decipher === null) throw new Error('the password was tried before');
  const end = entry.position + entry.storedBytes - tailBytes;
  for await (const piece of bytes.pieces(entry.position + headBytes, end - entry.position - headBytes)) {
    const own = new Uint8Array(piece);
    decipher.update(own);
    yield own;
  }
  if (!decipher.isAuthentic(await bytes.read(end, tailBytes)))
    damagedEntry(entry.name, 'Its authentication code does not match');
}

/**
 * How the bytes may be meant, the likeliest first: by the directory, by the local header, without the encryption that
 * is claimed (Android ignores the claim), and as they lie there (it takes an unknown method for none).
 */
export function attemptsAt(name: string, said: EntryHeader, local: LocalEntry): PlacedEntry[] {
  const sizes = { storedBytes: said.storedBytes, plainBytes: said.plainBytes, crc32: said.crc32 };
  const own =
    (local.flags & descriptorFlag) === 0
      ? { storedBytes: local.storedBytes, plainBytes: local.plainBytes, crc32: local.crc32 }
      : sizes;
  const headers: EntryHeader[] = [said];
  if (local.method !== said.method || ((local.flags ^ said.flags) & encryptedFlag) !== 0)
    headers.push({ ...local, ...sizes });
  if (own.storedBytes !== sizes.storedBytes || own.plainBytes !== sizes.plainBytes || own.crc32 !== sizes.crc32)
    headers.push({ ...said, ...own });
  for (const header of headers.slice()) {
    const isEncrypted = (header.flags & encryptedFlag) !== 0 && header.method !== aesMethod;
    if (isEncrypted) headers.push({ ...header, flags: header.flags & ~encryptedFlag });
  }
  const isOdd = headers.length > 1 || !isReadableMethod(said.method);
  if (isOdd && sizes.storedBytes === sizes.plainBytes && sizes.plainBytes > 0)
    headers.push({ ...said, method: storedMethod, flags: said.flags & ~encryptedFlag });
  return headers.flatMap((header) => placed(name, header, local.dataAt) ?? []);
}

/** Null where it cannot be read so. */
function placed(name: string, header: EntryHeader, position: number): PlacedEntry | null {
  if (unsupported(name, header) !== null || !isPossible(header)) return null;
  const encryption = encryptionOf(header);
  const { storedBytes, plainBytes, crc32 } = header;
  const method = header.method === aesMethod ? (aesOf(header)?.method ?? storedMethod) : header.method;
  return {
    name,
    method,
    position,
    storedBytes,
    plainBytes,
    encryption,
    crc32: encryption?.authenticates === true ? null : crc32,
  };
}

const strongEncryptionFlags = 0x0040 | 0x2000;

export function unsupported(name: string, header: EntryHeader): Failure | null {
  const aes = aesOf(header);
  const method = header.method === aesMethod && aes !== null ? aes.method : header.method;
  const feature = ((): string | null => {
    if (header.method === aesMethod && (aes === null || aes.strength < 1 || aes.strength > 3))
      return 'an unknown AES variant';
    if (!isReadableMethod(method)) return methodName(method);
    return (header.flags & strongEncryptionFlags) !== 0 && (header.flags & encryptedFlag) !== 0
      ? 'PKWARE strong encryption'
      : null;
  })();
  return feature === null ? null : { kind: 'archive-unsupported', name: shownName(name), feature };
}

export function isPossible(header: EntryHeader): boolean {
  const { plainBytes, storedBytes } = header;
  const packed = packedBytesOf(storedBytes, encryptionOf(header));
  const method = header.method === aesMethod ? (aesOf(header)?.method ?? storedMethod) : header.method;
  return method === storedMethod ? plainBytes === packed : packed >= 0 && plainBytes <= packed * mostExpansion;
}
