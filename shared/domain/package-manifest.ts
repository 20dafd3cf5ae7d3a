import { z } from 'zod';
import { sha256 } from './hash.ts';

export const manifestName = 'manifest.json';

/** What a package says of itself, in `manifest.json` beside its rules (docs/services.md, "The package"). */
export const packageManifest = z.object({
  version: z.string().min(1).max(200),
  group: z.string().max(200).nullable(),
  /** UTC, ISO 8601, as the service wrote it. */
  published: z.string().max(200).nullable(),
  files: z.array(z.object({ path: z.string(), sha256, sizeBytes: z.number().int().nonnegative() })),
});
export type PackageManifest = z.infer<typeof packageManifest>;
