import { z } from 'zod';
import { failureSchema } from '../failure-kinds.ts';
import { md5, sha1, sha256 } from './hash.ts';
import { jobId } from './job.ts';
import { sampleNote } from './library.ts';
import { claimedSize, sampleRecord } from './sample.ts';
import { seenLine } from './schema-parts.ts';
import { tag, tlpLevel } from './tag.ts';
import { workspaceId } from './workspace.ts';

const count = z.number().int().nonnegative();

/** In characters. Only the passphrase protects the samples from a person who finds the file. */
export const shortestBundlePassphrase = 12;
export const bundlePassphrase = z.string().max(1024, 'a passphrase of at most 1,024 characters');

/** The included parts of each sample. The samples themselves are rows of the library. */
export const bundleParts = z.object({
  /** Their bytes, where the vault has them. */
  samples: z.boolean(),
  notes: z.boolean(),
  /** Comments of the threads, as they were read. */
  threads: z.boolean(),
  /** The active rule package of the workspace, as it was received. */
  rules: z.boolean(),
});
export type BundleParts = z.infer<typeof bundleParts>;

/**
 * The signer. `known`: bundles of this key were imported before; the key is verified by its fingerprint, over another
 * channel.
 */
const bundleSigner = z.object({
  /** SHA-256 of the public key, in hex. */
  fingerprint: z.string().regex(/^[0-9a-f]{64}$/),
  /** As given in the bundle; untrusted text. */
  name: z.string(),
  standing: z.enum(['own', 'known', 'new']),
  /** The key is new, and bundles of another one were taken in under this name. */
  isNamesake: z.boolean(),
});
export type BundleSigner = z.infer<typeof bundleSigner>;

/** What taking a bundle in would change here, whichever workspace it is taken into. */
const localChanges = z.object({
  /**
   * `contradicting`: not those of the bytes that are here, and to be left out. `newBytes`: bytes that the vault has
   * not, of `bytes` that are in the bundle.
   */
  samples: z.object({ new: count, same: count, contradicting: count, newBytes: count, bytes: count }),
  tags: z.object({ new: count }),
  notes: z.object({ new: count, same: count, added: count }),
  tlps: z.object({ stricter: count, same: count }),
});
export type LocalChanges = z.infer<typeof localChanges>;

/** What it would change in one workspace besides. */
const workspaceChanges = z.object({
  workspaceId,
  /** `contradicting`: of other bytes with the same MD5, and to be left out. */
  records: z.object({ new: count, newer: count, same: count, older: count, contradicting: count }),
  comments: z.object({ new: count, same: count }),
  /** The rule package, which becomes one to be installed; null: there is none. */
  rules: z.object({ version: z.string(), state: z.enum(['new', 'same']) }).nullable(),
});
export type WorkspaceChanges = z.infer<typeof workspaceChanges>;

const bundleFacts = z.object({
  /** UTC, ISO 8601, as its maker's clock had it. */
  created: z.string(),
  title: z.string(),
  parts: bundleParts,
  signer: bundleSigner,
  samples: count,
  /** Samples whose bytes are in it. */
  withBytes: count,
  bytes: count,
  changes: localChanges,
  /** Of each that there was when the bundle was read. */
  workspaces: z.array(workspaceChanges),
});
export type BundleFacts = z.infer<typeof bundleFacts>;

/** A bundle that was opened: read from end to end before anything is changed. One at a time. */
export const bundleOpening = z.object({
  id: z.string(),
  /** The file's name; untrusted text. */
  name: z.string(),
  sizeBytes: count,
  readBytes: count,
  /** Its job reports on `importing`. */
  state: z.enum(['reading', 'ready', 'refused', 'importing', 'imported']),
  failure: failureSchema.nullable(),
  facts: bundleFacts.nullable(),
  job: jobId.nullable(),
});
export type BundleOpening = z.infer<typeof bundleOpening>;

export const bundleTitle = seenLine('a title', 200);
export const bundleAuthor = seenLine('a name', 100);

/**
 * The local data of a sample, without the data from services. Without a SHA-256 it has neither bytes, tags nor note.
 */
export const bundledSample = z.object({
  sha256: sha256.nullable(),
  md5,
  sha1: sha1.nullable(),
  sizeBytes: claimedSize.nullable(),
  tags: z.array(tag).max(1000),
  /** The strictest of all sources. */
  tlp: tlpLevel.nullable(),
  note: sampleNote.nullable(),
});
export type BundledSample = z.infer<typeof bundledSample>;

/** The latest record that a service gave of a sample, and when: UTC, ISO 8601. */
export const bundledRecord = z.object({ readAt: z.iso.datetime(), record: sampleRecord });
export type BundledRecord = z.infer<typeof bundledRecord>;

/** A rule package as it was received. */
export const bundledRules = z.object({ version: z.string().trim().max(200), sha256, sizeBytes: count });
export type BundledRules = z.infer<typeof bundledRules>;
