import {
  createPrivateKey,
  createPublicKey,
  createSecretKey,
  generateKeyPairSync,
  hash,
  hkdfSync,
  type KeyObject,
  randomBytes,
  scryptSync,
  sign,
  timingSafeEqual,
  verify,
} from 'node:crypto';
import { z } from 'zod';
import { type BundledSample, bundleParts } from '../../../shared/domain/bundle.ts';
import { fail } from '../../../shared/failure.ts';

/**
 * The unencrypted beginning of a bundle (`docs/bundle-format.md`). Integers are big-endian, offsets in bytes.
 *
 * - 0: "VITRBNDL" · version (u32) · log2 N, r, p of scrypt (u32 each) · bytes a chunk (u32) · zero (u32)
 * - 32: salt (32) · check (32): distinguishes a wrong passphrase from damage · SHA-256 of the 96 bytes before it
 *
 * Every version keeps the first twelve bytes as they are.
 */
export const headerBytes = 128;
const bundleVersion = 1;

const magic = Buffer.from('VITRBNDL', 'latin1');
const headerAt = {
  version: 8,
  rounds: 12,
  blocks: 16,
  parallelism: 20,
  chunk: 24,
  salt: 32,
  check: 64,
  digest: 96,
} as const;
const keyBytes = 32;

/**
 * How much work a guess of the passphrase is: N is two to the power of `rounds`. It takes 128 · N · r bytes of memory.
 */
export interface PassphraseCost {
  rounds: number;
  blocks: number;
  parallelism: number;
}

/** 128 MiB, and half a second of one core. */
export const usualCost: PassphraseCost = { rounds: 17, blocks: 8, parallelism: 1 };
/** No file may ask for more than twice that. */
const most: PassphraseCost = { rounds: 18, blocks: 8, parallelism: 2 };
const mostMemoryBytes = 257 * 2 ** 20;

export const usualChunkBytes = 2 ** 20;
const leastChunkBytes = 2 ** 8;
const mostChunkBytes = 4 * 2 ** 20;

interface OpenHeader {
  /** As it lies in the file. */
  bytes: Buffer;
  /** For the chunks of this file and nothing else. */
  key: KeyObject;
  chunkBytes: number;
}

/** Blocks for as long as the cost demands: for a worker. */
export function newHeader(
  passphrase: string,
  { cost = usualCost, chunkBytes = usualChunkBytes }: { cost?: PassphraseCost; chunkBytes?: number } = {},
): OpenHeader {
  const bytes = Buffer.alloc(headerBytes);
  magic.copy(bytes);
  bytes.writeUInt32BE(bundleVersion, headerAt.version);
  bytes.writeUInt32BE(cost.rounds, headerAt.rounds);
  bytes.writeUInt32BE(cost.blocks, headerAt.blocks);
  bytes.writeUInt32BE(cost.parallelism, headerAt.parallelism);
  bytes.writeUInt32BE(chunkBytes, headerAt.chunk);
  randomBytes(keyBytes).copy(bytes, headerAt.salt);
  const master = masterKey(passphrase, bytes, cost);
  checkOf(master, bytes).copy(bytes, headerAt.check);
  digestOf(bytes).copy(bytes, headerAt.digest);
  return { bytes, key: chunkKey(master, bytes), chunkBytes };
}

/**
 * Blocks as `newHeader` does. `name` is the file's, for a failure.
 * @throws FailureError `bundle-unknown`, `bundle-newer`, `bundle-truncated`, `bundle-damaged`,
 * `bundle-passphrase-wrong`
 */
export function openHeader(bytes: Buffer, { passphrase, name }: { passphrase: string; name: string }): OpenHeader {
  if (!bytes.subarray(0, magic.length).equals(magic.subarray(0, Math.max(1, bytes.length))))
    fail({ kind: 'bundle-unknown', name });
  if (bytes.length < headerBytes) fail({ kind: 'bundle-truncated', receivedBytes: bytes.length });
  const found = bytes.readUInt32BE(headerAt.version);
  if (found > bundleVersion) fail({ kind: 'bundle-newer', found, supported: bundleVersion });
  if (found < bundleVersion || !digestOf(bytes).equals(bytes.subarray(headerAt.digest)))
    fail({ kind: 'bundle-damaged', atByte: headerAt.version });
  const cost = {
    rounds: bytes.readUInt32BE(headerAt.rounds),
    blocks: bytes.readUInt32BE(headerAt.blocks),
    parallelism: bytes.readUInt32BE(headerAt.parallelism),
  };
  const chunkBytes = bytes.readUInt32BE(headerAt.chunk);
  if (!isBearable(cost) || chunkBytes < leastChunkBytes || chunkBytes > mostChunkBytes)
    fail({ kind: 'bundle-damaged', atByte: headerAt.rounds });
  const master = masterKey(passphrase, bytes, cost);
  if (!timingSafeEqual(checkOf(master, bytes), bytes.subarray(headerAt.check, headerAt.digest)))
    fail({ kind: 'bundle-passphrase-wrong' });
  return { bytes, key: chunkKey(master, bytes), chunkBytes };
}

const isBearable = (cost: PassphraseCost): boolean =>
  cost.rounds >= 1 &&
  cost.rounds <= most.rounds &&
  cost.blocks === most.blocks &&
  cost.parallelism >= 1 &&
  cost.parallelism <= most.parallelism;

const saltOf = (header: Buffer): Buffer => header.subarray(headerAt.salt, headerAt.check);
const digestOf = (header: Buffer): Buffer => hash('sha256', header.subarray(0, headerAt.digest), 'buffer');

/** Unicode has several ways to write one letter: the same passphrase on another keyboard is the same. */
function masterKey(passphrase: string, header: Buffer, { rounds, blocks, parallelism }: PassphraseCost): Buffer {
  return scryptSync(passphrase.normalize('NFKC'), saltOf(header), keyBytes, {
    N: 2 ** rounds,
    r: blocks,
    p: parallelism,
    maxmem: mostMemoryBytes,
  });
}

const checkOf = (master: Buffer, header: Buffer): Buffer =>
  Buffer.from(hkdfSync('sha256', master, saltOf(header), 'vitrine bundle check', keyBytes));

/** The header's digest goes in: a header that was put before other chunks opens none of them. */
const chunkKey = (master: Buffer, header: Buffer): KeyObject =>
  createSecretKey(
    Buffer.from(hkdfSync('sha256', master, header.subarray(headerAt.digest), 'vitrine bundle chunks', keyBytes)),
  );

/**
 * What lies in a bundle, one record behind the other (`docs/bundle-format.md`). A record is a frame, its type and its
 * length, and so many bytes.
 */
export const recordType = {
  manifest: 1,
  sample: 2,
  record: 3,
  piece: 4,
  bytesEnd: 5,
  rules: 6,
  end: 7,
  signature: 8,
} as const;
export type RecordType = (typeof recordType)[keyof typeof recordType];

export const frameBytes = 8;
const lengthAt = 4;

const signatureBytes = 64;
/** Records that services gave of one sample, and their bytes together. */
export const mostRecords = 20;
export const mostRecordBytes = 4 * 2 ** 20;
/** Bytes that a record of a type may have: no more is ever held, whatever length its frame declares. */
const mostBytes: Record<RecordType, number> = {
  [recordType.manifest]: 2 ** 16,
  [recordType.sample]: 2 * 2 ** 20,
  [recordType.record]: mostRecordBytes,
  [recordType.piece]: 2 ** 20,
  [recordType.bytesEnd]: 2 ** 8,
  [recordType.rules]: 2 ** 12,
  [recordType.end]: 2 ** 12,
  [recordType.signature]: signatureBytes,
};
export const mostBytesOf = (type: RecordType): number => mostBytes[type];
export const isRecordType = (type: number): type is RecordType => Object.hasOwn(mostBytes, type);

export interface Frame {
  type: number;
  length: number;
}

export function frameOf(type: RecordType, length: number): Buffer {
  const frame = Buffer.alloc(frameBytes);
  frame.writeUInt8(type);
  frame.writeUInt32BE(length, lengthAt);
  return frame;
}

/** null for what is no frame. */
export function readFrame(bytes: Buffer): Frame | null {
  return bytes.readUIntBE(1, lengthAt - 1) === 0
    ? { type: bytes.readUInt8(), length: bytes.readUInt32BE(lengthAt) }
    : null;
}

const count = z.number().int().nonnegative();

/** Texts are bounded, and untrusted. */
export const bundleManifest = z.object({
  created: z.iso.datetime(),
  title: z.string().max(200),
  author: z.string().max(100),
  parts: bundleParts,
  /** As many as were meant to go. */
  samples: count,
  /** Ed25519, in hex: whose signature ends the bundle. */
  publicKey: z.string().regex(/^[0-9a-f]{64}$/),
});
export type BundleManifest = z.infer<typeof bundleManifest>;

/** The bytes before it are all of the sample, or are to be forgotten: they proved damaged on their way. */
export const bytesEnd = z.object({ isWhole: z.boolean() });

/** What is in it, as it came to be. `bytes`: of samples. */
export const bundleEnd = z.object({ samples: count, withBytes: count, bytes: count });
export type BundleEnd = z.infer<typeof bundleEnd>;

/** Ed25519 (RFC 8032). Public keys and signatures are the bare bytes, in hex. */
const publicJwk = z.object({ x: z.string() });
const context = Buffer.from('vitrine bundle 1\0', 'latin1');

/** @returns a new private key, as PKCS #8 in base64 */
export function newSigningKey(): string {
  return generateKeyPairSync('ed25519').privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64');
}

export const publicKeyOf = (signingKey: string): string =>
  Buffer.from(
    publicJwk.parse(createPublicKey(privateKey(signingKey)).export({ format: 'jwk' })).x,
    'base64url',
  ).toString('hex');

/** What people compare: the SHA-256 of the public key. */
export const fingerprintOf = (publicKey: string): string => hash('sha256', Buffer.from(publicKey, 'hex'));

/** `digest`: the SHA-256 of all that is signed. */
export const signatureOf = (digest: Uint8Array, signingKey: string): Buffer =>
  sign(null, Buffer.concat([context, digest]), privateKey(signingKey));

export function isSignedBy(publicKey: string, digest: Uint8Array, signature: Uint8Array): boolean {
  return verify(
    null,
    Buffer.concat([context, digest]),
    { key: { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(publicKey, 'hex').toString('base64url') }, format: 'jwk' },
    signature,
  );
}

const privateKey = (signingKey: string): KeyObject =>
  createPrivateKey({ key: Buffer.from(signingKey, 'base64'), format: 'der', type: 'pkcs8' });

/**
 * The unencrypted end of a bundle: `LDNBRTIV`, and the length of all of it. It distinguishes a file that was cut off
 * from one that was altered.
 */
export const trailerBytes = 16;

const mark = Buffer.from('LDNBRTIV', 'latin1');

export function newTrailer(totalBytes: number): Buffer {
  const trailer = Buffer.alloc(trailerBytes);
  mark.copy(trailer);
  trailer.writeBigUInt64BE(BigInt(totalBytes), mark.length);
  return trailer;
}

/**
 * `tail` is the end of the file, as much of it as one chunk. The trailer proves nothing, since anybody can write it:
 * the chunks before it do.
 * @throws FailureError `bundle-truncated`, or `bundle-damaged` where more follows the end, or one half of the trailer
 * is as it should be
 */
export function requireTrailer(tail: Buffer, totalBytes: number): void {
  const found = tail.subarray(-trailerBytes);
  const expected = newTrailer(totalBytes);
  if (found.equals(expected)) return;
  const end = endInside(tail, totalBytes);
  if (end !== null) fail({ kind: 'bundle-damaged', atByte: end });
  const [hasMark, hasLength] = [
    found.subarray(0, mark.length).equals(mark),
    found.subarray(mark.length).equals(expected.subarray(mark.length)),
  ];
  if (hasMark || hasLength)
    fail({ kind: 'bundle-damaged', atByte: totalBytes - trailerBytes + (hasMark ? mark.length : 0) });
  fail({ kind: 'bundle-truncated', receivedBytes: totalBytes });
}

/** Where the bundle ends, when something was put behind it. */
function endInside(tail: Buffer, totalBytes: number): number | null {
  const start = totalBytes - tail.length;
  for (let at = tail.indexOf(mark); at >= 0 && at + trailerBytes <= tail.length; at = tail.indexOf(mark, at + 1)) {
    const end = start + at + trailerBytes;
    if (tail.subarray(at, at + trailerBytes).equals(newTrailer(end))) return end;
  }
  return null;
}

/** As many bytes of a SHA-256 as never occur twice; more than an MD5 has, so that neither is taken for the other. */
const keptBytes = 20;

/** Which samples a bundle has had: each may be in it once. A million take some 80 MB. */
export class SampleNames {
  readonly #met = new Set<string>();

  /**
   * By its SHA-256, or by its MD5 where it has none: one MD5 may be that of several. @returns false when it was there
   * before
   */
  add({ sha256, md5 }: Pick<BundledSample, 'sha256' | 'md5'>): boolean {
    const name = Buffer.from(sha256 ?? md5, 'hex').toString('latin1', 0, keptBytes);
    if (this.#met.has(name)) return false;
    this.#met.add(name);
    return true;
  }
}
