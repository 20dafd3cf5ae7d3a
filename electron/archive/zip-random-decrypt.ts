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
  /** Decrypts in place. */
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

function keyedWith(password: Uint8Array): (bytes: Uint8Array<ArrayBuffer>) => void {
  let [key0, key1, key2] = [0x12345678, 0x23456789, 0x34567890];
  const stir = (plain: number): void => {
    key0 = (key0 >>> 8) ^ (crcTable[(key0 ^ plain) & 0xff] ?? 0);
    key1 = (Math.imul(key1 + (key0 & 0xff), 134775813) + 1) | 0;
    key2 = (key2 >>> 8) ^ (crcTable[(key2 ^ (key1 >>> 24)) & 0xff] ?? 0);
  };
  for (const byte of password) stir(byte);
  return (bytes) => {
    for (let at = 0; at < bytes.length; at += 1) {
      const mask = (key2 | 2) & 0xffff;
      const plain = ((bytes[at] ?? 0) ^ (Math.imul(mask, mask ^ 1) >>> 8)) & 0xff;
      bytes[at] = plain;
      stir(plain);
    }
  };
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

function aesDecipher(key: Uint8Array, authenticationKey: Uint8Array): EntryDecipher {
  const code = createHmac('sha1', authenticationKey);
  const cipher = createCipheriv(`aes-${key.length * 8}-ecb`, key, null).setAutoPadding(false);
  let counter = 1;
  let spare: Uint8Array = new Uint8Array(0);
  /** Key stream for so many bytes; what a last block has too much is kept for the next piece. */
  const keyStream = (length: number): Uint8Array => {
    const blocks = Math.ceil((length - spare.length) / blockBytes);
    const fresh = blocks > 0 ? cipher.update(countersFrom(counter, blocks)) : new Uint8Array(0);
    counter += Math.max(blocks, 0);
    const stream = spare.length === 0 ? fresh : Buffer.concat([spare, fresh]);
    spare = stream.subarray(length);
    return stream;
  };
  return {
    update: (piece) => {
      code.update(piece);
      const stream = keyStream(piece.length);
      for (let at = 0; at < piece.length; at += 1) piece[at] = (piece[at] ?? 0) ^ (stream[at] ?? 0);
    },
    isAuthentic: (tail) => timingSafeEqual(code.digest().subarray(0, codeBytes), tail),
  };
}

/** The counter is little-endian and begins at 1, unlike in any mode OpenSSL has: hence single blocks. */
function countersFrom(first: number, blocks: number): Uint8Array {
  const bytes = new Uint8Array(blocks * blockBytes);
  const view = new DataView(bytes.buffer);
  for (let block = 0; block < blocks; block += 1) {
    view.setUint32(block * blockBytes, (first + block) % 2 ** 32, true);
    view.setUint32(block * blockBytes + 4, Math.floor((first + block) / 2 ** 32), true);
  }
  return bytes;
}
