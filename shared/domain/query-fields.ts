import { z } from 'zod';
import { severity } from './sample.ts';
import { tlpLevel } from './tag.ts';

/** In UTF-16 code units. */
export const longestQuery = 1000;
export const mostQueryTerms = 32;
/** Parentheses inside each other. */
export const deepestQuery = 16;

const negated = z.boolean();
const value = z.string().min(1, 'something to look for').max(longestQuery);
const count = z.number().int().nonnegative();
const instant = z.iso.datetime('a time in UTC').nullable();

const exactly = z.object({ kind: z.literal('exact'), value });
const beginning = z.object({ kind: z.literal('beginning'), value });
/** `*` is any characters or none, `?` is one. */
const pattern = z.object({ kind: z.literal('pattern'), value });
const any = z.object({ kind: z.literal('any') });

/** A named thing: by its whole name, by how it begins, by a pattern of the whole, or whichever there is. */
const namedMatch = z.discriminatedUnion('kind', [exactly, beginning, pattern, any]);
export type NamedMatch = z.infer<typeof namedMatch>;

/** What records state, each value as `comparableValue` makes it. */
export const recordFields = [
  'imphash',
  'ssdeep',
  'tlsh',
  'signer',
  'pdb',
  'mime',
  'uploader',
  'url',
  'vt',
  'sandbox',
  'favorite',
  'locked',
] as const;
export type RecordField = (typeof recordFields)[number];

const leafTerms = [
  z.object({
    field: z.enum(['text', 'name', 'comment', 'threat', 'type']),
    negated,
    value,
    isPattern: z.literal(true).optional(),
  }),
  z.object({
    field: z.literal('note'),
    negated,
    match: z.discriminatedUnion('kind', [z.object({ kind: z.literal('words'), value }), any]),
  }),
  z.object({ field: z.enum(['tag', 'rule', 'source', ...recordFields]), negated, match: namedMatch }),
  z.object({
    field: z.literal('hash'),
    negated,
    kind: z.enum(['md5', 'sha1', 'sha256']).nullable(),
    value: z.string().regex(/^[0-9a-f]{4,64}$/, 'four to 64 hexadecimal digits in lower case'),
  }),
  z.object({ field: z.enum(['size', 'hits', 'comments']), negated, least: count.nullable(), most: count.nullable() }),
  z.object({ field: z.enum(['seen', 'first', 'date']), negated, from: instant, until: instant }),
  z.object({ field: z.literal('tlp'), negated, level: z.union([tlpLevel, z.literal('unknown')]).nullable() }),
  z.object({ field: z.literal('severity'), negated, level: severity.nullable() }),
  z.object({ field: z.literal('invault'), negated, value: z.boolean() }),
] as const;

/** Of one field, without others inside. */
export type QueryLeaf = z.infer<(typeof leafTerms)[number]>;

/** Several terms as one: all terms of at least one of the lists hold. */
export interface QueryGroup {
  field: 'any';
  negated: boolean;
  of: QueryTerm[][];
}

/**
 * One condition that samples of the library are chosen by; `negated`: those that it does not hold for.
 *
 * - `text`: words anywhere (name, hash beginning, tag, comment, note, rule, threat); several words in one value are a
 *   phrase. `isPattern`: the whole name, threat or type fits, in either case of ASCII letters; never for text, comment.
 * - `tag`: lower case, as `normalTag` has it. `rule`: as the rule is written. `type`: how it begins, its ASCII letters
 *   in lower case. `source`: the name of a workspace that gave a record, its ASCII letters in lower case.
 * - `hash`: how it begins, in lower-case hexadecimal digits; `kind` is null where any of the three may begin so.
 * - `size` in bytes, `hits` and `comments`: both ends belong to it, null is open.
 * - `seen` (last) and `first`: `from` belongs to it, `until` does not; null is open. `date`: of the days that a record
 *   states, those that have a part of it.
 * - `severity`: the worst that a record states; null for none.
 * - `tlp`: null for samples without a TLP; `unknown` for those of them of which no record was read that could have one.
 */
export type QueryTerm = QueryLeaf | QueryGroup;

/** Of so many levels: whatever a page sends, it is read no deeper. */
function termOfDepth(levels: number): z.ZodType<QueryTerm, QueryTerm> {
  let term: z.ZodType<QueryTerm, QueryTerm> = z.discriminatedUnion('field', [...leafTerms]);
  for (let level = 0; level < levels; level += 1) {
    const list = z.array(term).min(1, 'a term').max(mostQueryTerms);
    const of = z.array(list).min(1, 'a list').max(mostQueryTerms);
    term = z.discriminatedUnion('field', [...leafTerms, z.object({ field: z.literal('any'), negated, of })]);
  }
  return term;
}

export const queryTerm = termOfDepth(deepestQuery + 1);

/** How many terms there are, those of groups each for itself. */
export const termCount = (terms: readonly QueryTerm[]): number =>
  terms.reduce((sum, term) => sum + (term.field === 'any' ? termCount(term.of.flat()) : 1), 0);

/** A sample is chosen when all of them hold; none at all choose every sample. */
export const queryTerms = z
  .array(queryTerm)
  .max(mostQueryTerms)
  .refine((terms) => termCount(terms) <= mostQueryTerms, `at most ${mostQueryTerms} terms in all`);

/** What the value of a field is. */
export type QueryValueKind =
  'words' | 'note' | 'tag' | 'rule' | 'type' | 'hash' | 'size' | 'count' | 'time' | 'choice' | 'record' | 'source';

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

/** Of what local values can be offered. */
export const suggestedKinds = ['tag', 'rule', 'type', 'threat', 'source', ...recordFields] as const;

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
  {
    name: 'severity',
    aliases: ['criticity'],
    value: 'choice',
    choices: ['bad', 'unwanted', 'other', 'none'],
    does: 'The worst severity in a record. none: no record has one.',
    example: 'severity:bad',
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
  {
    name: 'imphash',
    aliases: [],
    value: 'record',
    choices: [],
    does: 'The import hash. *: any. * and ? may be anywhere, as in the fields below.',
    example: 'imphash:f34d5f2d4577ed6d9ceec516c1f5a744',
  },
  { name: 'ssdeep', aliases: [], value: 'record', choices: [], does: 'The ssdeep hash.', example: 'ssdeep:3:AIO9*' },
  { name: 'tlsh', aliases: [], value: 'record', choices: [], does: 'The TLSH hash.', example: 'tlsh:T1A2*' },
  {
    name: 'signer',
    aliases: ['signed', 'signature', 'publisher'],
    value: 'record',
    choices: [],
    does: 'The signer of the file. Quote a value with spaces.',
    example: 'signer:*Corp*',
  },
  {
    name: 'pdb',
    aliases: ['pdbpath'],
    value: 'record',
    choices: [],
    does: 'The PDB path.',
    example: 'pdb:*\\loader.pdb',
  },
  {
    name: 'mime',
    aliases: ['mimetype'],
    value: 'record',
    choices: [],
    does: 'The MIME type in a record.',
    example: 'mime:application/pdf',
  },
  {
    name: 'date',
    aliases: ['added', 'submitted'],
    value: 'time',
    choices: times,
    does: 'The day in a record, written like seen.',
    example: 'date:2026-11',
  },
  {
    name: 'uploader',
    aliases: ['user'],
    value: 'record',
    choices: [],
    does: 'Who uploaded it, as in a record.',
    example: 'uploader:anna',
  },
  {
    name: 'url',
    aliases: ['urls', 'link'],
    value: 'record',
    choices: [],
    does: 'A URL of a record, or its name.',
    example: 'url:*example.org*',
  },
  {
    name: 'source',
    aliases: ['workspace', 'repository'],
    value: 'source',
    choices: [],
    does: 'A record came from this workspace. *: any record.',
    example: 'source:"Main lab"',
  },
  {
    name: 'vt',
    aliases: ['virustotal'],
    value: 'record',
    choices: ['found', 'unknown', 'running', 'not-checked'],
    does: 'The state at VirusTotal, the score or the link, in a record.',
    example: 'vt:found',
  },
  {
    name: 'sandbox',
    aliases: ['cuckoo'],
    value: 'record',
    choices: [],
    does: 'The state of the sandbox, or its link, in a record.',
    example: 'sandbox:found',
  },
  {
    name: 'favorite',
    aliases: ['favourite', 'starred'],
    value: 'record',
    choices: ['yes', 'no'],
    does: 'Marked as a favorite in a record.',
    example: 'favorite:yes',
  },
  {
    name: 'locked',
    aliases: [],
    value: 'record',
    choices: ['yes', 'no'],
    does: 'Locked in a record.',
    example: 'locked:yes',
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
