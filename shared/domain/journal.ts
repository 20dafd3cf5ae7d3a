import { z } from 'zod';
import { workspaceId } from './workspace.ts';

export const journalOperation = z.enum([
  'look-up', 'download', 'export', 'upload', 'comment', 'scan', 'rule-update', 'workspace', 'key-change', 'forget', 'bundle', 'backup',
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

/** A row as it is shown. null: what is stored under this number is no row any more, which a verification says too. */
export const journalLine = z.object({ number: z.number().int().positive(), row: journalRow.nullable() });
export type JournalLine = z.infer<typeof journalLine>;

const instant = z.iso.datetime('a time in UTC, ISO 8601').nullable();

/** Which rows are meant. No operation: all of them. `find` is a part of a hash, of an outcome or of what the detail says. */
export const journalFilter = z.object({
  operations: z.array(journalOperation).max(20, 'at most 20 operations'),
  workspaceId: workspaceId.nullable(),
  find: z.string().max(200, 'at most 200 characters'),
  /** From this time on, and before that one. */
  from: instant,
  before: instant,
});
export type JournalFilter = z.infer<typeof journalFilter>;

/** What the chain proves. */
export const journalVerification = z.object({
  rows: z.number().int(),
  /** With a durable key, tampering; without one, accidents only. */
  assurance: z.enum(['tampering', 'accidents-only']),
  /** The first row at which the chain does not hold; null when it holds. `cut-off` has no row. */
  broken: z.object({ number: z.number().int().nullable(), reason: z.enum(['edited', 'removed', 'cut-off']) }).nullable(),
});
