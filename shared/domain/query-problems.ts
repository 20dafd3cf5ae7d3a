import { z } from 'zod';
import { assertNever } from '../assert-never.ts';
import { fieldNamed } from './query-fields.ts';
import { longestTag } from './tag.ts';

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

/** What a person reads of it. `example` can be typed as it stands. */
export interface QueryProblemSentence {
  what: string;
  example: string;
}

const say = (what: string, example: string): QueryProblemSentence => ({ what, example });

export function queryProblemSentence(problem: QueryProblem): QueryProblemSentence {
  switch (problem.reason) {
    case 'too-long':
      return say(`A search has at most ${problem.most.toLocaleString('en')} characters.`, 'tag:family:emotet seen:<7d');
    case 'too-many':
      return say(`A search has at most ${problem.most} terms.`, 'tag:family:emotet seen:<7d');
    case 'unclosed-quote':
      return say('This quote is not closed.', '"quarterly report"');
    case 'quote-inside':
      return say('Put quotes around the whole value. A quote inside them is written \\".', 'tag:"family:agent tesla"');
    case 'nothing-negated':
      return say('A minus excludes the term after it, without a space between.', '-tag:reviewed');
    case 'no-letter':
      return say('Enter at least one letter or digit to search for.', 'invoice');
    case 'unknown-field':
      return say(
        `Unknown field “${problem.field}:”. Did you mean “${problem.suggestion}:”? Quote it to search for the text.`,
        fieldNamed(problem.suggestion)?.example ?? '',
      );
    case 'no-value':
      return say(`Add a value after “${problem.field}:”.`, fieldNamed(problem.field)?.example ?? '');
    case 'bad-size':
      return say(
        'Invalid size. Use a number with B, kB, MB, GB, KiB, MiB or GiB, with > or < in front or as a range.',
        `${problem.field}:10kB..2MiB`,
      );
    case 'bad-count':
      return say('Invalid count. Use a whole number, with > or < in front or as a range.', `${problem.field}:>3`);
    case 'bad-time':
      return say(
        'Invalid time. Use an age in m, h, d, w, mo or y, a day, a month, today or yesterday.',
        `${problem.field}:<7d`,
      );
    case 'bad-choice':
      return say(
        `“${problem.field}:” takes one of ${problem.choices.join(', ')}.`,
        `${problem.field}:${problem.choices[0] ?? ''}`,
      );
    case 'bad-hash':
      return say(
        'Invalid start of a hash. Use at least four hexadecimal digits, and no more than the hash has.',
        `${problem.field}:d41d8c`,
      );
    case 'bad-tag':
      return say(`Invalid tag. Use at most ${longestTag} characters and no comma.`, 'tag:family:emotet');
    default:
      return assertNever(problem);
  }
}
