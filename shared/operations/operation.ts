import { z } from 'zod';
import { anyHash } from '../domain/hash.ts';
import type { EventName, EventPayload } from '../events.ts';

/** For an event: the fields of its payload that a request has to share with it. Without fields, any request. */
type Refreshing<I extends z.ZodType> = {
  readonly [N in EventName]?: readonly (string & keyof EventPayload<N> & keyof z.input<I>)[];
};

interface Row<I extends z.ZodType, O extends z.ZodType> {
  input: I;
  output: O;
  /** It answers from the open database and from memory alone, so it also works without the data directory. */
  reads?: true;
  /** It asks a service on the network, and the journal has it: it runs when a person asks, never by itself. */
  asksAService?: true;
  /** The events after which an answer is stale: the page requests it again where it is shown. */
  refreshedBy?: Refreshing<I>;
  /** An answer that is expensive to make is refreshed at most this often, one request at a time. */
  refreshEveryMs?: number;
}

/** A row of the table of operations. */
export const operation = <I extends z.ZodType, O extends z.ZodType>(row: Row<I, O>) => ({
  input: row.input,
  output: row.output,
  reads: row.reads === true,
  asksAService: row.asksAService === true,
  refreshedBy: row.refreshedBy ?? {},
  refreshEveryMs: row.refreshEveryMs ?? null,
});

export const nothing = z.object({});

/** Of a list: where the window begins, and how many rows it has at most. */
export const window = { offset: z.number().int().nonnegative(), limit: z.number().int().min(1).max(1000) };

/** Hashes cross in pages: a call stays small however long the list is. */
export const hashPage = z.array(anyHash).max(5000, 'at most 5,000 hashes a call');

/** Into the host's export folder, or once by the caller. */
export const destination = z.enum(['folder', 'browser']);
