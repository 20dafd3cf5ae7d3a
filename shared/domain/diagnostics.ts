import { z } from 'zod';
import { exportResult } from './export.ts';

/** What the file for a bug report consists of (docs/diagnostics.md). */
export const diagnosticsParts = ['about', 'log', 'settings', 'failures', 'jobs', 'database'] as const;
export type DiagnosticsPart = (typeof diagnosticsParts)[number];

/**
 * A part that could not be read. `reason`: the kind of a failure or the code of the system, never a text with a name in
 * it.
 */
export const missingPart = z.object({
  part: z.enum(diagnosticsParts),
  reason: z.string().regex(/^[\w -]{1,80}$/, 'a kind or a code'),
});
export type MissingPart = z.infer<typeof missingPart>;

/** `saved` null: the person chose no folder. */
export const savedDiagnostics = z.object({ saved: exportResult.nullable(), missing: z.array(missingPart) });
export type SavedDiagnostics = z.infer<typeof savedDiagnostics>;
