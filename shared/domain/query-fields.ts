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
    does: 'Has this tag; * at the end for tags that begin so, * alone for any.',
    example: 'tag:family:emotet',
  },
  {
    name: 'name',
    aliases: ['filename'],
    value: 'words',
    choices: [],
    does: 'Has these words in its name.',
    example: 'name:"quarterly report"',
  },
  {
    name: 'rule',
    aliases: ['hit'],
    value: 'rule',
    choices: [],
    does: 'Was hit by this rule; * at the end for rules that begin so, * alone for any.',
    example: 'rule:Emotet_*',
  },
  { name: 'hits', aliases: [], value: 'count', choices: [], does: 'Was hit by so many rules.', example: 'hits:>3' },
  {
    name: 'threat',
    aliases: [],
    value: 'words',
    choices: [],
    does: 'Has these words in its threat.',
    example: 'threat:trojan',
  },
  { name: 'type', aliases: [], value: 'type', choices: [], does: 'Is of a type that begins so.', example: 'type:pe' },
  {
    name: 'size',
    aliases: ['filesize'],
    value: 'size',
    choices: [],
    does: 'Is of this size: >, < or a range; MB is 1,000,000 bytes, MiB 1,048,576.',
    example: 'size:10kB..2MiB',
  },
  {
    name: 'seen',
    aliases: ['lastseen'],
    value: 'time',
    choices: times,
    does: 'Was last seen then: < an age for later, > for longer ago, or days in UTC.',
    example: 'seen:<7d',
  },
  {
    name: 'first',
    aliases: ['firstseen'],
    value: 'time',
    choices: times,
    does: 'Was first seen then, written as for seen.',
    example: 'first:2026-11-01..2026-11-05',
  },
  {
    name: 'invault',
    aliases: ['vault'],
    value: 'choice',
    choices: ['yes', 'no'],
    does: 'Its bytes are in the vault, or not.',
    example: 'invault:yes',
  },
  {
    name: 'tlp',
    aliases: [],
    value: 'choice',
    choices: ['clear', 'green', 'amber', 'amber+strict', 'red', 'none', 'unknown'],
    does: 'Has this TLP; none where nobody says one, unknown where besides no record was read that could.',
    example: 'tlp:amber',
  },
  {
    name: 'note',
    aliases: ['notes'],
    value: 'note',
    choices: [],
    does: 'Has these words in its note; * alone for any note.',
    example: 'note:unpacked',
  },
  {
    name: 'comment',
    aliases: [],
    value: 'words',
    choices: [],
    does: 'Has these words in a comment.',
    example: 'comment:dropper',
  },
  { name: 'comments', aliases: [], value: 'count', choices: [], does: 'Has so many comments.', example: 'comments:>0' },
  {
    name: 'hash',
    aliases: [],
    value: 'hash',
    choices: [],
    does: 'Has a hash that begins so: four digits or more.',
    example: 'hash:d41d8c',
  },
  {
    name: 'md5',
    aliases: [],
    value: 'hash',
    choices: [],
    does: 'Has an MD5 that begins so.',
    example: 'md5:d41d8cd98f00b204e9800998ecf8427e',
  },
  {
    name: 'sha1',
    aliases: [],
    value: 'hash',
    choices: [],
    does: 'Has a SHA-1 that begins so.',
    example: 'sha1:da39a3ee',
  },
  {
    name: 'sha256',
    aliases: [],
    value: 'hash',
    choices: [],
    does: 'Has a SHA-256 that begins so.',
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
