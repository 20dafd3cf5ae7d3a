import { randomBytes } from 'node:crypto';
import type { EntryDecryption } from './zip-decryption.ts';
import type { ArchiveEncryption, EntryCipher } from './zip-encryption.ts';
import { storedMethod } from '../zip-format.ts';

/**
 * The encryption every ZIP tool knows (APPNOTE.TXT 6.1), kept for old ones. It hides a sample from a scanner and from
 * a double click, and from nobody who means to break it. zip.js would do it too, at five times the work, with the CRC
 * and the sizes behind the bytes, where old tools do not look for them, and with passwords in no encoding at all.
 */
const headBytes = 12;

/** The CRC is that of the whole plain entry: it is part of the key check and of the header before the bytes. */
export function zipCrypto(password: string): ArchiveEncryption {
  return {
    entry: (crc32) => ({
      method: storedMethod,
      version: 20,
      extra: new Uint8Array(0),
      overheadBytes: headBytes,
      crc32,
      open: async () => cryptoCipher(password, crc32),
    }),
  };
}

function cryptoCipher(password: string, crc32: number): EntryCipher {
  const keys = keysOf(password);
  const head = randomBytes(headBytes);
  head[headBytes - 1] = crc32 >>> 24;
  pass(keys, head, 'encrypt');
  return { head, update: (piece) => pass(keys, piece, 'encrypt'), tail: () => new Uint8Array(0) };
}

/** `checkByte` is what the last byte of the head must be. */
export function zipCryptoDecryption(checkByte: number): EntryDecryption {
  return {
    headBytes,
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
