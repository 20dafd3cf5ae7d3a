import { z } from 'zod';
import { failureSchema } from '../failure-kinds.ts';
import { sha256 } from './hash.ts';
import { workspaceId } from './workspace.ts';

const count = z.number().int().nonnegative();

/**
 * A file that came into the watched folder. `waiting` for its last byte; `drafted` lies in the upload draft, not
 * ticked; `known`: this very content came before; `left-out`: why is its failure.
 */
export const watchedFile = z.object({
  /** Inside the folder; untrusted text. */
  path: z.string(),
  sizeBytes: count,
  sha256: sha256.nullable(),
  state: z.enum(['waiting', 'hashing', 'scanning', 'drafted', 'known', 'left-out']),
  /** Rules that hit it; null while that is not known, and where there are no rules. */
  hits: count.nullable(),
  /** UTC, ISO 8601. */
  found: z.string(),
  failure: failureSchema.nullable(),
});
export type WatchedFile = z.infer<typeof watchedFile>;

/** Nothing is ever sent from here. */
export const watchState = z.object({
  /** null: none was chosen. */
  folder: z.string().nullable(),
  isOn: z.boolean(),
  /** Whose draft the files go to, and whose rules they are scanned with. */
  workspaceId: workspaceId.nullable(),
  /** Why nothing is seen although it is on: the folder is gone, or cannot be read. */
  failure: failureSchema.nullable(),
  /** Files that were there when it was turned on, and are left alone. */
  leftAlone: count,
  found: count,
  /** The newest two hundred. */
  files: z.array(watchedFile),
});
export type WatchState = z.infer<typeof watchState>;
