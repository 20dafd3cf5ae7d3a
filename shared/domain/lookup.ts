import { z } from 'zod';
import { md5 } from './hash.ts';
import { localSample, sampleRecord } from './sample.ts';

export const lookupResult = z.object({
  /** The hash the service was asked with. */
  asked: md5,
  record: sampleRecord,
  local: localSample,
  elapsedMs: z.number().int().nonnegative(),
});
export type LookupResult = z.infer<typeof lookupResult>;
