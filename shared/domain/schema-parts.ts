import { z } from 'zod';
import { isSeenLine } from './visible-text.ts';

/** What a person types in a field of one line, and reads there again. `what` names it with its article: `a name`. */
export const seenLine = (what: string, most: number) =>
  z
    .string(what)
    .refine((text) => text.trim() !== '', { error: what, abort: true })
    .max(most, { error: () => `${what} of at most ${most.toLocaleString('en')} characters` })
    .refine(isSeenLine, `${what} on one line, of visible characters`);

type Plain = number | boolean | string | null;

/**
 * The fields of a value that cannot hold free text, by their schema: numbers, booleans and words of a fixed set. A
 * field that does not match its schema is left out, too. So nothing that a person or a service wrote comes through.
 */
export function plainFields(shape: Readonly<Record<string, unknown>>, value: object): Record<string, Plain> {
  const given = new Map<string, unknown>(Object.entries(value));
  return Object.fromEntries(
    Object.entries(shape).flatMap(([name, schema]) => {
      const read = isPlain(schema) ? plain.safeParse(schema.safeParse(given.get(name)).data) : null;
      return read?.success === true ? [[name, read.data]] : [];
    }),
  );
}

const plain = z.union([z.number(), z.boolean(), z.string(), z.null()]);

function isPlain(schema: unknown): schema is z.ZodType {
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional || schema instanceof z.ZodDefault)
    return isPlain(schema.unwrap());
  return (
    schema instanceof z.ZodNumber ||
    schema instanceof z.ZodBoolean ||
    schema instanceof z.ZodEnum ||
    schema instanceof z.ZodLiteral
  );
}
