import { hash, randomBytes } from 'node:crypto';
import type { BundledRecord, BundledSample } from '../../../shared/domain/bundle.ts';
import { sampleRecord } from '../../../shared/domain/sample.ts';
import { type Failure, FailureError } from '../../../shared/failure.ts';
import { type BundleManifest, newSigningKey } from './bundle-format.ts';
import { type BundlePart, BundleReading } from './bundle-opening.ts';
import { BundleSealing, type BundleSealingOptions } from './bundle-sealing.ts';
import type { SealedBytes } from './sealed-chunks.ts';

/** What a test puts into a bundle. */
export interface Packed {
  sample: BundledSample;
  records?: BundledRecord[];
  /** null: none; `isWhole` of false: they proved damaged behind these. */
  bytes: Buffer | null;
  isWhole?: boolean;
}

/** A key that takes no time, and chunks of which a small bundle has several. */
export const cheap = { cost: { rounds: 1, blocks: 8, parallelism: 1 }, chunkBytes: 1024 };
export const passphrase = 'correct horse battery staple';
export const signingKey = newSigningKey();

export const sampleOf = (bytes: Buffer): BundledSample => ({
  sha256: hash('sha256', bytes),
  md5: hash('md5', bytes),
  sha1: hash('sha1', bytes),
  sizeBytes: bytes.length,
  tags: [],
  tlp: null,
  note: null,
});
export const packed = (bytes: Buffer): Packed => ({ sample: sampleOf(bytes), bytes });
export const randomPacked = (sizeBytes: number): Packed => packed(randomBytes(sizeBytes));

/** One that a service gave with a comment and nothing else. */
export const recordOf = (readAt: string): BundledRecord => ({
  readAt,
  record: sampleRecord.parse({
    md5: null,
    sha1: null,
    sha256: null,
    name: 'a name\u202e',
    sizeBytes: null,
    date: null,
    uploader: null,
    threat: null,
    criticity: null,
    mime: null,
    favorite: null,
    locked: null,
    tags: [],
    urls: [],
    comments: [{ id: '1', parentId: null, author: 'x', content: 'y', created: null }],
    virusTotal: { state: null, score: null, link: null },
    sandbox: { state: null, link: null },
    ssdeep: null,
    imphash: null,
    pdbPath: null,
    signer: null,
    unknown: {},
  }),
});

const everything = { samples: true, notes: true, threads: true, rules: true };

export interface BundleContent {
  samples: readonly Packed[];
  rules?: { version: string; bytes: Buffer };
  manifest?: Partial<BundleManifest>;
  options?: Partial<BundleSealingOptions>;
}

export async function sealedBundle({ samples, rules, manifest = {}, options = {} }: BundleContent): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  const sealing = new BundleSealing({
    passphrase,
    signingKey,
    ...cheap,
    sink: { write: (bytes) => void parts.push(bytes) },
    ...options,
  });
  await sealing.begin({
    created: '2026-11-23T04:30:34.000Z',
    title: 'a title',
    author: 'somebody',
    parts: everything,
    samples: samples.length,
    ...manifest,
  });
  for (const { sample, records = [], bytes, isWhole = true } of samples) {
    await sealing.sample(sample);
    for (const record of records) await sealing.record(record);
    if (bytes === null) continue;
    await sealing.piece(bytes);
    await sealing.endBytes(isWhole);
  }
  if (rules) {
    await sealing.rules({ version: rules.version, sha256: hash('sha256', rules.bytes), sizeBytes: rules.bytes.length });
    await sealing.piece(rules.bytes);
    await sealing.endBytes(true);
  }
  await sealing.end();
  return Buffer.concat(parts);
}

export const inMemory = (file: Buffer): SealedBytes => ({
  sizeBytes: file.length,
  read: async (position, length) => Buffer.from(file.subarray(position, position + length)),
});

/** All of its parts, with a copy of the bytes of pieces. */
export async function partsOf(file: Buffer, words = passphrase): Promise<BundlePart[]> {
  const parts: BundlePart[] = [];
  for await (const part of new BundleReading(inMemory(file)).parts({ passphrase: words, name: 'theirs' })) {
    parts.push(part.kind === 'piece' ? { ...part, bytes: Buffer.from(part.bytes) } : part);
  }
  return parts;
}

/** Why it cannot be read to its end; null: it can. */
export async function refusalOf(file: Buffer, words = passphrase): Promise<Failure | null> {
  try {
    await partsOf(file, words);
    return null;
  } catch (error) {
    if (error instanceof FailureError) return error.failure;
    throw error;
  }
}
