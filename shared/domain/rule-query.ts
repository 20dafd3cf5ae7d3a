import { z } from 'zod';
import { assertNever } from '../assert-never.ts';
import { isOneSlipApart } from './query-fields.ts';
import { type Comparison, type CountRange, readComparison, readCountRange } from './query-values.ts';
import { type QueryWord, queryWords } from './query-words.ts';

/** In UTF-16 code units. */
export const longestRuleQuery = 1000;
const mostTerms = 32;

export interface RuleField {
  name: string;
  /** Read as the name is; never offered. */
  aliases: readonly string[];
  value: 'words' | 'named' | 'meta' | 'count' | 'cost' | 'state';
  does: string;
  example: string;
}

/** In the order of the help. The reader, the help and the command line are made from this table. */
export const ruleFields = [
  { name: 'name', aliases: ['rule'], value: 'words', does: 'The name contains this.', example: 'name:emotet' },
  {
    name: 'tag',
    aliases: ['tags'],
    value: 'named',
    does: 'Has this tag. apt*: tags that start with apt. *: any tag.',
    example: 'tag:apt*',
  },
  {
    name: 'author',
    aliases: [],
    value: 'words',
    does: 'The author in meta contains this.',
    example: 'author:"Florian Roth"',
  },
  {
    name: 'file',
    aliases: ['path'],
    value: 'words',
    does: 'The path of the file contains this.',
    example: 'file:crime/',
  },
  {
    name: 'meta',
    aliases: [],
    value: 'meta',
    does: 'A meta value contains this, or compares as a number or a date. *: the key exists.',
    example: 'meta.score:>70',
  },
  { name: 'hits', aliases: [], value: 'count', does: 'Number of samples hit.', example: 'hits:0' },
  {
    name: 'cost',
    aliases: [],
    value: 'cost',
    does: 'The measured cost in ms per MB. *: any measured rule.',
    example: 'cost:>5',
  },
  {
    name: 'uses',
    aliases: [],
    value: 'named',
    does: 'The condition uses a rule of this name. * as in tag.',
    example: 'uses:is_pe',
  },
  {
    name: 'var',
    aliases: ['variable'],
    value: 'named',
    does: 'The condition uses this external variable. * as in tag.',
    example: 'var:filename',
  },
  {
    name: 'warning',
    aliases: ['warnings'],
    value: 'words',
    does: 'Has a warning whose code contains this. *: any warning.',
    example: 'warning:slow',
  },
  { name: 'is', aliases: [], value: 'state', does: 'broken, muted, private or global.', example: 'is:broken' },
] as const satisfies readonly RuleField[];
type FieldRow = (typeof ruleFields)[number];

export const ruleStates = ['broken', 'muted', 'private', 'global'] as const;
export type RuleStateName = (typeof ruleStates)[number];

/** Compared without regard to case. */
export type NameMatch = { kind: 'exact' | 'beginning'; value: string } | { kind: 'any' };
export type MetaMatch =
  { kind: 'contains'; value: string } | { kind: 'any' } | { kind: 'compare'; comparison: Comparison };

/** `least` and `most` as they are written; an open end is not in the range. `any`: whatever was measured. */
export type CostMatch =
  { kind: 'any' } | { kind: 'range'; least: number; most: number; isLeastOpen: boolean; isMostOpen: boolean };

/** One condition on a rule; `negated`: rules that it does not hold for. Values are in lower case. */
export type RuleTerm = { negated: boolean } & (
  | { field: 'text' | 'name' | 'author' | 'file' | 'warning'; value: string }
  | { field: 'tag' | 'uses' | 'var'; match: NameMatch }
  | { field: 'meta'; key: string; match: MetaMatch }
  | ({ field: 'hits' } & CountRange)
  | { field: 'cost'; match: CostMatch }
  | { field: 'is'; state: RuleStateName }
);

interface Place {
  /** UTF-16 offsets into the query. */
  at: number;
  length: number;
}
export type RuleQueryFault =
  | { reason: 'too-long' | 'too-many' | 'unclosed-quote' | 'quote-inside' | 'nothing-negated' }
  | { reason: 'unknown-field'; field: string; suggestion: string | null }
  | { reason: 'no-value' | 'bad-count' | 'bad-cost' | 'bad-state' | 'no-key'; field: string };
export type RuleQueryProblem = RuleQueryFault & Place;
export type ReadRuleQuery = { kind: 'terms'; terms: RuleTerm[] } | { kind: 'problem'; problem: RuleQueryProblem };

/** A key of meta may have any signs but a colon and quotes. */
const prefix = /(?:meta\.[^\s:"]*|[a-z0-9]+)(?=:)/iy;

/**
 * Reads a search over rules: terms between white space, all of which must hold. The first fault is that of the whole.
 */
export function readRuleQuery(text: string): ReadRuleQuery {
  if (text.length > longestRuleQuery)
    return {
      kind: 'problem',
      problem: { reason: 'too-long', at: longestRuleQuery, length: text.length - longestRuleQuery },
    };
  const terms: RuleTerm[] = [];
  for (const word of queryWords(text, prefix)) {
    if (terms.length === mostTerms)
      return { kind: 'problem', problem: { reason: 'too-many', at: word.at, length: text.length - word.at } };
    const read = readWord(text, word);
    if ('reason' in read) return { kind: 'problem', problem: read };
    terms.push(read);
  }
  return { kind: 'terms', terms };
}

/** What the contract takes. */
export const ruleQueryText = z
  .string()
  .max(longestRuleQuery, 'at most 1,000 characters')
  .refine((text) => readRuleQuery(text).kind === 'terms', 'a valid search');

const byName = new Map<string, FieldRow>(
  ruleFields.flatMap((row) => [row.name, ...row.aliases].map((name) => [name, row])),
);

function readWord(text: string, word: QueryWord): RuleTerm | RuleQueryProblem {
  const { bodyAt, end, valueAt, isNegated: negated } = word;
  if (negated && bodyAt === end) return placed({ reason: 'nothing-negated' }, word.at, end);
  if (word.quote === 'open') return placed({ reason: 'unclosed-quote' }, valueAt, end);
  const typed = word.prefix?.toLowerCase() ?? null;
  const row = typed === null ? null : (byName.get(typed.startsWith('meta.') ? 'meta' : typed) ?? null);
  if (typed === null || (row === null && isAddress(word.value)))
    return { field: 'text', negated, value: `${text.slice(bodyAt, valueAt)}${word.value}`.toLowerCase() };
  if (row === null)
    return placed(
      { reason: 'unknown-field', field: word.prefix ?? '', suggestion: suggested(typed) },
      bodyAt,
      valueAt - 1,
    );
  if (word.value === '') return placed({ reason: 'no-value', field: row.name }, bodyAt, end);
  if (word.quote === 'none' && word.value.includes('"')) return placed({ reason: 'quote-inside' }, valueAt, end);
  const read = readValue(row, word, typed);
  return 'reason' in read ? placed(read, valueAt, end) : read;
}

/** As in `http://` and `c:\`. */
const isAddress = (value: string): boolean => /^[/\\]/.test(value);

function readValue(row: FieldRow, word: QueryWord, typed: string): RuleTerm | RuleQueryFault {
  const { isNegated: negated, value } = word;
  switch (row.value) {
    case 'words':
      return { field: row.name, negated, value: value.toLowerCase() };
    case 'named':
      return { field: row.name, negated, match: nameMatch(word) };
    case 'meta':
      return typed.length <= 'meta.'.length
        ? { reason: 'no-key', field: row.name }
        : { field: 'meta', negated, key: typed.slice('meta.'.length), match: metaMatch(word) };
    case 'count': {
      const range = readCountRange(value);
      return range === null ? { reason: 'bad-count', field: row.name } : { field: row.name, negated, ...range };
    }
    case 'cost': {
      const match = costMatch(value);
      return match === null ? { reason: 'bad-cost', field: row.name } : { field: row.name, negated, match };
    }
    case 'state': {
      const state = ruleStates.find((one) => one === value.toLowerCase());
      return state === undefined ? { reason: 'bad-state', field: row.name } : { field: row.name, negated, state };
    }
    default:
      return assertNever(row);
  }
}

function nameMatch({ quote, hasStar, value }: QueryWord): NameMatch {
  const lower = value.toLowerCase();
  if (quote !== 'none') return { kind: hasStar ? 'beginning' : 'exact', value: lower };
  if (lower === '*') return { kind: 'any' };
  return lower.endsWith('*') ? { kind: 'beginning', value: lower.slice(0, -1) } : { kind: 'exact', value: lower };
}

/** What is quoted is text. A value is compared where it has a sign, or is a range of numbers or dates. */
function metaMatch({ quote, value }: QueryWord): MetaMatch {
  const lower = value.toLowerCase();
  if (quote !== 'none') return { kind: 'contains', value: lower };
  if (lower === '*') return { kind: 'any' };
  const comparison = /^[<>=]/.test(lower) || /^[\d.-]*\d\.\.|^\.\.\d/.test(lower) ? readComparison(lower) : null;
  return comparison === null ? { kind: 'contains', value: lower } : { kind: 'compare', comparison };
}

function costMatch(value: string): CostMatch | null {
  if (value === '*') return { kind: 'any' };
  const comparison = readComparison(value);
  if (comparison === null) return null;
  const range = (least: number, most: number, open: { least?: boolean; most?: boolean } = {}): CostMatch | null =>
    Number.isNaN(least) || Number.isNaN(most) || least > most
      ? null
      : { kind: 'range', least, most, isLeastOpen: open.least === true, isMostOpen: open.most === true };
  if (comparison.kind === 'between') return range(costNumber(comparison.low), costNumber(comparison.high));
  const bound = costNumber(comparison.operand);
  switch (comparison.sign) {
    case '>':
      return range(bound, Infinity, { least: true });
    case '>=':
      return range(bound, Infinity);
    case '<':
      return range(0, bound, { most: true });
    case '<=':
      return range(0, bound);
    case '=':
      return range(bound, bound);
    default:
      return assertNever(comparison.sign);
  }
}

const costNumber = (text: string): number => (/^\d{1,9}(?:\.\d{1,6})?$/.test(text) ? Number(text) : Number.NaN);

const shortestMisspelt = 3;

function suggested(typed: string): string | null {
  if (typed.length < shortestMisspelt) return null;
  return (
    [...byName].find(
      ([name]) =>
        isOneSlipApart(typed, name) || (typed.length > 3 && (name.startsWith(typed) || typed.startsWith(name))),
    )?.[1].name ?? null
  );
}

const placed = (fault: RuleQueryFault, at: number, end: number): RuleQueryProblem => ({
  ...fault,
  at,
  length: end - at,
});

/** As it is typed in front of a value. */
const written = (field: string): string => (field === 'meta' ? 'meta.KEY' : field);

/** What a person reads of a problem. `example` can be typed as it is. */
export function ruleQuerySentence(problem: RuleQueryProblem): { what: string; example: string } {
  const exampleOf = (name: string): string => byName.get(name)?.example ?? 'tag:apt*';
  switch (problem.reason) {
    case 'too-long':
      return {
        what: `A search has at most ${longestRuleQuery.toLocaleString('en')} characters.`,
        example: exampleOf('tag'),
      };
    case 'too-many':
      return { what: `A search has at most ${mostTerms} terms.`, example: exampleOf('tag') };
    case 'unclosed-quote':
      return { what: 'This quote is not closed.', example: exampleOf('author') };
    case 'quote-inside':
      return {
        what: 'Put quotes around the whole value. A quote inside them is written \\".',
        example: exampleOf('author'),
      };
    case 'nothing-negated':
      return { what: 'A minus excludes the term after it, without a space between.', example: '-tag:test' };
    case 'unknown-field':
      return problem.suggestion === null
        ? {
            what: `Unknown field “${problem.field}:”. Quote it to search for the text.`,
            example: `"${problem.field}:"`,
          }
        : {
            what:
              `Unknown field “${problem.field}:”. Did you mean “${written(problem.suggestion)}:”? ` +
              'Quote it to search for the text.',
            example: exampleOf(problem.suggestion),
          };
    case 'no-value':
      return {
        what: `Add a value after “${written(problem.field)}:”.`,
        example: exampleOf(problem.field),
      };
    case 'no-key':
      return { what: 'Name the meta key, with a dot before it.', example: exampleOf('meta') };
    case 'bad-count':
      return { what: 'Invalid count. Use a whole number, with > or < in front or as a range.', example: 'hits:>5' };
    case 'bad-cost':
      return {
        what: 'Invalid cost. Use milliseconds per MB, with > or < in front or as a range.',
        example: 'cost:>5',
      };
    case 'bad-state':
      return { what: `“is:” takes one of ${ruleStates.join(', ')}.`, example: exampleOf('is') };
    default:
      return assertNever(problem);
  }
}
