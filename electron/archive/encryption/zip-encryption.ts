import { createCipheriv, createHmac, pbkdf2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import type { ZipEncryption } from '../../../shared/domain/settings.ts';
import { releaseBytes } from '../../../shared/release-bytes.ts';
import { type ByteSource, inPiecesOf } from '../byte-source.ts';
import { aesMethod, storedMethod } from '../reading/read-zip-records.ts';

export interface ZipProtection {
  encryption: ZipEncryption;
  /** Encoded as UTF-8. Tools of one code page open it with ASCII passwords only. */
  password: string;
}

/** How the entries of one archive are encrypted. Each needs keys of its own. */
export interface ArchiveEncryption {
  /** `crc32` of the plain entry: ZipCrypto alone needs it. */
  entry(crc32: number): EntryEncryption;
}

/** How one entry of a ZIP is encrypted: the content of its records, and how its bytes change. */
export interface EntryEncryption {
  method: number;
  version: number;
  extra: Uint8Array;
  /** Bytes it adds to the entry. */
  overheadBytes: number;
  /** What the records give as the CRC. */
  crc32: number;
  /** For one pass over the bytes. */
  open(): Promise<EntryCipher>;
}

export interface EntryCipher {
  /** Goes before the bytes. */
  readonly head: Uint8Array;
  /** Encrypts in place. A piece lies at a multiple of four in its buffer; all but the last are multiples of 64 KiB. */
  update(piece: Uint8Array<ArrayBuffer>): void;
  /** Goes behind the bytes. */
  tail(): Uint8Array;
}

/** What of the entry lies in the archive, for bytes that arrive over time. */
export async function* encryptedWith(cipher: EntryCipher, bytes: ByteSource): AsyncGenerator<Uint8Array, void, void> {
  yield cipher.head;
  for await (const piece of inPiecesOf(sliceBytes, bytes)) {
    cipher.update(piece);
    yield piece;
  }
  yield cipher.tail();
}

/** How one entry of a ZIP is decrypted; `EntryEncryption` is the way there. */
export interface EntryDecryption {
  /** Bytes before the entry's own, by which a password is tried, and behind them. */
  headBytes: number;
  tailBytes: number;
  /** A password that passes is the right one but for one in 65,536; else one in 256. */
  isSure: boolean;
  /** The bytes prove themselves at their end, and no CRC is needed: AE-2 has none. */
  authenticates: boolean;
  /** Null when the password is not the right one. */
  open(password: string, head: Uint8Array): Promise<EntryDecipher | null>;
}

interface EntryDecipher {
  /** Decrypts in place. A piece lies at a multiple of four in its buffer; all but the last are multiples of 64 KiB. */
  update(piece: Uint8Array<ArrayBuffer>): void;
  /** Whether the bytes are those that were encrypted, where the encryption can detect it. */
  isAuthentic(tail: Uint8Array): boolean;
}

/**
 * The encryption every ZIP tool knows (APPNOTE.TXT 6.1), kept for old ones. It hides a sample from a scanner and from a
 * double click, but not from a person who means to break it. zip.js would do it too, at five times the work, with the
 * CRC and the sizes behind the bytes, where old tools do not expect them, and with passwords in no encoding at all.
 */
const zipCryptoHeadBytes = 12;

/** The CRC is that of the whole plain entry: it is part of the key check and of the header before the bytes. */
export function zipCrypto(password: string): ArchiveEncryption {
  return {
    entry: (crc32) => ({
      method: storedMethod,
      version: 20,
      extra: new Uint8Array(0),
      overheadBytes: zipCryptoHeadBytes,
      crc32,
      open: async () => cryptoCipher(password, crc32),
    }),
  };
}

function cryptoCipher(password: string, crc32: number): EntryCipher {
  const keys = keysOf(password);
  const head = randomBytes(zipCryptoHeadBytes);
  head[zipCryptoHeadBytes - 1] = crc32 >>> 24;
  pass(keys, head, 'encrypt');
  return { head, update: (piece) => pass(keys, piece, 'encrypt'), tail: () => new Uint8Array(0) };
}

/** `checkByte` is what the last byte of the head must be. */
export function zipCryptoDecryption(checkByte: number): EntryDecryption {
  return {
    headBytes: zipCryptoHeadBytes,
    tailBytes: 0,
    isSure: false,
    authenticates: false,
    open: async (password, head) => {
      const keys = keysOf(password);
      const plain = new Uint8Array(head);
      pass(keys, plain, 'decrypt');
      return plain.at(-1) === checkByte
        ? { update: (piece) => pass(keys, piece, 'decrypt'), isAuthentic: () => true }
        : null;
    },
  };
}

/** What the password has made of the keys that every entry begins with: it is stirred in as if it were encrypted. */
function keysOf(password: string): Int32Array {
  const keys = Int32Array.of(0x12345678, 0x23456789, 0x34567890);
  pass(keys, Buffer.from(password, 'utf8'), 'encrypt');
  return keys;
}

/** In place. Each plain byte stirs the three keys; they are in locals meanwhile, which takes half the time. */
function pass(keys: Int32Array, bytes: Uint8Array, way: 'encrypt' | 'decrypt'): void {
  const decrypts = way === 'decrypt';
  let [key0 = 0, key1 = 0, key2 = 0] = keys;
  for (let at = 0; at < bytes.length; at += 1) {
    const given = bytes[at] ?? 0;
    const mask = (key2 | 2) & 0xffff;
    const turned = (given ^ (Math.imul(mask, mask ^ 1) >>> 8)) & 0xff;
    const plain = decrypts ? turned : given;
    key0 = (key0 >>> 8) ^ (crcTable[(key0 ^ plain) & 0xff] ?? 0);
    key1 = (Math.imul(key1 + (key0 & 0xff), 134775813) + 1) | 0;
    key2 = (key2 >>> 8) ^ (crcTable[(key2 ^ (key1 >>> 24)) & 0xff] ?? 0);
    bytes[at] = turned;
  }
  keys.set([key0, key1, key2]);
}

const crcTable = Int32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

/**
 * WinZip's AES (https://www.winzip.com/en/support/aes-encryption/): salt, password check, AES in counter mode, ten
 * bytes of HMAC-SHA1 over what lies in the archive. Written is AES-256 in its second form, AE-2, which leaves the CRC
 * out: that would show what the sample is.
 */
const saltBytes = 16;
const checkBytes = 2;
const codeBytes = 10;
const keyBytes = 32;
const rounds = 1000;
const derive = promisify(pbkdf2);

export function winZipAes(password: string): ArchiveEncryption {
  const takeKeys = keysAhead(password);
  const encryption = {
    method: aesMethod,
    version: 51,
    extra: aesField(),
    overheadBytes: saltBytes + checkBytes + codeBytes,
    crc32: 0,
  };
  return { entry: () => ({ ...encryption, open: async () => aesCipher(await takeKeys()) }) };
}

/** Extra field 0x9901: seven bytes; AE-2 (2), vendor "AE", 256 bits (3), and the method under the encryption. */
function aesField(): Buffer {
  const field = Buffer.from([0x01, 0x99, 7, 0, 2, 0, 0x41, 0x45, 3, 0, 0]);
  field.writeUInt16LE(storedMethod, 9);
  return field;
}

/** Deriving takes most of a millisecond: from the second entry on, it is done beside the entry before. */
function keysAhead(password: string): () => Promise<Keys> {
  let isFirst = true;
  let ahead: Promise<Keys> | null = null;
  return () => {
    const keys = ahead ?? newKeys(password);
    ahead = isFirst ? null : newKeys(password);
    // The caller that takes the keys gets the error; unused keys fail no call.
    ahead?.catch(() => undefined);
    isFirst = false;
    return keys;
  };
}

interface Keys {
  salt: Buffer;
  /** Of the cipher, of the code, and the password check. */
  derived: Buffer;
}

async function newKeys(password: string): Promise<Keys> {
  const salt = randomBytes(saltBytes);
  return {
    salt,
    derived: await derive(Buffer.from(password, 'utf8'), salt, rounds, 2 * keyBytes + checkBytes, 'sha1'),
  };
}

function aesCipher({ salt, derived }: Keys): EntryCipher {
  const code = createHmac('sha1', derived.subarray(keyBytes, 2 * keyBytes));
  const encrypt = littleEndianCounterMode(derived.subarray(0, keyBytes));
  return {
    head: Buffer.concat([salt, derived.subarray(2 * keyBytes)]),
    update: (piece) => {
      for (const slice of slicesOf(piece)) {
        encrypt(slice);
        code.update(slice);
      }
    },
    tail: () => code.digest().subarray(0, codeBytes),
  };
}

/** `strength` 1, 2, 3 for AES of 128, 192, 256 bits; `vendorVersion` 1 and 2 for AE-1 and AE-2. */
export function winZipAesDecryption(strength: number, vendorVersion: number): EntryDecryption {
  const lengths = { keyBytes: 8 * (strength + 1), saltBytes: 4 * (strength + 1) };
  return {
    headBytes: lengths.saltBytes + checkBytes,
    tailBytes: codeBytes,
    isSure: true,
    authenticates: vendorVersion !== 1,
    open: (password, head) => openedWith(password, head, lengths),
  };
}

interface Lengths {
  keyBytes: number;
  saltBytes: number;
}

async function openedWith(password: string, head: Uint8Array, lengths: Lengths): Promise<EntryDecipher | null> {
  const salt = head.subarray(0, lengths.saltBytes);
  const derived = await derive(Buffer.from(password, 'utf8'), salt, rounds, 2 * lengths.keyBytes + checkBytes, 'sha1');
  if (!derived.subarray(2 * lengths.keyBytes).equals(head.subarray(lengths.saltBytes))) return null;
  const code = createHmac('sha1', derived.subarray(lengths.keyBytes, 2 * lengths.keyBytes));
  const decrypt = littleEndianCounterMode(derived.subarray(0, lengths.keyBytes));
  return {
    update: (piece) => {
      for (const slice of slicesOf(piece)) {
        code.update(slice);
        decrypt(slice);
      }
    },
    isAuthentic: (tail) => timingSafeEqual(code.digest().subarray(0, codeBytes), tail),
  };
}

function* slicesOf(piece: Uint8Array<ArrayBuffer>): Generator<Uint8Array<ArrayBuffer>, void, void> {
  for (let at = 0; at < piece.length; at += sliceBytes) yield piece.subarray(at, at + sliceBytes);
}

/** Bytes at a time: a fifth of a millisecond of work, and they stay in the processor's cache. */
export const sliceBytes = 131072;
const blockBytes = 16;
const wordsInBlock = blockBytes / 4;
const blocksAtMost = sliceBytes / blockBytes;
const lowWordEnd = 2 ** 32;

/**
 * AES in counter mode as WinZip has it: the counter is little-endian and begins at 1, unlike any mode OpenSSL has,
 * hence the key stream made of single blocks. What it gives turns the next bytes of one entry into their other form, in
 * place; at most `sliceBytes` a call, and all but the last are whole blocks. Another beginning is for tests.
 */
export function littleEndianCounterMode(key: Uint8Array, first = 1): (slice: Uint8Array<ArrayBuffer>) => void {
  const cipher = createCipheriv(
    key.length === 16 ? 'aes-128-ecb' : key.length === 24 ? 'aes-192-ecb' : 'aes-256-ecb',
    key,
    null,
  ).setAutoPadding(false);
  const counters = countersFrom(first);
  let next = first;
  return (slice) => {
    const blocks = Math.ceil(slice.length / blockBytes);
    const stream = cipher.update(counters.subarray(0, blocks * wordsInBlock));
    xorInto(slice, stream);
    releaseBytes(stream);
    next += blocks;
    for (let at = 0; at < counters.length; at += wordsInBlock) counters[at] = (counters[at] ?? 0) + blocks;
    if (next + blocksAtMost > lowWordEnd) setHighWords(counters, next);
  };
}

/** Made of 32-bit words, which are little-endian wherever this runs. */
function countersFrom(first: number): Uint32Array<ArrayBuffer> {
  const counters = Uint32Array.from({ length: sliceBytes / 4 }, (_, at) =>
    at % wordsInBlock === 0 ? first + at / wordsInBlock : 0,
  );
  if (first + blocksAtMost > lowWordEnd) setHighWords(counters, first);
  return counters;
}

/** About 64 GiB from the beginning, and behind: of the counters of one slice some may be over 32 bits. */
function setHighWords(counters: Uint32Array, next: number): void {
  for (let at = 0; at < counters.length; at += wordsInBlock)
    counters[at + 1] = Math.floor((next + at / wordsInBlock) / lowWordEnd);
}

/**
 * Both lie at multiples of four in their buffers, `stream` is at least as long. Four words a turn take half the time of
 * one; this loop is a tenth of the work of an export.
 */
function xorInto(piece: Uint8Array<ArrayBuffer>, stream: Uint8Array): void {
  const words = (piece.length >>> 4) * wordsInBlock;
  const target = new Int32Array(piece.buffer, piece.byteOffset, words);
  const mask = new Int32Array(stream.buffer, stream.byteOffset, words);
  for (let at = 0; at < words; at += wordsInBlock) {
    target[at] = (target[at] ?? 0) ^ (mask[at] ?? 0);
    target[at + 1] = (target[at + 1] ?? 0) ^ (mask[at + 1] ?? 0);
    target[at + 2] = (target[at + 2] ?? 0) ^ (mask[at + 2] ?? 0);
    target[at + 3] = (target[at + 3] ?? 0) ^ (mask[at + 3] ?? 0);
  }
  for (let at = words * 4; at < piece.length; at += 1) piece[at] = (piece[at] ?? 0) ^ (stream[at] ?? 0);
}
