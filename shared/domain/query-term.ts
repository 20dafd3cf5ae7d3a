import { z } from 'zod';
import { tlpLevel } from './tlp.ts';

/** In UTF-16 code units. */
export const longestQuery = 1000;
export const mostQueryTerms = 32;

const negated = z.boolean();
const value = z.string().min(1, 'something to look for').max(longestQuery);
const count = z.number().int().nonnegative();
const instant = z.iso.datetime('a time in UTC').nullable();

const exactly = z.object({ kind: z.literal('exact'), value });
const beginning = z.object({ kind: z.literal('beginning'), value });
const any = z.object({ kind: z.literal('any') });

/** A named thing: by its whole name, by how it begins, or whichever there is. */
const namedMatch = z.discriminatedUnion('kind', [exactly, beginning, any]);
export type NamedMatch = z.infer<typeof namedMatch>;

/**
 * One condition that samples of the library are chosen by; `negated`: those that it does not hold for.
 *
 * - `text`: words anywhere (name, hash beginning, tag, comment, note, rule, threat); several words in one value are a
 *   phrase.
 * - `tag`: lower case, as `normalTag` has it. `rule`: as the rule is written. `type`: how it begins, its ASCII letters
 *   in lower case.
 * - `hash`: how it begins, in lower-case hexadecimal digits; `kind` is null where any of the three may begin so.
 * - `size` in bytes, `hits` and `comments`: both ends belong to it, null is open.
 * - `seen` (last) and `first`: `from` belongs to it, `until` does not; null is open.
 * - `tlp`: null for samples of which nobody says one; `unknown` for those of them of which no record was read that
 *   could.
 */
export const queryTerm = z.discriminatedUnion('field', [
  z.object({ field: z.enum(['text', 'name', 'comment', 'threat', 'type']), negated, value }),
  z.object({
    field: z.literal('note'),
    negated,
    match: z.discriminatedUnion('kind', [z.object({ kind: z.literal('words'), value }), any]),
  }),
  z.object({ field: z.enum(['tag', 'rule']), negated, match: namedMatch }),
  z.object({
    field: z.literal('hash'),
    negated,
    kind: z.enum(['md5', 'sha1', 'sha256']).nullable(),
    value: z.string().regex(/^[0-9a-f]{4,64}$/, 'four to 64 hexadecimal digits in lower case'),
  }),
  z.object({ field: z.enum(['size', 'hits', 'comments']), negated, least: count.nullable(), most: count.nullable() }),
  z.object({ field: z.enum(['seen', 'first']), negated, from: instant, until: instant }),
  z.object({ field: z.literal('tlp'), negated, level: z.union([tlpLevel, z.literal('unknown')]).nullable() }),
  z.object({ field: z.literal('invault'), negated, value: z.boolean() }),
]);
export type QueryTerm = z.infer<typeof queryTerm>;

/** A sample is chosen when all of them hold; none at all choose every sample. */
export const queryTerms = z.array(queryTerm).max(mostQueryTerms);
