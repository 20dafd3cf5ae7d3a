import { z } from 'zod';
import { assertNever } from '../assert-never.ts';
import { longestTag, tlpLevel } from './tag.ts';

const place = { at: z.number().int().nonnegative(), length: z.number().int().nonnegative() };
const field = z.string();

/** Why a query cannot be read. `at` and `length` mark the part of the text that is meant, in UTF-16 code units. */
export const queryProblem = z.discriminatedUnion('reason', [
  z.object({ ...place, reason: z.literal('too-long'), most: z.number().int() }),
  z.object({ ...place, reason: z.literal('too-many'), most: z.number().int() }),
  z.object({ ...place, reason: z.enum(['unclosed-quote', 'quote-inside', 'nothing-negated', 'no-letter', 'bad-tag']) }),
  z.object({ ...place, reason: z.literal('unknown-field'), field, suggestion: field }),
  z.object({ ...place, reason: z.enum(['no-value', 'bad-size', 'bad-count', 'bad-time', 'bad-hash']), field }),
  z.object({ ...place, reason: z.literal('bad-choice'), field, choices: z.array(z.string()) }),
]);
export type QueryProblem = z.infer<typeof queryProblem>;

type Unplaced<P> = P extends QueryProblem ? Omit<P, keyof typeof place> : never;
/** What is wrong, before it is known where. */
export type QueryFault = Unplaced<QueryProblem>;

/** The text for the person. `example` can be typed unchanged. */
interface QueryProblemSentence {
  what: string;
  example: string;
}

const print = (what: string, example: string): QueryProblemSentence => ({ what, example });

export function queryProblemSentence(problem: QueryProblem): QueryProblemSentence {
  switch (problem.reason) {
    case 'too-long':
      return print(
        `A search has at most ${problem.most.toLocaleString('en')} characters.`,
        'tag:family:emotet seen:<7d',
      );
    case 'too-many':
      return print(`A search has at most ${problem.most} terms.`, 'tag:family:emotet seen:<7d');
    case 'unclosed-quote':
      return print('This quote is not closed.', '"quarterly report"');
    case 'quote-inside':
      return print(
        'Put quotes around the whole value. A quote inside them is written \\".',
        'tag:"family:agent tesla"',
      );
    case 'nothing-negated':
      return print('A minus excludes the term after it, without a space between.', '-tag:reviewed');
    case 'no-letter':
      return print('Enter at least one letter or digit to search for.', 'invoice');
    case 'unknown-field':
      return print(
        `Unknown field “${problem.field}:”. Did you mean “${problem.suggestion}:”? Quote it to search for the text.`,
        fieldNamed(problem.suggestion)?.example ?? '',
      );
    case 'no-value':
      return print(`Add a value after “${problem.field}:”.`, fieldNamed(problem.field)?.example ?? '');
    case 'bad-size':
      return print(
        'Invalid size. Use a number with B, kB, MB, GB, KiB, MiB or GiB, with > or < in front or as a range.',
        `${problem.field}:10kB..2MiB`,
      );
    case 'bad-count':
      return print('Invalid count. Use a whole number, with > or < in front or as a range.', `${problem.field}:>3`);
    case 'bad-time':
      return print(
        'Invalid time. Use an age in m, h, d, w, mo or y, a day, a month, today or yesterday.',
        `${problem.field}:<7d`,
      );
    case 'bad-choice':
      return print(
        `“${problem.field}:” takes one of ${problem.choices.join(', ')}.`,
        `${problem.field}:${problem.choices[0] ?? ''}`,
      );
    case 'bad-hash':
      return print(
        'Invalid start of a hash. Use at least four hexadecimal digits, and no more than the hash has.',
        `${problem.field}:d41d8c`,
      );
    case 'bad-tag':
      return print(`Invalid tag. Use at most ${longestTag} characters and no comma.`, 'tag:family:emotet');
    default:
      return assertNever(problem);
  }
}

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
 * - `tlp`: null for samples without a TLP; `unknown` for those of them of which no record was read that could have one.
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

/** What the value of a field is. */
export type QueryValueKind = 'words' | 'note' | 'tag' | 'rule' | 'type' | 'hash' | 'size' | 'count' | 'time' | 'choice';

interface QueryField {
  name: string;
  /** Read as the name is; never offered. */
  aliases: readonly string[];
  value: QueryValueKind;
  /** What may be offered behind it: all that it takes, or for a time what is asked most. */
  choices: readonly string[];
  does: string;
  example: string;
}

const times = ['today', 'yesterday', '<24h', '<7d', '<30d'] as const;

/** In the order in which they are offered. The reader, the completion and the help are made from this table. */
export const queryFields = [
  {
    name: 'tag',
    aliases: ['tags'],
    value: 'tag',
    choices: [],
    does: 'Has this tag. apt*: tags that start with apt. *: any tag.',
    example: 'tag:family:emotet',
  },
  {
    name: 'name',
    aliases: ['filename'],
    value: 'words',
    choices: [],
    does: 'The name contains these words.',
    example: 'name:"quarterly report"',
  },
  {
    name: 'rule',
    aliases: ['hit'],
    value: 'rule',
    choices: [],
    does: 'Hit by this rule. apt*: rules that start with apt. *: any rule.',
    example: 'rule:Emotet_*',
  },
  { name: 'hits', aliases: [], value: 'count', choices: [], does: 'Number of rules that hit it.', example: 'hits:>3' },
  {
    name: 'threat',
    aliases: [],
    value: 'words',
    choices: [],
    does: 'The threat contains these words.',
    example: 'threat:trojan',
  },
  { name: 'type', aliases: [], value: 'type', choices: [], does: 'The type starts with this.', example: 'type:pe' },
  {
    name: 'size',
    aliases: ['filesize'],
    value: 'size',
    choices: [],
    does: 'The size, with >, < or as a range. MB is 1,000,000 bytes, MiB 1,048,576.',
    example: 'size:10kB..2MiB',
  },
  {
    name: 'seen',
    aliases: ['lastseen'],
    value: 'time',
    choices: times,
    does: 'Last seen: <7d is within 7 days, >7d is longer ago. Or a UTC date.',
    example: 'seen:<7d',
  },
  {
    name: 'first',
    aliases: ['firstseen'],
    value: 'time',
    choices: times,
    does: 'First seen, written like seen.',
    example: 'first:2026-11-01..2026-11-05',
  },
  {
    name: 'invault',
    aliases: ['vault'],
    value: 'choice',
    choices: ['yes', 'no'],
    does: 'Whether the file is in the vault.',
    example: 'invault:yes',
  },
  {
    name: 'tlp',
    aliases: [],
    value: 'choice',
    choices: ['clear', 'green', 'amber', 'amber+strict', 'red', 'none', 'unknown'],
    does: 'Has this TLP. none: no TLP is set. unknown: no record has been fetched yet.',
    example: 'tlp:amber',
  },
  {
    name: 'note',
    aliases: ['notes'],
    value: 'note',
    choices: [],
    does: 'The note contains these words. *: any note.',
    example: 'note:unpacked',
  },
  {
    name: 'comment',
    aliases: [],
    value: 'words',
    choices: [],
    does: 'A comment contains these words.',
    example: 'comment:dropper',
  },
  { name: 'comments', aliases: [], value: 'count', choices: [], does: 'Number of comments.', example: 'comments:>0' },
  {
    name: 'hash',
    aliases: [],
    value: 'hash',
    choices: [],
    does: 'A hash starts with this (at least four digits).',
    example: 'hash:d41d8c',
  },
  {
    name: 'md5',
    aliases: [],
    value: 'hash',
    choices: [],
    does: 'The MD5 starts with this.',
    example: 'md5:d41d8cd98f00b204e9800998ecf8427e',
  },
  {
    name: 'sha1',
    aliases: [],
    value: 'hash',
    choices: [],
    does: 'The SHA-1 starts with this.',
    example: 'sha1:da39a3ee',
  },
  {
    name: 'sha256',
    aliases: [],
    value: 'hash',
    choices: [],
    does: 'The SHA-256 starts with this.',
    example: 'sha256:e3b0c442',
  },
] as const satisfies readonly QueryField[];

export type QueryFieldRow = (typeof queryFields)[number];
export type QueryFieldName = QueryFieldRow['name'];

const byName = new Map<string, QueryFieldRow>(
  queryFields.flatMap((row) => [row.name, ...row.aliases].map((name) => [name, row])),
);
const shortestMisspelt = 3;

/** The field that is called so, in either case and by any of its names. */
export const fieldNamed = (typed: string): QueryFieldRow | null => byName.get(typed.toLowerCase()) ?? null;

/** The field whose name or alias differs from what was typed by one letter, or by two that changed places. */
export function fieldLike(typed: string): QueryFieldRow | null {
  const lower = typed.toLowerCase();
  if (lower.length < shortestMisspelt || byName.has(lower)) return null;
  return [...byName].find(([name]) => isOneSlipApart(lower, name))?.[1] ?? null;
}

/** By one letter, or by two that changed places. */
export function isOneSlipApart(one: string, other: string): boolean {
  const shorter = Math.min(one.length, other.length);
  let front = 0;
  while (front < shorter && one[front] === other[front]) front += 1;
  let back = 0;
  while (back < shorter - front && one.at(-1 - back) === other.at(-1 - back)) back += 1;
  const [left, right] = [one.slice(front, one.length - back), other.slice(front, other.length - back)];
  return (left.length <= 1 && right.length <= 1) || (left.length === 2 && left === `${right[1]}${right[0]}`);
}
