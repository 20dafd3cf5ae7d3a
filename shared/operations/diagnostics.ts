import { z } from 'zod';
import { savedDiagnostics } from '../domain/diagnostics.ts';
import { folderGrant } from '../domain/folder-grant.ts';
import { nothing, operation } from './operation.ts';

export const diagnosticsOperations = {
  /**
   * Makes one ZIP for a bug report; nothing is sent. It goes to a folder that the host asks for or, where the host has
   * no picker and for the command line, once to the caller. `folder`: where the command line writes it. A part that
   * cannot be read is named, and the rest is saved. Fails with `export-into-watched`, `not-writable`, `disk-full`,
   * `disk-failed`.
   */
  'diagnostics.save': operation({
    input: z.object({ to: z.literal('command-line').optional(), folder: folderGrant.optional() }),
    output: savedDiagnostics,
    reads: true,
  }),
  /**
   * Opens the folder of the file that was saved last. Does nothing where none was, or where the host opens no folders.
   */
  'diagnostics.showFolder': operation({ input: nothing, output: nothing, reads: true }),
} as const;
