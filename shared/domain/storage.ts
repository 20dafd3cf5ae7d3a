import { z } from 'zod';

const count = z.number().int().nonnegative();

const storagePlace = z.enum(['vault', 'packages', 'database', 'staging', 'lab', 'logs']);
export type StoragePlace = z.infer<typeof storagePlace>;

/** What a move of the data left where it was. `bytes` is what was copied. */
const oldCopy = z.object({ path: z.string(), bytes: count });
export type OldCopy = z.infer<typeof oldCopy>;

/** The last backup that came to its end. */
const lastBackup = z.object({ path: z.string(), ended: z.string(), files: count, bytes: count });
export type LastBackup = z.infer<typeof lastBackup>;

/** Where local data is stored and how much space it takes. Sizes are in bytes on the disk. */
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
  oldCopy: oldCopy.nullable(),
  lastBackup: lastBackup.nullable(),
  /** Where backups go, where that was said at the start; null: the person is asked, or there is none. */
  backupFolder: z.string().nullable(),
});
export type StorageState = z.infer<typeof storageState>;

/** What a move of the data would copy, and where to. */
export const storageMove = z.object({ from: z.string(), to: z.string(), bytes: count, files: count });
export type StorageMove = z.infer<typeof storageMove>;

/** `leftFiles` are still in the old folder: they were not copied, or were changed since. */
export const removedCopy = z.object({ freedBytes: count, leftFiles: count });
export type RemovedCopy = z.infer<typeof removedCopy>;
