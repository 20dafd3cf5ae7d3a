import fc from 'fast-check';
import { textOfWords } from '../testing/changed-text.ts';
import { fuzzTarget, mustHold } from '../testing/fuzz-target.ts';
import { textForm } from '../testing/input-forms.ts';
import { queryProblem, queryTerms, readLibraryQuery } from './library-query.ts';
import { applyCompletion, completionAt, queryRuns } from './query-completion.ts';
import { queryFields, type QueryValueKind } from './query-fields.ts';

const now = new Date('2026-11-05T10:30:00.000Z');
const fields = queryFields.flatMap(({ name, aliases }) => [name, ...aliases]).map((name) => `${name}:`);
const words = [
  ...fields,
  '"',
  '\\',
  '\\"',
  '-',
  '--',
  ':',
  '*',
  ' ',
  '\t',
  '\n',
  '..',
  '>',
  '<',
  '<=',
  '>=',
  '=',
  '7d',
  '0d',
  '99999999999d',
  '1MB',
  '1e999',
  '9007199254740993',
  '2026-11',
  '2026-02-31',
  '2026-11-05T10:30',
  '10',
  'abcd',
  'red',
  'none',
  'yes',
  'tlp:',
  'tlp:red',
  'emotet',
  'family:',
  ' OR ',
  ' AND ',
  'NOT ',
  '-(',
  '||',
  '(',
  ')',
  'NEAR',
  '%',
  '_',
  ';',
  'ſize:',
  'a'.repeat(70),
  '\u0130',
  '٣',
];

const times = [
  '7d',
  '24h',
  '2y',
  '3mo',
  '5 w',
  '999999999y',
  'today',
  'yesterday',
  '2026',
  '2026-11',
  '2026-11-05',
  '2026-02-29',
  '2024-02-29',
  '2026-13',
  '9999',
  '9999-12-31',
  '0000',
  '0001-01-01',
] as const;
const numbers = [
  '0',
  '1',
  '10',
  '0.4',
  '10kB',
  '1.5MiB',
  '9007199254740991',
  '9007199254740992',
  '8191tib',
  '8192TiB',
  '1e3',
  '007',
] as const;
const others = [
  'yes',
  'no',
  'red',
  'amber+strict',
  'none',
  'abc',
  'abcd',
  'ABCD*',
  'f'.repeat(64),
  'f'.repeat(65),
  'pe*',
  '*',
  'x*y',
  '"two words"',
  '"a \\"b\\" *"',
  '""',
  'family:emotet',
  '-',
  'todai',
  'e\u0301',
] as const;
const anyOf: Partial<Record<QueryValueKind, readonly string[]>> = { time: times, size: numbers, count: numbers };
const compared = (of: readonly string[]): fc.Arbitrary<string> => {
  const one = fc.constantFrom(...of);
  const sign = fc.constantFrom('', '>', '>=', '<', '<=', '=', '..', '>=>');
  return fc.oneof(
    fc.tuple(sign, one).map((parts) => parts.join('')),
    fc.tuple(one, one).map((parts) => parts.join('..')),
    one.map((low) => `${low}..`),
  );
};
/** What its field takes, or nearly: a query is read up to its first problem. */
const term = fc
  .constantFrom(...queryFields)
  .chain(({ name, aliases, value }) =>
    fc
      .tuple(
        fc.constantFrom('', '', '-'),
        fc.constantFrom(name, name, ...aliases, name.toUpperCase(), name.slice(1)),
        compared(anyOf[value] ?? others),
      )
      .map(([not, field, said]) => `${not}${field}:${said}`),
  );
const terms = fc
  .array(fc.oneof({ weight: 4, arbitrary: term }, { weight: 1, arbitrary: fc.constantFrom(...others) }), {
    minLength: 1,
    maxLength: 4,
  })
  .map((all) => all.join(' '));
/** Terms with what joins them, in parentheses that match or nearly do. */
const joined = fc
  .array(
    fc.tuple(
      fc.constantFrom('', '', '(', '-(', 'NOT ', 'NOT ('),
      term,
      fc.constantFrom('', ' OR ', ' AND ', ')', ') OR '),
    ),
    {
      minLength: 1,
      maxLength: 6,
    },
  )
  .map((all) => all.map((parts) => parts.join('')).join(' '));

export const target = fuzzTarget({
  name: 'query',
  reads: 'a library query, as typed',
  holds:
    'valid terms, or a problem at a place in the text; runs join to the text; a completion is inserted at its place',
  form: textForm(words),
  seeds: [
    'tag:family:emotet size:>1MB seen:<7d',
    '-name:"two words" md5:abcd* "a phrase" first:2026-11..2026-12',
    'rule:Emotet_* tlp:amber+strict invault:yes hits:1..5',
    'type:pe (signer:*corp* OR NOT (imphash:* url:"http://a"*))',
  ],
  made: fc.oneof(terms, joined, textOfWords(words, 12), textOfWords(words, 120)),
  attack(text) {
    const read = readLibraryQuery(text, now);
    if (read.kind === 'terms')
      mustHold(queryTerms.safeParse(read.terms).success, 'the contract does not take the terms');
    else mustLieIn(text, read.problem);
    mustHold(
      queryRuns(text)
        .map((run) => run.text)
        .join('') === text,
      'the runs do not join to the text',
    );
    for (const caret of [0, text.length >> 1, text.length]) mustComplete(text, caret);
  },
});

function mustLieIn(text: string, problem: unknown): void {
  const { at, length } = queryProblem.parse(problem);
  mustHold(at >= 0 && length > 0 && at + length <= text.length, 'the problem does not lie in the text');
}

function mustComplete(text: string, caret: number): void {
  const completion = completionAt(text, caret);
  mustHold(
    completion.from >= 0 && completion.from <= completion.to && completion.to <= text.length,
    'a completion does not lie in the text',
  );
  const applied = applyCompletion(text, completion, completion.choices[0] ?? 'x');
  mustHold(applied.caret >= 0 && applied.caret <= applied.text.length, 'the caret is not in the text');
  mustHold(
    applied.text.startsWith(text.slice(0, completion.from)) && applied.text.endsWith(text.slice(completion.to)),
    'a completion changes what is beside it',
  );
}
