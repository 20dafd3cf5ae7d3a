import fc from 'fast-check';
import { z } from 'zod';
import type { Json } from '../domain/sample.ts';

/** As far as JSON Schema is looked at: what zod writes of the schemas that the contract has. */
const node = z.object({
  get anyOf() {
    return z.array(node).optional();
  },
  get oneOf() {
    return z.array(node).optional();
  },
  get items() {
    return z.union([node, z.boolean()]).optional();
  },
  get properties() {
    return z.record(z.string(), node).optional();
  },
  get additionalProperties() {
    return z.union([node, z.boolean()]).optional();
  },
  const: z.unknown().optional(),
  enum: z.array(z.unknown()).optional(),
  type: z.union([z.string(), z.array(z.string())]).optional(),
  pattern: z.string().optional(),
  required: z.array(z.string()).optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  minItems: z.number().optional(),
  maxItems: z.number().optional(),
});
type Node = z.infer<typeof node>;

const mostEntries = 3;
const leastWhole = -5;
const mostWhole = 20;

/**
 * Inputs that a schema takes, or nearly: its refinements look at most of them. `words` are texts for fields of any
 * text.
 */
export function inputsOf(schema: z.ZodType, words: readonly string[]): fc.Arbitrary<Json> {
  return valuesOf(node.parse(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', cycles: 'throw' })), words);
}

function valuesOf(of: Node, words: readonly string[]): fc.Arbitrary<Json> {
  const choices = of.anyOf ?? of.oneOf;
  if (choices !== undefined) return fc.oneof(...choices.map((choice) => valuesOf(choice, words)));
  if (Array.isArray(of.type)) return fc.oneof(...of.type.map((type) => valuesOf({ ...of, type }, words)));
  // JSON Schema is JSON: so is what it names.
  if (of.const !== undefined) return fc.constant(of.const as Json);
  if (of.enum !== undefined) return fc.constantFrom(...(of.enum as Json[]));
  switch (of.type) {
    case 'string':
      return fc.oneof(
        { weight: 4, arbitrary: textsOf(of, words) },
        { weight: 1, arbitrary: fc.constantFrom(...words) },
      );
    case 'integer':
      return fc.integer({
        min: of.minimum ?? leastWhole,
        max: Math.max(of.minimum ?? leastWhole, Math.min(of.maximum ?? mostWhole, 2 ** 31)),
      });
    case 'number':
      return fc.double({ min: of.minimum ?? leastWhole, max: of.maximum ?? mostWhole, noNaN: true });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return fc.array(typeof of.items === 'object' ? valuesOf(of.items, words) : fc.constant(null), {
        minLength: of.minItems ?? 0,
        maxLength: Math.max(of.minItems ?? 0, Math.min(of.maxItems ?? mostEntries, mostEntries)),
      });
    case 'object':
      return objectsOf(of, words);
    default:
      return fc.constantFrom(...words, 1, null, true);
  }
}

function textsOf({ pattern }: Node, words: readonly string[]): fc.Arbitrary<string> {
  return pattern === undefined ? fc.constantFrom(...words) : fc.stringMatching(new RegExp(pattern, 'u'));
}

function objectsOf(
  { properties = {}, required = [], additionalProperties }: Node,
  words: readonly string[],
): fc.Arbitrary<Json> {
  const fields = Object.fromEntries(Object.entries(properties).map(([name, of]) => [name, valuesOf(of, words)]));
  const whole: fc.Arbitrary<Record<string, Json>> = fc.record(fields, { requiredKeys: required });
  if (typeof additionalProperties !== 'object' || Object.keys(properties).length > 0) return whole;
  return fc.dictionary(fc.constantFrom(...words), valuesOf(additionalProperties, words), { maxKeys: mostEntries });
}
