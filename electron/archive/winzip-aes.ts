import { createCipheriv, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import { releaseBytes } from '../../shared/release-bytes.ts';
import { pieceBytes, storedMethod, type EntryCipher, type EntryEncryption } from './zip-encryption.ts';

/**
 * WinZip's AES-256 in its second form, AE-2 (https://www.winzip.com/en/support/aes-encryption/): salt, password check,
 * AES in counter mode, ten bytes of HMAC-SHA1. The counter is little-endian and begins at 1, unlike any mode OpenSSL
 * has, hence the key stream made of single blocks. AE-2 leaves the CRC out, which would tell what the sample is.
 */
const aesMethod = 99;
const saltBytes = 16;
const checkBytes = 2;
const codeBytes = 10;
const keyBytes = 32;
const blockBytes = 16;
const wordsInBlock = blockBytes / 4;

export function winZipAes(password: string): EntryEncryption {
  return {
    method: aesMethod,
    version: 51,
    extra: aesField(),
    overheadBytes: saltBytes + checkBytes + codeBytes,
    crc32: 0,
    open: () => aesCipher(password),
  };
}

/** Extra field 0x9901: seven bytes; AE-2 (2), vendor "AE", 256 bits (3), and the method under the encryption. */
function aesField(): Buffer {
  const field = Buffer.from([0x01, 0x99, 7, 0, 2, 0, 0x41, 0x45, 3, 0, 0]);
  field.writeUInt16LE(storedMethod, 9);
  return field;
}

function aesCipher(password: string): EntryCipher {
  const salt = randomBytes(saltBytes);
  const derived = pbkdf2Sync(Buffer.from(password, 'utf8'), salt, 1000, 2 * keyBytes + checkBytes, 'sha1');
  const code = createHmac('sha1', derived.subarray(keyBytes, 2 * keyBytes));
  const keyStream = littleEndianCounters(derived.subarray(0, keyBytes));
  const updateSlice = (slice: Uint8Array<ArrayBuffer>): void => {
    const stream = keyStream(slice.length);
    xorInto(slice, stream);
    releaseBytes(stream);
    code.update(slice);
  };
  return {
    head: Buffer.concat([salt, derived.subarray(2 * keyBytes)]),
    update: (piece) => {
      for (let at = 0; at < piece.length; at += pieceBytes) updateSlice(piece.subarray(at, at + pieceBytes));
    },
    tail: () => code.digest().subarray(0, codeBytes),
  };
}

const blocksInPiece = pieceBytes / blockBytes;
const lowWordEnd = 2 ** 32;
/** Counters are made of 32-bit words, which are little-endian wherever this runs. */
const firstCounters = Uint32Array.from({ length: pieceBytes / 4 }, (_, at) => (at % wordsInBlock === 0 ? at / wordsInBlock + 1 : 0));

/** Each call gives the next piece of key stream, the encrypted counters 1, 2, 3 …; only the last may be shorter than `pieceBytes`. */
function littleEndianCounters(key: Uint8Array): (length: number) => Uint8Array {
  const cipher = createCipheriv('aes-256-ecb', key, null).setAutoPadding(false);
  const counters = firstCounters.slice();
  let next = 1;
  return (length) => {
    const stream = cipher.update(counters.subarray(0, Math.ceil(length / blockBytes) * wordsInBlock));
    next += blocksInPiece;
    for (let at = 0; at < counters.length; at += wordsInBlock) counters[at] = (counters[at] ?? 0) + blocksInPiece;
    if (next >= lowWordEnd) setHighWords(counters, next);
    return stream;
  };
}

/** Behind 64 GiB; a piece begins at a multiple of its blocks and one, so a low word may be over while the first is not. */
function setHighWords(counters: Uint32Array, next: number): void {
  for (let at = 0; at < counters.length; at += wordsInBlock) counters[at + 1] = (next + at / wordsInBlock) / lowWordEnd;
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
