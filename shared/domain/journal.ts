import { z } from 'zod';
import { workspaceId } from './workspace.ts';

export const journalOperation = z.enum([
  'look-up', 'download', 'export', 'upload', 'comment', 'scan', 'rule-update', 'workspace', 'key-change', 'forget',
]);
export type JournalOperation = z.infer<typeof journalOperation>;

/** One row of the chained journal. `time` is UTC, ISO 8601 with milliseconds. */
export const journalRow = z.object({
  number: z.number().int().positive(),
  time: z.string(),
  workspaceId: workspaceId.nullable(),
  operation: journalOperation,
  hash: z.string().nullable(),
  outcome: z.string(),
  detail: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
});
export type JournalRow = z.infer<typeof journalRow>;

/** What the chain proves. */
export const journalVerification = z.object({
  rows: z.number().int(),
  /** With a durable key, tampering; without one, accidents only. */
  assurance: z.enum(['tampering', 'accidents-only']),
  /** The first row at which the chain does not hold; null when it holds. `cut-off` has no row. */
  broken: z.object({ number: z.number().int().nullable(), reason: z.enum(['edited', 'removed', 'cut-off']) }).nullable(),
});
