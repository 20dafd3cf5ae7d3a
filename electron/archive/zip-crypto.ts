import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { inPiecesOf, type ByteSource } from './byte-source.ts';
import { pieceBytes, storedMethod, type EntryEncryption } from './zip-encryption.ts';

/**
 * The encryption every ZIP tool knows (APPNOTE.TXT 6.1), kept for old ones. It hides a sample from a scanner and from
 * a double click, and from nobody who means to break it. zip.js would do it too, at five times the work, with the CRC
 * and the sizes behind the bytes, where old tools do not look for them, and with passwords in no encoding at all.
 */
const headBytes = 12;

/** Reads the bytes once before they are encrypted: their CRC is part of the key check and of the header before them. */
export async function zipCrypto(password: string, open: () => ByteSource): Promise<EntryEncryption> {
  let checksum = 0;
  for await (const chunk of open()) checksum = crc32(chunk, checksum);
  return {
    method: storedMethod,
    version: 20,
    extra: new Uint8Array(0),
    overheadBytes: headBytes,
    crc32: checksum,
    encrypt: (bytes) => encrypted(bytes, password, checksum),
  };
}

async function* encrypted(bytes: ByteSource, password: string, checksum: number): AsyncGenerator<Uint8Array, void, void> {
  const encrypt = keyedWith(Buffer.from(password, 'utf8'));
  const head = randomBytes(headBytes);
  head[headBytes - 1] = checksum >>> 24;
  encrypt(head);
  yield head;
  for await (const piece of inPiecesOf(pieceBytes, bytes)) {
    encrypt(piece);
    yield piece;
  }
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
