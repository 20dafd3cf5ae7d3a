import { createCipheriv, createDecipheriv, createSecretKey, hash, randomFillSync, type Cipheriv, type Decipheriv, type KeyObject } from 'node:crypto';
import type { Hashes } from '../../shared/domain/hash.ts';

/**
 * The inert container: how bytes lie on this computer's disk so that no scanner finds them and no double click runs
 * them. The key lies beside the lock on purpose: this is a safety catch, not a secret. `docs/vault-format.md` gives
 * the `openssl` command that undoes it. Integers are big-endian.
 *
 *     header   64 bytes   "VITRINE1" · version (u32, 1) · zero (u32) · AES key (32) · initial counter (16)
 *     body      n bytes   AES-256-CTR of the sample
 *     trailer 116 bytes   "1ENIRTIV" · n (u64) · MD5 (16) · SHA-1 (20) · SHA-256 (32) of the sample
 *                         · SHA-256 (32) of the header and of this trailer up to here
 *
 * The key and the counter are drawn at random for each container, so nothing a sample holds can steer the bytes on
 * disk. The last digest finds damage to the facts without reading the body; the first three find damage to the body.
 */
export const headerBytes = 64;
export const trailerBytes = 116;
export const containerOverheadBytes = headerBytes + trailerBytes;

const magic = Buffer.from('VITRINE1', 'latin1');
const endMark = Buffer.from('1ENIRTIV', 'latin1');
const version = 1;
const cipherName = 'aes-256-ctr';
const blockBytes = 16;
const counterBits = 128;
const at = { version: 8, zero: 12, key: 16, counter: 48 } as const;
const trailerAt = { size: 8, md5: 16, sha1: 32, sha256: 52, seal: 84 } as const;

/** What a container says of the sample in it. */
export interface ContainerFacts extends Hashes {
  sizeBytes: number;
}

/** The bytes are no container, or not the whole of one, or not as they were written. */
export class DamagedContainerError extends Error {
  override readonly name = 'DamagedContainerError';
}

export function newHeader(): Buffer {
  const header = Buffer.alloc(headerBytes);
  magic.copy(header);
  header.writeUInt32BE(version, at.version);
  takeRandom(headerBytes - at.key).copy(header, at.key);
  return header;
}

/** Random bytes are drawn for many containers at a time: for a small sample the draw was a tenth of the work. */
const drawn = { bytes: Buffer.alloc(128 * (headerBytes - at.key)), used: Number.POSITIVE_INFINITY };

/** To be copied before the next call. */
function takeRandom(length: number): Buffer {
  if (drawn.used + length > drawn.bytes.length) {
    randomFillSync(drawn.bytes);
    drawn.used = 0;
  }
  drawn.used += length;
  return drawn.bytes.subarray(drawn.used - length, drawn.used);
}

export function encryptBody(header: Uint8Array): Cipheriv {
  return createCipheriv(cipherName, keyOf(header), header.subarray(at.counter));
}

export function decryptBody(header: Uint8Array): Decipheriv {
  return createDecipheriv(cipherName, keyOf(header), header.subarray(at.counter));
}

/** As a key object: with the bare bytes Node 24 throws and catches an error each time, four times the cost of all else. */
const keyOf = (header: Uint8Array): KeyObject => createSecretKey(header.subarray(at.key, at.counter));

/** Decrypts a piece of the body that begins `position` bytes into it: the counter is that of its first block. */
export function decryptBodyFrom(header: Uint8Array, position: number, piece: Uint8Array): Buffer {
  const counter = counterAt(header, Math.floor(position / blockBytes));
  const decipher = createDecipheriv(cipherName, keyOf(header), counter);
  decipher.update(Buffer.alloc(position % blockBytes));
  return decipher.update(piece);
}

function counterAt(header: Uint8Array, block: number): Buffer {
  const first = BigInt(`0x${Buffer.from(header.subarray(at.counter, headerBytes)).toString('hex')}`);
  const counter = BigInt.asUintN(counterBits, first + BigInt(block));
  return Buffer.from(counter.toString(16).padStart(counterBits / 4, '0'), 'hex');
}

export function encodeTrailer(header: Uint8Array, facts: ContainerFacts): Buffer {
  const trailer = Buffer.alloc(trailerBytes);
  endMark.copy(trailer);
  trailer.writeBigUInt64BE(BigInt(facts.sizeBytes), trailerAt.size);
  trailer.write(facts.md5, trailerAt.md5, 'hex');
  trailer.write(facts.sha1, trailerAt.sha1, 'hex');
  trailer.write(facts.sha256, trailerAt.sha256, 'hex');
  sealOf(header, trailer).copy(trailer, trailerAt.seal);
  return trailer;
}

/**
 * Reads what a container says of its sample. `totalBytes` is the length of the whole container as it was found.
 * @throws DamagedContainerError when header, trailer and length do not belong together
 */
export function readFacts(header: Buffer, trailer: Buffer, totalBytes: number): ContainerFacts {
  requireMark(header, headerBytes, magic, 'no container');
  requireMark(trailer, trailerBytes, endMark, 'cut off');
  if (header.readUInt32BE(at.version) !== version || header.readUInt32BE(at.zero) !== 0) throw new DamagedContainerError('unknown version');
  if (!sealOf(header, trailer).equals(trailer.subarray(trailerAt.seal))) throw new DamagedContainerError('altered');
  const sizeBytes = Number(trailer.readBigUInt64BE(trailerAt.size));
  if (sizeBytes + containerOverheadBytes !== totalBytes) throw new DamagedContainerError('wrong length');
  return {
    md5: trailer.toString('hex', trailerAt.md5, trailerAt.sha1),
    sha1: trailer.toString('hex', trailerAt.sha1, trailerAt.sha256),
    sha256: trailer.toString('hex', trailerAt.sha256, trailerAt.seal),
    sizeBytes,
  };
}

function requireMark(bytes: Buffer, length: number, mark: Buffer, reason: string): void {
  if (bytes.length !== length || !bytes.subarray(0, mark.length).equals(mark)) throw new DamagedContainerError(reason);
}

function sealOf(header: Uint8Array, trailer: Uint8Array): Buffer {
  return hash('sha256', Buffer.concat([header, trailer.subarray(0, trailerAt.seal)]), 'buffer');
}
