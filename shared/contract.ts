import type { z } from 'zod';
import { bundlesOperations } from './operations/bundles.ts';
import { commentsOperations } from './operations/comments.ts';
import { diagnosticsOperations, hostOperations } from './operations/host.ts';
import { jobsOperations } from './operations/jobs.ts';
import { journalOperations } from './operations/journal.ts';
import { libraryOperations } from './operations/library.ts';
import { publicationsOperations } from './operations/publications.ts';
import { casesOperations, samplesOperations } from './operations/samples.ts';
import { scansOperations } from './operations/scans.ts';
import { serversOperations } from './operations/servers.ts';
import { uploadsOperations, watchOperations } from './operations/uploads.ts';

/**
 * THE table: the requests of the page and the command line to the host, and the host's events. Its rows lie in
 * `operations/`, by their noun. Types are inferred from it; a row without a handler in `electron/handlers.ts` does not
 * compile.
 */
export const operations = {
  ...hostOperations,
  ...samplesOperations,
  ...uploadsOperations,
  ...commentsOperations,
  ...jobsOperations,
  ...publicationsOperations,
  ...scansOperations,
  ...libraryOperations,
  ...journalOperations,
  ...casesOperations,
  ...bundlesOperations,
  ...watchOperations,
  ...serversOperations,
  ...diagnosticsOperations,
} as const satisfies Record<string, { input: z.ZodType; output: z.ZodType }>;

export type OperationName = keyof typeof operations;
export type OperationInput<N extends OperationName> = z.input<(typeof operations)[N]['input']>;
export type OperationRequest<N extends OperationName> = z.output<(typeof operations)[N]['input']>;
export type OperationOutput<N extends OperationName> = z.output<(typeof operations)[N]['output']>;

/** One function an operation. Failures are thrown as `FailureError`; anything else thrown is a defect. */
export type Handlers = { [N in OperationName]: (request: OperationRequest<N>) => Promise<OperationOutput<N>> };

export function isOperationName(name: string): name is OperationName {
  return Object.hasOwn(operations, name);
}
