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
  damage: z.string().nullable(),
  firstSeen: z.string(),
  lastSeen: z.string(),
});
export type SampleRow = z.infer<typeof sampleRow>;

export const sampleColumns = `sample.id, sample.md5, sample.sha1, sample.sha256, sample.size_bytes AS sizeBytes,
  sample.verified,
  sample.in_vault AS inVault, sample.damage, sample.first_seen AS firstSeen, sample.last_seen AS lastSeen`;

/** A copy that is lost or altered is no copy: only when nobody takes it for one is the sample downloaded again. */
export const localSampleOf = (
  { md5, sha1, sha256, sizeBytes, inVault, damage, firstSeen, lastSeen }: SampleRow,
  tags: string[],
): LocalSample => ({
  md5,
  sha1,
  sha256,
  sizeBytes,
  inVault: inVault === 1 && damage === null,
  firstSeen,
  lastSeen,
  tags,
});
