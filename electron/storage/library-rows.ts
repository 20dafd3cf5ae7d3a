import { z } from 'zod';
import type { LocalSample } from '../../shared/domain/sample.ts';

/** A row of `sample`. Loose about hashes: what was stored was checked when it came in. */
export const sampleRow = z.object({
  id: z.number(),
  md5: z.string(),
  sha1: z.string().nullable(),
  sha256: z.string().nullable(),
  sizeBytes: z.number().nullable(),
  verified: z.number(),
  inVault: z.number(),
  firstSeen: z.string(),
  lastSeen: z.string(),
});
export type SampleRow = z.infer<typeof sampleRow>;

export const sampleColumns = `sample.id, sample.md5, sample.sha1, sample.sha256, sample.size_bytes AS sizeBytes, sample.verified,
  sample.in_vault AS inVault, sample.first_seen AS firstSeen, sample.last_seen AS lastSeen`;

export const localSampleOf = ({ md5, sha1, sha256, sizeBytes, inVault, firstSeen, lastSeen }: SampleRow, tags: string[]): LocalSample => ({
  md5, sha1, sha256, sizeBytes, inVault: inVault === 1, firstSeen, lastSeen, tags,
});
