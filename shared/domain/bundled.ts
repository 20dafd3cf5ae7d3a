import { z } from 'zod';
import { md5, sha1, sha256 } from './hash.ts';
import { sampleNote } from './library.ts';
import { claimedSize, sampleRecord } from './sample.ts';
import { tag } from './tag.ts';
import { tlpLevel } from './tlp.ts';

/**
 * What a bundle says of samples and rules, as it lies in the file (`docs/bundle-format.md`). Texts are bounded, and
 * untrusted.
 */
const count = z.number().int().nonnegative();

/**
 * What a desk knows of a sample, besides what services told it. Without a SHA-256 it has neither bytes, tags nor note.
 */
export const bundledSample = z.object({
  sha256: sha256.nullable(),
  md5,
  sha1: sha1.nullable(),
  sizeBytes: claimedSize.nullable(),
  tags: z.array(tag).max(1000),
  /** The strictest that anybody says. */
  tlp: tlpLevel.nullable(),
  note: sampleNote.nullable(),
});
export type BundledSample = z.infer<typeof bundledSample>;

/** The latest that a service told of a sample, and when: UTC, ISO 8601. */
export const bundledRecord = z.object({ readAt: z.iso.datetime(), record: sampleRecord });
export type BundledRecord = z.infer<typeof bundledRecord>;

/** A rule package as it was received. */
export const bundledRules = z.object({ version: z.string().trim().max(200), sha256, sizeBytes: count });
export type BundledRules = z.infer<typeof bundledRules>;
