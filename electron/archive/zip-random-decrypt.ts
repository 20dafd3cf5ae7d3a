import { createCipheriv, createHmac, pbkdf2, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

/**
 * Opening the two encryptions of the field: ZipCrypto (APPNOTE.TXT 6.1) and WinZip's AES. zip.js has both, at five to
 * thirteen times the work, on the thread that draws nothing meanwhile.
 */
export interface EntryEncryptionRead {
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

export interface EntryDecipher {
  /** Decrypts in place. Pieces are of `pieceBytes`, but for the last. */
  update(piece: Uint8Array<ArrayBuffer>): void;
  /** Whether the bytes are those that were encrypted, where the encryption can tell. */
  isAuthentic(tail: Uint8Array): boolean;
}

/** `checkByte` is what the twelfth byte of the head must be. */
export function zipCryptoRead(checkByte: number): EntryEncryptionRead {
  return {
    headBytes: 12,
    tailBytes: 0,
    isSure: false,
    authenticates: false,
    open: async (password, head) => {
      const decrypt = keyedWith(Buffer.from(password, 'utf8'));
      const plain = new Uint8Array(head);
      decrypt(plain);
      return plain.at(-1) === checkByte ? { update: decrypt, isAuthentic: () => true } : null;
    },
  };
}

/** The cipher's three 32-bit keys, stirred by each plain byte; in locals, which takes half the time. */
function keyedWith(password: Uint8Array): (bytes: Uint8Array<ArrayBuffer>) => void {
  const keys = Int32Array.of(0x12345678, 0x23456789, 0x34567890);
  const through = (bytes: Uint8Array, isPlain: boolean): void => {
    let [key0 = 0, key1 = 0, key2 = 0] = keys;
    for (let at = 0; at < bytes.length; at += 1) {
      const mask = (key2 | 2) & 0xffff;
      const plain = isPlain ? (bytes[at] ?? 0) : ((bytes[at] ?? 0) ^ (Math.imul(mask, mask ^ 1) >>> 8)) & 0xff;
      key0 = (key0 >>> 8) ^ (crcTable[(key0 ^ plain) & 0xff] ?? 0);
      key1 = (Math.imul(key1 + (key0 & 0xff), 134775813) + 1) | 0;
      key2 = (key2 >>> 8) ^ (crcTable[(key2 ^ (key1 >>> 24)) & 0xff] ?? 0);
      if (!isPlain) bytes[at] = plain;
    }
    keys.set([key0, key1, key2]);
  };
  through(password, true);
  return (bytes) => through(bytes, false);
}

const crcTable = Int32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

const derive = promisify(pbkdf2);
const rounds = 1000;
const checkBytes = 2;
const codeBytes = 10;
const blockBytes = 16;
const wordsInBlock = blockBytes / 4;

/** `strength` 1, 2, 3 for AES of 128, 192, 256 bits; `vendorVersion` 1 and 2 for AE-1 and AE-2. */
export function winZipAesRead(strength: number, vendorVersion: number): EntryEncryptionRead {
  const keyBytes = 8 * (strength + 1);
  const saltBytes = keyBytes / 2;
  return {
    headBytes: saltBytes + checkBytes,
    tailBytes: codeBytes,
    isSure: true,
    authenticates: vendorVersion !== 1,
    open: async (password, head) => {
      const derived = await derive(Buffer.from(password, 'utf8'), head.subarray(0, saltBytes), rounds, 2 * keyBytes + checkBytes, 'sha1');
      if (!derived.subarray(2 * keyBytes).equals(head.subarray(saltBytes))) return null;
      return aesDecipher(derived.subarray(0, keyBytes), derived.subarray(keyBytes, 2 * keyBytes));
    },
  };
}

/** `update` takes pieces that are whole blocks, up to the last, at multiples of four in their buffers. */
function aesDecipher(key: Uint8Array, authenticationKey: Uint8Array): EntryDecipher {
  const code = createHmac('sha1', authenticationKey);
  const cipher = createCipheriv(`aes-${key.length * 8}-ecb`, key, null).setAutoPadding(false);
  let next = 1;
  return {
    update: (piece) => {
      const blocks = Math.ceil(piece.length / blockBytes);
      code.update(piece);
      xorInto(piece, cipher.update(countersFrom(next, blocks)));
      next += blocks;
    },
    isAuthentic: (tail) => timingSafeEqual(code.digest().subarray(0, codeBytes), tail),
  };
}

/** The counter is little-endian, as the words are wherever this runs, and begins at 1: no mode of OpenSSL has that. */
function countersFrom(first: number, blocks: number): Uint32Array {
  const words = new Uint32Array(blocks * wordsInBlock);
  for (let block = 0; block < blocks; block += 1) {
    words[block * wordsInBlock] = first + block;
    words[block * wordsInBlock + 1] = (first + block) / 2 ** 32;
  }
  return words;
}

function xorInto(piece: Uint8Array<ArrayBuffer>, stream: Uint8Array): void {
  const words = piece.length >>> 2;
  const target = new Uint32Array(piece.buffer, piece.byteOffset, words);
  const mask = new Uint32Array(stream.buffer, stream.byteOffset, words);
  for (let at = 0; at < words; at += 1) target[at] = (target[at] ?? 0) ^ (mask[at] ?? 0);
  for (let at = words * 4; at < piece.length; at += 1) piece[at] = (piece[at] ?? 0) ^ (stream[at] ?? 0);
}
