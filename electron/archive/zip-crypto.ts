import { randomBytes } from 'node:crypto';
import { storedMethod, type EntryCipher, type EntryEncryption } from './zip-encryption.ts';

/**
 * The encryption every ZIP tool knows (APPNOTE.TXT 6.1), kept for old ones. It hides a sample from a scanner and from
 * a double click, and from nobody who means to break it. zip.js would do it too, at five times the work, with the CRC
 * and the sizes behind the bytes, where old tools do not look for them, and with passwords in no encoding at all.
 */
const headBytes = 12;

/** The CRC is that of the whole plain entry: it is part of the key check and of the header before the bytes. */
export function zipCrypto(password: string, crc32: number): EntryEncryption {
  return { method: storedMethod, version: 20, extra: new Uint8Array(0), overheadBytes: headBytes, crc32, open: () => cryptoCipher(password, crc32) };
}

function cryptoCipher(password: string, crc32: number): EntryCipher {
  const encrypt = keyedWith(Buffer.from(password, 'utf8'));
  const head = randomBytes(headBytes);
  head[headBytes - 1] = crc32 >>> 24;
  encrypt(head);
  return { head, update: encrypt, tail: () => new Uint8Array(0) };
}

/** The cipher's three 32-bit keys, stirred by each plain byte. Returns a function that encrypts in place. */
function keyedWith(password: Uint8Array): (bytes: Uint8Array) => void {
  let [key0, key1, key2] = [0x12345678, 0x23456789, 0x34567890];
  const stir = (plain: number): void => {
    key0 = (key0 >>> 8) ^ (crcTable[(key0 ^ plain) & 0xff] ?? 0);
    key1 = (Math.imul(key1 + (key0 & 0xff), 134775813) + 1) | 0;
    key2 = (key2 >>> 8) ^ (crcTable[(key2 ^ (key1 >>> 24)) & 0xff] ?? 0);
  };
  for (const byte of password) stir(byte);
  return (bytes) => {
    for (let at = 0; at < bytes.length; at += 1) {
      const plain = bytes[at] ?? 0;
      const mask = (key2 | 2) & 0xffff;
      bytes[at] = plain ^ (Math.imul(mask, mask ^ 1) >>> 8);
      stir(plain);
    }
  };
}

const crcTable = Int32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});
