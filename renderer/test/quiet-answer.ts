import { z } from 'zod';

/**
 * The least that a schema allows: no rows, zero, nothing, the first of several. For tests: what a host answers on which
 * nothing has happened. @throws for a schema that it cannot satisfy, such as a string of a certain form
 */
export function quietAnswer<T>(schema: z.ZodType<T>): T {
  return schema.parse(least(schema));
}

function least(schema: unknown): unknown {
  if (schema instanceof z.ZodObject)
    return Object.fromEntries(
      Object.entries(schema.shape).flatMap(([name, value]) =>
        value instanceof z.ZodOptional ? [] : [[name, least(value)]],
      ),
    );
  if (schema instanceof z.ZodNullable) return null;
  if (schema instanceof z.ZodArray) return [];
  if (schema instanceof z.ZodRecord) return {};
  if (schema instanceof z.ZodBoolean) return false;
  if (schema instanceof z.ZodString) return '';
  if (schema instanceof z.ZodNumber) return Math.max(0, schema.minValue ?? 0);
  if (schema instanceof z.ZodEnum) return schema.options[0];
  if (schema instanceof z.ZodLiteral) return schema.value;
  if (schema instanceof z.ZodUnion) return least(schema.options[0]);
  if (schema instanceof z.ZodReadonly) return least(schema.unwrap());
  return undefined;
}
