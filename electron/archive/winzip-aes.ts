import { createCipheriv, createHmac, pbkdf2, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { inPiecesOf, type ByteSource } from './byte-source.ts';
import { pieceBytes, storedMethod, type EntryEncryption } from './zip-encryption.ts';

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
const derive = promisify(pbkdf2);

export function winZipAes(password: string): EntryEncryption {
  return {
    method: aesMethod,
    version: 51,
    extra: aesField(),
    overheadBytes: saltBytes + checkBytes + codeBytes,
    crc32: 0,
    encrypt: (bytes) => encrypted(bytes, password),
  };
}

/** Extra field 0x9901: seven bytes; AE-2 (2), vendor "AE", 256 bits (3), and the method under the encryption. */
function aesField(): Buffer {
  const field = Buffer.from([0x01, 0x99, 7, 0, 2, 0, 0x41, 0x45, 3, 0, 0]);
  field.writeUInt16LE(storedMethod, 9);
  return field;
}

async function* encrypted(bytes: ByteSource, password: string): AsyncGenerator<Uint8Array, void, void> {
  const salt = randomBytes(saltBytes);
  const derived = await derive(Buffer.from(password, 'utf8'), salt, 1000, 2 * keyBytes + checkBytes, 'sha1');
  const code = createHmac('sha1', derived.subarray(keyBytes, 2 * keyBytes));
  const keyStream = littleEndianCounters(derived.subarray(0, keyBytes));
  yield Buffer.concat([salt, derived.subarray(2 * keyBytes)]);
  for await (const piece of inPiecesOf(pieceBytes, bytes)) {
    xorInto(piece, keyStream());
    code.update(piece);
    yield piece;
  }
  yield code.digest().subarray(0, codeBytes);
}

/** Each call gives the next piece of key stream: the encrypted counters 1, 2, 3 … */
function littleEndianCounters(key: Uint8Array): () => Uint8Array {
  const cipher = createCipheriv('aes-256-ecb', key, null).setAutoPadding(false);
  const counters = new DataView(new ArrayBuffer(pieceBytes));
  let next = 1;
  return () => {
    for (let at = 0; at < pieceBytes; at += blockBytes, next += 1) {
      counters.setUint32(at, next >>> 0, true);
      counters.setUint32(at + 4, Math.floor(next / 2 ** 32), true);
    }
    return cipher.update(new Uint8Array(counters.buffer));
  };
}

/** Four bytes at a time; `piece` lies at the start of a buffer of its own, `stream` is at least as long. */
function xorInto(piece: Uint8Array<ArrayBuffer>, stream: Uint8Array): void {
  const words = piece.length >>> 2;
  const target = new Uint32Array(piece.buffer, piece.byteOffset, words);
  const mask = new Uint32Array(stream.buffer, stream.byteOffset, words);
  for (let at = 0; at < words; at += 1) target[at] = (target[at] ?? 0) ^ (mask[at] ?? 0);
  for (let at = words * 4; at < piece.length; at += 1) piece[at] = (piece[at] ?? 0) ^ (stream[at] ?? 0);
}
