import { createSecretKey, hash, hkdfSync, type KeyObject, randomBytes, scryptSync, timingSafeEqual } from 'node:crypto';
import { fail } from '../../../shared/failure.ts';

/**
 * What stands in clear at the beginning of a bundle (`docs/bundle-format.md`). Integers are big-endian.
 *
 *     0  "VITRBNDL" · version (u32) · log2 N, r, p of scrypt (u32 each) · bytes a chunk (u32) · zero (u32)
 *    32  salt (32) · check (32): tells a wrong passphrase from damage · SHA-256 of the 96 bytes before it
 *
 * Every version keeps the first twelve bytes as they are.
 */
export const headerBytes = 128;
const bundleVersion = 1;

const magic = Buffer.from('VITRBNDL', 'latin1');
const at = { version: 8, rounds: 12, blocks: 16, lanes: 20, chunk: 24, salt: 32, check: 64, digest: 96 } as const;
const keyBytes = 32;

/**
 * How much work a guess of the passphrase is: N is two to the power of `rounds`. It takes 128 · N · r bytes of memory.
 */
export interface PassphraseCost {
  rounds: number;
  blocks: number;
  lanes: number;
}

/** 128 MiB, and half a second of one core. */
export const usualCost: PassphraseCost = { rounds: 17, blocks: 8, lanes: 1 };
/** A file asks for no more than twice that, whoever made it. */
const most: PassphraseCost = { rounds: 18, blocks: 8, lanes: 2 };
const mostMemoryBytes = 257 * 2 ** 20;

export const usualChunkBytes = 2 ** 20;
const leastChunkBytes = 2 ** 8;
const mostChunkBytes = 4 * 2 ** 20;

export interface OpenHeader {
  /** As it lies in the file. */
  bytes: Buffer;
  /** For the chunks of this file and nothing else. */
  key: KeyObject;
  chunkBytes: number;
}

/** Blocks for as long as the cost says: for a worker. */
export function newHeader(
  passphrase: string,
  { cost = usualCost, chunkBytes = usualChunkBytes }: { cost?: PassphraseCost; chunkBytes?: number } = {},
): OpenHeader {
  const bytes = Buffer.alloc(headerBytes);
  magic.copy(bytes);
  bytes.writeUInt32BE(bundleVersion, at.version);
  bytes.writeUInt32BE(cost.rounds, at.rounds);
  bytes.writeUInt32BE(cost.blocks, at.blocks);
  bytes.writeUInt32BE(cost.lanes, at.lanes);
  bytes.writeUInt32BE(chunkBytes, at.chunk);
  randomBytes(keyBytes).copy(bytes, at.salt);
  const master = masterKey(passphrase, bytes, cost);
  checkOf(master, bytes).copy(bytes, at.check);
  digestOf(bytes).copy(bytes, at.digest);
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
  const found = bytes.readUInt32BE(at.version);
  if (found > bundleVersion) fail({ kind: 'bundle-newer', found, supported: bundleVersion });
  if (found < bundleVersion || !digestOf(bytes).equals(bytes.subarray(at.digest)))
    fail({ kind: 'bundle-damaged', atByte: at.version });
  const cost = {
    rounds: bytes.readUInt32BE(at.rounds),
    blocks: bytes.readUInt32BE(at.blocks),
    lanes: bytes.readUInt32BE(at.lanes),
  };
  const chunkBytes = bytes.readUInt32BE(at.chunk);
  if (!isBearable(cost) || chunkBytes < leastChunkBytes || chunkBytes > mostChunkBytes)
    fail({ kind: 'bundle-damaged', atByte: at.rounds });
  const master = masterKey(passphrase, bytes, cost);
  if (!timingSafeEqual(checkOf(master, bytes), bytes.subarray(at.check, at.digest)))
    fail({ kind: 'bundle-passphrase-wrong' });
  return { bytes, key: chunkKey(master, bytes), chunkBytes };
}

const isBearable = (cost: PassphraseCost): boolean =>
  cost.rounds >= 1 &&
  cost.rounds <= most.rounds &&
  cost.blocks === most.blocks &&
  cost.lanes >= 1 &&
  cost.lanes <= most.lanes;

const saltOf = (header: Buffer): Buffer => header.subarray(at.salt, at.check);
const digestOf = (header: Buffer): Buffer => hash('sha256', header.subarray(0, at.digest), 'buffer');

/** Unicode has several ways to write one letter: the same passphrase on another keyboard is the same. */
function masterKey(passphrase: string, header: Buffer, { rounds, blocks, lanes }: PassphraseCost): Buffer {
  return scryptSync(passphrase.normalize('NFKC'), saltOf(header), keyBytes, {
    N: 2 ** rounds,
    r: blocks,
    p: lanes,
    maxmem: mostMemoryBytes,
  });
}

const checkOf = (master: Buffer, header: Buffer): Buffer =>
  Buffer.from(hkdfSync('sha256', master, saltOf(header), 'vitrine bundle check', keyBytes));

/** The header's digest goes in: a header that was put before other chunks opens none of them. */
const chunkKey = (master: Buffer, header: Buffer): KeyObject =>
  createSecretKey(
    Buffer.from(hkdfSync('sha256', master, header.subarray(at.digest), 'vitrine bundle chunks', keyBytes)),
  );
