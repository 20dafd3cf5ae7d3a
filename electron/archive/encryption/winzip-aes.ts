import { createHmac, pbkdf2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { littleEndianCounterMode, sliceBytes } from './aes-counter-mode.ts';
import type { EntryDecipher, EntryDecryption } from './zip-decryption.ts';
import type { ArchiveEncryption, EntryCipher } from './zip-encryption.ts';
import { aesMethod, storedMethod } from '../zip-format.ts';

/**
 * WinZip's AES (https://www.winzip.com/en/support/aes-encryption/): salt, password check, AES in counter mode, ten
 * bytes of HMAC-SHA1 over what lies in the archive. Written is AES-256 in its second form, AE-2, which leaves the CRC
 * out: that would tell what the sample is.
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
    // Whoever takes them is told; keys that nobody takes fail nobody.
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
