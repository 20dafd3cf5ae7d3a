import { z } from 'zod';
import { exportResult } from '../domain/export.ts';
import { folderGrant } from '../domain/host.ts';
import { journalFilter, journalLine, journalVerification, journalWorkspace } from '../domain/journal.ts';
import { destination, nothing, operation, window } from './operation.ts';

export const journalOperations = {
  /**
   * One window of the rows that are meant, newest first, and how many they are in all. An `asker` looks at one list at
   * a time: a window that waits for its turn fails with `cancelled` when its asker asks with another filter. Given
   * `upTo`, rows with greater numbers are left out and counted as `newer`: so a list stays as it is while rows come.
   * `newest` is the number of its first row.
   */
  'journal.list': operation({
    input: z.object({
      asker: z.string().min(1).max(64).optional(),
      filter: journalFilter,
      upTo: z.number().int().optional(),
      ...window,
    }),
    output: z.object({
      lines: z.array(journalLine),
      total: z.number().int(),
      newest: z.number().int().nullable(),
      newer: z.number().int(),
    }),
    reads: true,
    refreshedBy: { 'journal.changed': [] },
    refreshEveryMs: 500,
  }),
  /** Whose rows there are, also of workspaces that were removed. */
  'journal.workspaces': operation({
    input: nothing,
    output: z.object({ workspaces: z.array(journalWorkspace) }),
    reads: true,
  }),
  /** How many rows come before this one in the list of all, whether or not it is there itself. */
  'journal.position': operation({
    input: z.object({ number: z.number().int() }),
    output: z.object({ offset: z.number().int().nonnegative() }),
    reads: true,
  }),
  /**
   * Rows as they are stored, oldest first, with what chains them: CSV, or JSON a line. `folder`: where the command line
   * writes them. Fails with `no-export-folder`, `export-into-watched`.
   */
  'journal.export': operation({
    input: z.object({
      filter: journalFilter,
      format: z.enum(['csv', 'jsonl']),
      to: destination.or(z.literal('command-line')),
      folder: folderGrant.optional(),
    }),
    output: exportResult,
  }),
  'journal.verify': operation({ input: nothing, output: journalVerification, reads: true }),
} as const;
