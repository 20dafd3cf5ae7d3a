import { z } from 'zod';
import { fieldNamed } from './query-fields.ts';
import { longestTag } from './tag.ts';

const place = { at: z.number().int().nonnegative(), length: z.number().int().nonnegative() };
const field = z.string();
const fix = z.string().optional();

const plainReason = z.enum([
  'unclosed-quote',
  'quote-inside',
  'nothing-negated',
  'no-letter',
  'bad-tag',
  'unclosed-parenthesis',
  'unopened-parenthesis',
  'nothing-inside',
  'parenthesis-value',
]);

/**
 * Why a query cannot be read. `at` and `length` mark the part of the text that is meant, in UTF-16 code units; `fix`
 * may be put there instead.
 */
export const queryProblem = z.discriminatedUnion('reason', [
  z.object({ ...place, fix, reason: z.enum(['too-long', 'too-many', 'too-deep']), most: z.number().int() }),
  z.object({
    ...place,
    fix,
    reason: plainReason,
  }),
  z.object({ ...place, fix, reason: z.literal('unknown-field'), field, suggestion: field.nullable() }),
  z.object({ ...place, fix, reason: z.enum(['unknown-operator', 'lonely-operator']), operator: z.string() }),
  z.object({ ...place, fix, reason: z.enum(['no-value', 'bad-size', 'bad-count', 'bad-time', 'bad-hash']), field }),
  z.object({ ...place, fix, reason: z.literal('bad-choice'), field, choices: z.array(z.string()) }),
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

const choice = '(type:pe OR type:elf)';

/** Of problems that name nothing of the query. */
const plainSentences: Record<z.infer<typeof plainReason>, QueryProblemSentence> = {
  'unclosed-quote': print('This quote is not closed.', '"quarterly report"'),
  'quote-inside': print(
    'Put quotes around the whole value. A quote inside them is written \\".',
    'tag:"family:agent tesla"',
  ),
  'nothing-negated': print('A minus excludes the term after it, without a space between.', '-tag:reviewed'),
  'no-letter': print('Enter at least one letter or digit to search for.', 'invoice'),
  'unclosed-parenthesis': print('This parenthesis is not closed. Quote it to search for the text.', choice),
  'unopened-parenthesis': print('This parenthesis closes nothing. Quote it to search for the text.', choice),
  'nothing-inside': print('Enter a term between the parentheses.', choice),
  'parenthesis-value': print('Parentheses go around whole terms, each with its field.', choice),
  'bad-tag': print(`Invalid tag. Use at most ${longestTag} characters and no comma.`, 'tag:family:emotet'),
};

export function queryProblemSentence(problem: QueryProblem): QueryProblemSentence {
  switch (problem.reason) {
    case 'too-long':
      return print(
        `A search has at most ${problem.most.toLocaleString('en')} characters.`,
        'tag:family:emotet seen:<7d',
      );
    case 'too-many':
      return print(`A search has at most ${problem.most} terms.`, 'tag:family:emotet seen:<7d');
    case 'too-deep':
      return print(`Parentheses are nested more than ${problem.most} deep.`, choice);
    case 'unknown-operator':
      return print(
        `Unknown operator “${problem.operator}”. Use AND, OR or NOT, or a colon after a field.`,
        'tag:packed OR size:>=10kB',
      );
    case 'lonely-operator':
      return lonelySentence(problem.operator);
    case 'unknown-field':
      return unknownFieldSentence(problem);
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
    default:
      return plainSentences[problem.reason];
  }
}

const lonelySentence = (operator: string): QueryProblemSentence =>
  operator === 'NOT'
    ? print('“NOT” needs a term after it. Quote it to search for the word.', 'NOT tag:reviewed')
    : print(
        `“${operator}” needs a term on each side. Quote it to search for the word.`,
        `type:pe ${operator} tag:packed`,
      );

const unknownFieldSentence = ({
  field: typed,
  suggestion,
}: Extract<QueryProblem, { reason: 'unknown-field' }>): QueryProblemSentence =>
  suggestion === null
    ? print(
        `Unknown field “${typed}:”. Quote it to search for the text. A tag needs “tag:” in front.`,
        'tag:family:emotet',
      )
    : print(
        `Unknown field “${typed}:”. Did you mean “${suggestion}:”? Quote it to search for the text.`,
        fieldNamed(suggestion)?.example ?? '',
      );

const unfinishedReasons: ReadonlySet<QueryProblem['reason']> = new Set<QueryProblem['reason']>([
  'no-value',
  'unclosed-quote',
  'unclosed-parenthesis',
  'nothing-negated',
  'nothing-inside',
  'lonely-operator',
]);

/** Whether the query may become one when more is typed at its end: a person who is typing made no mistake yet. */
export const isUnfinished = (query: string, { reason, at, length }: QueryProblem): boolean =>
  unfinishedReasons.has(reason) && at + length >= query.trimEnd().length;

/** The query with what is wrong replaced; null where it is not known what was meant. */
export const repaired = (query: string, { at, length, fix: instead }: QueryProblem): string | null =>
  instead === undefined ? null : `${query.slice(0, at)}${instead}${query.slice(at + length)}`;
