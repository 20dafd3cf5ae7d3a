import { z } from 'zod';

const count = z.number().int().nonnegative();

export const storagePlace = z.enum(['vault', 'packages', 'database', 'staging', 'lab', 'logs']);
export type StoragePlace = z.infer<typeof storagePlace>;

/** Where this desk keeps its things and how much room they take. Sizes are in bytes on the disk. */
export const storageState = z.object({
  directory: z.string(),
  places: z.array(z.object({ place: storagePlace, bytes: count, files: count })),
  /** null: the system does not say. */
  freeBytes: count.nullable(),
  /** What a clean-up would give back. */
  unusedBytes: count,
  samples: count,
  /** The last check of the whole vault; null: there was none. */
  lastCheck: z.object({ ended: z.string(), samples: count, missing: count, altered: count }).nullable(),
});
export type StorageState = z.infer<typeof storageState>;
