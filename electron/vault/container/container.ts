import {
  type CipherGCM,
  createCipheriv,
  createDecipheriv,
  createHash,
  createSecretKey,
  hash,
  type KeyObject,
  randomFillSync,
} from 'node:crypto';
import type { Hashes } from '../../../shared/domain/hash.ts';

/**
 * The container: how samples are stored encrypted on this computer's disk so that no scanner finds them and no double
 * click runs them. The key lies beside the lock on purpose: this is a safety catch, not a secret.
 * `docs/vault-format.md` gives the `openssl` command that undoes it. Integers are big-endian.
 *
 * - header, 64 bytes: "VITRINE1" · version (u32, 2) · zero (u32) · AES key (32) · initial counter (16)
 * - body, n bytes: AES-256-GCM of the sample, which is AES-256-CTR from that counter on
 * - trailer, 116 bytes: "1ENIRTIV" · n (u64) · MD5 (16) · SHA-1 (20) · SHA-256 (32) of the sample · GCM tag of the body
 *   (16) · half the SHA-256 of the header and of this trailer up to here (16)
 *
 * The key and the counter are drawn at random for each container, so no sample can influence the bytes on disk. The
 * last digest detects damage to the facts without reading the body. The tag detects damage to the body: it is computed
 * over the same bytes as the hashes, and checking it takes a tenth of the time of SHA-256. The first version had no tag
 * and all of the last digest; its body is checked by SHA-256.
 */
export const headerBytes = 64;
export const trailerBytes = 116;
export const containerOverheadBytes = headerBytes + trailerBytes;

const magic = Buffer.from('VITRINE1', 'latin1');
const endMark = Buffer.from('1ENIRTIV', 'latin1');
const version = { digestOnly: 1, tagged: 2 } as const;
const counterName = 'aes-256-ctr';
const taggedName = 'aes-256-gcm';
/** NIST SP 800-38D: with a nonce of 96 bits the body's counter begins at 2. */
const nonceBytes = 12;
const firstCounter = 2;
const sealBytes = 16;
const blockBytes = 16;
const counterBits = 128;
const at = { version: 8, zero: 12, key: 16, counter: 48 } as const;
const trailerAt = { size: 8, md5: 16, sha1: 32, sha256: 52, tag: 84, seal: 100, longSeal: 84 } as const;

/** A container's facts about the sample in it. */
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
  header.writeUInt32BE(version.tagged, at.version);
  takeRandom(headerBytes - at.key).copy(header, at.key);
  header.writeUInt32BE(firstCounter, at.counter + nonceBytes);
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

export function encryptBody(header: Uint8Array): CipherGCM {
  return createCipheriv(taggedName, keyOf(header), nonceOf(header));
}

const nonceOf = (header: Uint8Array): Uint8Array => header.subarray(at.counter, at.counter + nonceBytes);

/** A body on its way out. */
export interface BodyReader {
  update(piece: Uint8Array): Buffer<ArrayBuffer>;
  /** Behind the last piece. @throws DamagedContainerError when the body is not as it was written */
  requireWhole(): void;
}

/** Header and trailer as `readFacts` has found them sound. */
export function readBody(header: Buffer, trailer: Buffer): BodyReader {
  const body = readBodyFirst(header);
  return { update: (piece) => body.update(piece), requireWhole: () => body.requireWhole(trailer) };
}

/** A body that is read from its beginning to its end, with the trailer behind it. */
export interface StreamedBody {
  update(piece: Uint8Array): Buffer<ArrayBuffer>;
  /**
   * Behind the last piece, with a trailer as `readFacts` has found it sound.
   * @throws DamagedContainerError when the body is not as it was written
   */
  requireWhole(trailer: Buffer): void;
}

/** For a container whose trailer is known only when the body was read. Header as `requireHeader` takes it. */
export function readBodyFirst(header: Buffer): StreamedBody {
  return versionOf(header) === version.tagged ? taggedBody(header) : digestedBody(header);
}

function taggedBody(header: Buffer): StreamedBody {
  const decipher = createDecipheriv(taggedName, keyOf(header), nonceOf(header));
  const requireWhole = (trailer: Buffer): void => {
    try {
      decipher.setAuthTag(trailer.subarray(trailerAt.tag, trailerAt.seal)).final();
    } catch (error) {
      throw new DamagedContainerError('altered', { cause: error });
    }
  };
  return { update: (piece) => decipher.update(piece), requireWhole };
}

function digestedBody(header: Buffer): StreamedBody {
  const decipher = createDecipheriv(counterName, keyOf(header), header.subarray(at.counter));
  const sha256 = createHash('sha256');
  const update = (piece: Uint8Array): Buffer<ArrayBuffer> => {
    const plain = decipher.update(piece);
    sha256.update(plain);
    return plain;
  };
  const requireWhole = (trailer: Buffer): void => {
    if (!sha256.digest().equals(trailer.subarray(trailerAt.sha256, trailerAt.longSeal)))
      throw new DamagedContainerError('altered');
  };
  return { update, requireWhole };
}

/**
 * As a key object: with the bare bytes Node 24 throws and catches an error each time, four times the cost of all else.
 */
const keyOf = (header: Uint8Array): KeyObject => createSecretKey(header.subarray(at.key, at.counter));

/** Decrypts a piece of the body that begins `position` bytes into it: the counter is that of its first block. */
export function decryptBodyFrom(header: Uint8Array, position: number, piece: Uint8Array): Buffer {
  return bodyFrom(header, position)(piece);
}

/** The same for pieces that follow each other, the first of which begins `position` bytes into the body. */
export function bodyFrom(header: Uint8Array, position: number): (piece: Uint8Array) => Buffer {
  const counter = counterAt(header, Math.floor(position / blockBytes));
  const decipher = createDecipheriv(counterName, keyOf(header), counter);
  decipher.update(Buffer.alloc(position % blockBytes));
  return (piece) => decipher.update(piece);
}

function counterAt(header: Uint8Array, block: number): Buffer {
  const first = BigInt(`0x${Buffer.from(header.subarray(at.counter, headerBytes)).toString('hex')}`);
  const counter = BigInt.asUintN(counterBits, first + BigInt(block));
  return Buffer.from(counter.toString(16).padStart(counterBits / 4, '0'), 'hex');
}

/** Ends the body's cipher, whose tag goes in. */
export function encodeTrailer(header: Uint8Array, body: CipherGCM, facts: ContainerFacts): Buffer {
  const trailer = Buffer.alloc(trailerBytes);
  endMark.copy(trailer);
  trailer.writeBigUInt64BE(BigInt(facts.sizeBytes), trailerAt.size);
  trailer.write(facts.md5, trailerAt.md5, 'hex');
  trailer.write(facts.sha1, trailerAt.sha1, 'hex');
  trailer.write(facts.sha256, trailerAt.sha256, 'hex');
  body.final();
  body.getAuthTag().copy(trailer, trailerAt.tag);
  sealOf(header, trailer.subarray(0, trailerAt.seal)).copy(trailer, trailerAt.seal, 0, sealBytes);
  return trailer;
}

/**
 * Reads a container's facts about its sample. `totalBytes` is the actual length of the whole container.
 *
 * @throws DamagedContainerError when header, trailer and length do not belong together
 */
export function readFacts(header: Buffer, trailer: Buffer, totalBytes: number): ContainerFacts {
  const sealed = requireHeader(header);
  requireMark(trailer, trailerBytes, endMark, 'cut off');
  const seal = sealOf(header, trailer.subarray(0, sealed));
  if (!seal.subarray(0, trailerBytes - sealed).equals(trailer.subarray(sealed)))
    throw new DamagedContainerError('altered');
  const sizeBytes = Number(trailer.readBigUInt64BE(trailerAt.size));
  if (sizeBytes + containerOverheadBytes !== totalBytes) throw new DamagedContainerError('wrong length');
  return {
    md5: trailer.toString('hex', trailerAt.md5, trailerAt.sha1),
    sha1: trailer.toString('hex', trailerAt.sha1, trailerAt.sha256),
    sha256: trailer.toString('hex', trailerAt.sha256, trailerAt.tag),
    sizeBytes,
  };
}

/**
 * For bytes that are decrypted before their trailer is known.
 *
 * @returns how many bytes of the trailer its digest covers
 * @throws DamagedContainerError when it begins no container of a known version
 */
export function requireHeader(header: Buffer): number {
  requireMark(header, headerBytes, magic, 'no container');
  const sealed = { [version.digestOnly]: trailerAt.longSeal, [version.tagged]: trailerAt.seal }[versionOf(header)];
  if (sealed === undefined || header.readUInt32BE(at.zero) !== 0) throw new DamagedContainerError('unknown version');
  return sealed;
}

function requireMark(bytes: Buffer, length: number, mark: Buffer, reason: string): void {
  if (bytes.length !== length || !bytes.subarray(0, mark.length).equals(mark)) throw new DamagedContainerError(reason);
}

const versionOf = (header: Buffer): number => header.readUInt32BE(at.version);

function sealOf(header: Uint8Array, trailerUpToIt: Uint8Array): Buffer {
  return hash('sha256', Buffer.concat([header, trailerUpToIt]), 'buffer');
}

/** The container of a sample that is held whole. */
export function encodeContainer(bytes: Uint8Array, facts: ContainerFacts): Buffer {
  const container = Buffer.allocUnsafe(bytes.length + containerOverheadBytes);
  encodeContainerInto(container, bytes, facts);
  return container;
}

/** The same into memory of exactly the right size. */
export function encodeContainerInto(container: Uint8Array, bytes: Uint8Array, facts: ContainerFacts): void {
  const header = newHeader();
  container.set(header);
  const cipher = encryptBody(header);
  container.set(cipher.update(bytes), headerBytes);
  container.set(encodeTrailer(header, cipher, facts), headerBytes + bytes.length);
}

/**
 * The facts about the sample, from a whole container in memory. `sha256`, where it is known, must match.
 *
 * @throws DamagedContainerError
 */
export function factsOfContainer(container: Buffer, sha256: string | null): ContainerFacts {
  if (container.length < containerOverheadBytes) throw new DamagedContainerError('cut off');
  const facts = readFacts(
    container.subarray(0, headerBytes),
    container.subarray(container.length - trailerBytes),
    container.length,
  );
  if (sha256 !== null && facts.sha256 !== sha256) throw new DamagedContainerError('another sample');
  return facts;
}

/** The sample itself, verified. @throws DamagedContainerError */
export function decodeContainer(
  container: Buffer,
  sha256: string | null,
): { bytes: Buffer<ArrayBuffer>; facts: ContainerFacts } {
  const facts = factsOfContainer(container, sha256);
  const end = container.length - trailerBytes;
  const body = readBody(container.subarray(0, headerBytes), container.subarray(end));
  const bytes = body.update(container.subarray(headerBytes, end));
  body.requireWhole();
  return { bytes, facts };
}
