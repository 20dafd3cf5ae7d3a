import { z } from 'zod';
import { diagnosticsParts } from '../../../shared/domain/diagnostics.ts';

/** What whoever collects and their thread say to each other. */

export const collectingOrder = z.object({
  dataDirectory: z.string(),
  /** A program has the database open. Else nothing may be changed in the folder, and no file be left there. */
  isOpen: z.boolean(),
  /** What must not be in the file in any form: tokens and passwords that this program has used. */
  secrets: z.array(z.string()),
  /**
   * Names of this computer that are no secret and leave all the same: of the person, their home folder, the computer.
   */
  names: z.array(z.string()),
  /** Failures that the program that runs answered with, newest first. */
  recent: z.array(z.object({ time: z.string(), operation: z.string(), failure: z.unknown() })),
});
export type CollectingOrder = z.infer<typeof collectingOrder>;

export const collectedPart = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('part'), part: z.enum(diagnosticsParts), text: z.string() }),
  z.object({ kind: z.literal('missing'), part: z.enum(diagnosticsParts), reason: z.string() }),
  z.object({ kind: z.literal('over') }),
]);
export type FromCollector = z.infer<typeof collectedPart>;
