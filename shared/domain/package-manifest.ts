import { z } from 'zod';
import { sha256 } from './hash.ts';

export const manifestName = 'manifest.json';

/** A package's description of itself, in `manifest.json` beside its rules (docs/services.md, "The package"). */
export const packageManifest = z.object({
  version: z.string().min(1).max(200),
  group: z.string().max(200).nullable(),
  /** UTC, ISO 8601, as the service wrote it. */
  published: z.string().max(200).nullable(),
  files: z.array(z.object({ path: z.string(), sha256, sizeBytes: z.number().int().nonnegative() })),
});
export type PackageManifest = z.infer<typeof packageManifest>;

/**
 * Which of two versions is the newer: above 0, the first; below 0, the second; null if unknown. Parts of digits are
 * compared as numbers, one after another; other parts only show that versions are the same.
 */
export function compareVersions(first: string, second: string): number | null {
  const [ours, theirs] = [partsOf(first), partsOf(second)];
  for (let at = 0; at < Math.max(ours.length, theirs.length); at += 1) {
    const [one = '0', other = '0'] = [ours[at], theirs[at]];
    if (one === other) continue;
    if (!isNumber(one) || !isNumber(other)) return null;
    const difference = BigInt(one) - BigInt(other);
    if (difference !== 0n) return difference > 0n ? 1 : -1;
  }
  return 0;
}

/** A `v` before the digits has no meaning. */
const partsOf = (version: string): string[] =>
  version
    .trim()
    .toLowerCase()
    .replace(/^v(?=\d)/, '')
    .split(/[.\-_+ ]/);
const isNumber = (part: string): boolean => /^\d{1,30}$/.test(part);
