import { z } from 'zod';
import { workspaceId } from './workspace.ts';

export const journalOperation = z.enum([
  'look-up',
  'download',
  'export',
  'upload',
  'comment',
  'scan',
  'rule-update',
  'workspace',
  'key-change',
  'forget',
  'bundle',
  'backup',
  'restore',
  'watch',
  'mute',
  'add',
  'record-change',
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

/**
 * A row as it is shown. null: the stored value under this number is no longer a row, which a verification reports too.
 */
export const journalLine = z.object({ number: z.number().int(), row: journalRow.nullable() });
export type JournalLine = z.infer<typeof journalLine>;

/** A workspace that rows are of, and the name it had last; null: no row contains one. */
export const journalWorkspace = z.object({ id: workspaceId, name: z.string().nullable() });
export type JournalWorkspace = z.infer<typeof journalWorkspace>;

const instant = z.iso.datetime('a time in UTC, ISO 8601').nullable();

/**
 * The rows to list. No operation: all of them; a stored operation that is not a known one is among any. `find`, in
 * whatever case, is a part of a hash, of an outcome or of the detail.
 */
export const journalFilter = z.object({
  operations: z.array(journalOperation).max(20, 'at most 20 operations'),
  workspaceId: workspaceId.nullable(),
  find: z.string().max(200, 'at most 200 characters'),
  /** From this time on, and before that one. */
  from: instant,
  before: instant,
});
export type JournalFilter = z.infer<typeof journalFilter>;

const rowNumber = z.number().int();

/**
 * The first thing that does not hold. `edited`: the row is not what was written. `removed`: `count` rows from `number`
 * on are gone, while later ones are there. `cut-off`: the journal had `were` rows, by its sealed end, and row `number`
 * and what followed is gone. `rewritten`: every row fits the one before, but row `number` does not fit its seal, or is
 * not the one at which the sealed end was: it or rows before it are not those that were written. `added`: row `number`
 * came after the sealed end, or has a number that no row gets. `end-missing` and `end-edited`: the rows that are there
 * hold, but the record of where the journal ends is gone, or was changed, so that rows may have been cut off.
 * `key-replaced`: neither rows nor their end are of the key that the database has.
 */
const journalBreak = z.discriminatedUnion('reason', [
  z.object({ reason: z.literal('edited'), number: rowNumber }),
  z.object({ reason: z.literal('removed'), number: rowNumber, count: z.number().int().positive() }),
  z.object({ reason: z.literal('cut-off'), number: rowNumber, were: z.number().int().positive() }),
  z.object({ reason: z.literal('rewritten'), number: rowNumber }),
  z.object({ reason: z.literal('added'), number: rowNumber }),
  z.object({ reason: z.enum(['end-missing', 'end-edited', 'key-replaced']), number: z.null() }),
]);
export type JournalBreak = z.infer<typeof journalBreak>;

/** What the chain proves. */
export const journalVerification = z.object({
  /** How many there are now. */
  rows: z.number().int(),
  /**
   * With a durable key, tampering; without one, accidents only. `locked` and `key-missing`: rows or ends name a durable
   * key that is not available, because the token store is locked, or does not have it; what it sealed was not checked
   * against tampering.
   */
  assurance: z.enum(['tampering', 'accidents-only', 'locked', 'key-missing']),
  /** null when the chain holds. */
  broken: journalBreak.nullable(),
});
export type JournalVerification = z.infer<typeof journalVerification>;
