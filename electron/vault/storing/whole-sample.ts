import { hash } from 'node:crypto';
import { crc32, inflateRawSync } from 'node:zlib';
import type { Failure } from '../../../shared/failure.ts';
import type { ContainerFacts } from '../container/container.ts';
import { type Expectation, expectedName, expectedWith } from '../intake.ts';

/** A sample as it lay in an archive, complete in memory. */
export interface WholeSample {
  /** All its bytes in that encoding. The buffer is taken away: the view is empty afterwards. */
  bytes: Uint8Array<ArrayBuffer>;
  encoding: 'identity' | 'deflate-raw';
  /** Bytes it must come to: more is never inflated. */
  sizeBytes: number;
  /** Of the sample, from the archive; null where the archive has none. */
  crc32: number | null;
}

/** A sample that is what it should be. */
export interface VerifiedSample {
  bytes: Uint8Array;
  facts: ContainerFacts;
}

export type VerifyResult = VerifiedSample | { failure: Failure };

/** For the person, as the readers of archives say it. */
const reasons = {
  crc: 'Its bytes do not match their checksum',
  inflate: 'Its compressed data is corrupt',
  size: 'Its size differs from the expected size',
} as const;
type Reason = keyof typeof reasons;

/** No deflated byte becomes more than this many: what an archive claims beyond it is not allocated. */
const mostExpansion = 1032;
/** zlib takes no smaller one. */
const leastChunkBytes = 64;

/**
 * Inflates and verifies a sample, in one go: for a worker only. A failure (`archive-damaged`, `wrong-bytes`,
 * `sha256-contradicts`) is returned as data, because the worker would load the whole catalogue to throw it.
 */
export function verifyWhole(sample: WholeSample, expected: Expectation): VerifyResult {
  const bytes = sample.encoding === 'identity' ? sample.bytes : inflated(sample);
  if (typeof bytes === 'string') return damaged(expected, bytes);
  if (bytes.length !== sample.sizeBytes) return damaged(expected, 'size');
  if (sample.crc32 !== null && crc32(bytes) !== sample.crc32) return damaged(expected, 'crc');
  const md5 = hash('md5', bytes);
  const meant = expectedWith(md5, expected);
  if (meant === undefined) {
    return { failure: { kind: 'wrong-bytes', md5: expectedName(expected), actualMd5: md5, sizeBytes: bytes.length } };
  }
  const sha256 = hash('sha256', bytes);
  if (meant.sha256 !== null && meant.sha256 !== sha256) {
    return { failure: { kind: 'sha256-contradicts', md5, recordedSha256: meant.sha256, actualSha256: sha256 } };
  }
  return { bytes, facts: { md5, sha1: hash('sha1', bytes), sha256, sizeBytes: bytes.length } };
}

/**
 * The output buffer has one byte more than needed: a full chunk makes zlib allocate the next one and copy both.
 *
 * @returns the bytes, or why there are none
 */
function inflated({ bytes, sizeBytes }: WholeSample): Uint8Array | Reason {
  const chunkSize = Math.max(leastChunkBytes, Math.min(sizeBytes, bytes.length * mostExpansion) + 1);
  try {
    return inflateRawSync(bytes, { maxOutputLength: Math.max(1, sizeBytes), chunkSize });
  } catch (error) {
    return zlibRefusal(error);
  }
}

/** Rethrows what is not about these bytes. */
function zlibRefusal(error: unknown): Reason {
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (code === 'ERR_BUFFER_TOO_LARGE') return 'size';
  if (code === 'Z_DATA_ERROR' || code === 'Z_BUF_ERROR' || code === 'Z_NEED_DICT') return 'inflate';
  throw error;
}

const damaged = (expected: Expectation, reason: Reason): VerifyResult => ({
  failure: { kind: 'archive-damaged', name: expectedName(expected), reason: reasons[reason] },
});
