import { z } from 'zod';
import { md5, sha1, sha256 } from './hash.ts';
import { tag } from './tag.ts';
import { tlpLevel } from './tlp.ts';

/**
 * What leaves the desk as text about a sample. Times are UTC, ISO 8601. Names, threats and tags of services are
 * untrusted text.
 */
export const sampleFacts = z.object({
  sha256: sha256.nullable(),
  sha1: sha1.nullable(),
  md5: md5.nullable(),
  name: z.string().nullable(),
  sizeBytes: z.number().int().nonnegative().nullable(),
  type: z.string().nullable(),
  /** The strictest that anybody says. */
  tlp: tlpLevel.nullable(),
  /** A record of it was read: without one, nobody was asked for its TLP. */
  isRecorded: z.boolean(),
  /** What this desk says. */
  ownTlp: tlpLevel.nullable(),
  threat: z.string().nullable(),
  /** Given on this desk. */
  tags: z.array(tag),
  serviceTags: z.array(z.string()),
  /** Names of rules that hit it, as last seen. */
  hits: z.array(z.string()),
  firstSeen: z.string(),
  lastSeen: z.string(),
  /** Held, and as it should be. */
  inVault: z.boolean(),
});
export type SampleFacts = z.infer<typeof sampleFacts>;
