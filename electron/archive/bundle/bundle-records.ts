import { z } from 'zod';
import { bundleParts } from '../../../shared/domain/bundle.ts';

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
/** Bytes that a record of a type may have: no more is ever held, whatever its frame says. */
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
