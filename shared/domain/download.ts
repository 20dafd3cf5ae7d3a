import { z } from 'zod';
import { failureSchema } from '../failure-kinds.ts';
import { md5, sha1, sha256 } from './hash.ts';
import { workspaceId } from './workspace.ts';

export const downloadId = z.string().regex(/^[0-9a-f]{32}$/, 'a download id');

/** One download as it stands. Rates are bytes a second over the last two seconds. */
export const download = z.object({
  id: downloadId,
  workspaceId,
  md5,
  name: z.string().nullable(),
  state: z.enum(['waiting', 'receiving', 'done', 'already-here', 'failed', 'cancelled']),
  receivedBytes: z.number().int().nonnegative(),
  totalBytes: z.number().int().nonnegative().nullable(),
  bytesPerSecond: z.number().nonnegative(),
  sha1: sha1.nullable(),
  sha256: sha256.nullable(),
  failure: failureSchema.nullable(),
});
export type Download = z.infer<typeof download>;

/** It is not over: it waits, or receives. */
export const isRunningDownload = ({ state }: Download): boolean => state === 'waiting' || state === 'receiving';
