import { z } from 'zod';
import { anyHash } from '../domain/hash.ts';

interface Row<I extends z.ZodType, O extends z.ZodType> {
  input: I;
  output: O;
  /** It answers from the open database and from memory alone, so it also works without the data directory. */
  reads?: true;
}

/** A row of the table of operations. */
export const operation = <I extends z.ZodType, O extends z.ZodType>({ input, output, reads }: Row<I, O>) => ({
  input,
  output,
  reads: reads === true,
});

export const nothing = z.object({});

/** Of a list: where the window begins, and how many rows it has at most. */
export const window = { offset: z.number().int().nonnegative(), limit: z.number().int().min(1).max(1000) };

/** Hashes cross in pages: a call stays small however long the list is. */
export const hashPage = z.array(anyHash).max(5000, 'at most 5,000 hashes a call');

/** Into the host's export folder, or once by the caller. */
export const destination = z.enum(['folder', 'browser']);
