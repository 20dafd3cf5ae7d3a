/** What the value of a field is. */
export type QueryValueKind = 'words' | 'note' | 'tag' | 'rule' | 'type' | 'hash' | 'size' | 'count' | 'time' | 'choice';

export interface QueryField {
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
