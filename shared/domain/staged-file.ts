import { z } from 'zod';

/** A file the person handed to the page: the host knows where its bytes are, the page only this. */
export const stagedFile = z.object({
  id: z.string().regex(/^[0-9a-f]{32}$/, 'a staged file id'),
  name: z.string(),
  sizeBytes: z.number().int().nonnegative(),
});
export type StagedFile = z.infer<typeof stagedFile>;
