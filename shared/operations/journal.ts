import { z } from 'zod';
import { exportResult } from '../domain/export.ts';
import { journalFilter, journalLine, journalVerification } from '../domain/journal.ts';
import { destination, nothing, operation, window } from './operation.ts';

export const journalOperations = {
  /** One window of the rows that are meant, newest first, and how many they are in all. */
  'journal.list': operation(z.object({ filter: journalFilter, ...window }), z.object({ lines: z.array(journalLine), total: z.number().int() })),
  /** Rows as they are stored, oldest first, with what chains them: CSV, or JSON a line. */
  'journal.export': operation(z.object({ filter: journalFilter, format: z.enum(['csv', 'jsonl']), to: destination }), exportResult),
  'journal.verify': operation(nothing, journalVerification),
} as const;
