import fc from 'fast-check';
import { textOfWords } from '../testing/changed-text.ts';
import { fuzzTarget, mustHold } from '../testing/fuzz-target.ts';
import { textForm } from '../testing/input-forms.ts';
import { queryProblem, queryTerms, readLibraryQuery } from './library-query.ts';
import { applyCompletion, completionAt } from './query-completion.ts';
import { queryFields } from './query-fields.ts';
import { queryRuns } from './query-runs.ts';
import { withTerm } from './query-writing.ts';

const now = new Date('2026-11-05T10:30:00.000Z');
const fields = queryFields.flatMap(({ name, aliases }) => [name, ...aliases]).map((name) => `${name}:`);
const words = [
  ...fields, '"', '\\', '\\"', '-', '--', ':', '*', ' ', '\t', '\n', '..', '>', '<', '<=', '>=', '=', '7d', '0d', '99999999999d', '1MB', '1e999', '9007199254740993', '2026-11', '2026-02-31', '2026-11-05T10:30', '10', 'abcd', 'red', 'none', 'yes', 'tlp:', 'tlp:red',
  'emotet', 'family:', ' OR ', '(', ')', 'NEAR', '%', '_', ';', 'ſize:', 'a'.repeat(70), '\u0130', '٣',
];

export const target = fuzzTarget({
  name: 'query',
  reads: 'a query over the library, as it is typed',
  holds: 'terms that the contract takes or a problem that lies in the text; runs join to the text; a completion is put in where it says; a term that is added is read, once',
  form: textForm(words),
  seeds: ['tag:family:emotet size:>1MB seen:<7d', '-name:"two words" md5:abcd* "a phrase" first:2026-11..2026-12', 'rule:Emotet_* tlp:amber+strict invault:yes hits:1..5'],
  made: fc.oneof(textOfWords(words, 12), textOfWords(words, 120)),
  attack(text) {
    const read = readLibraryQuery(text, now);
    if (read.kind === 'terms') mustHold(queryTerms.safeParse(read.terms).success, 'the contract does not take the terms');
    else mustLieIn(text, read.problem);
    mustHold(queryRuns(text).map((run) => run.text).join('') === text, 'the runs do not join to the text');
    for (const caret of [0, text.length >> 1, text.length]) mustComplete(text, caret);
    const once = withTerm(text, 'tag', 'a "b" \\');
    mustHold(withTerm(once, 'tag', 'a "b" \\') === once || once.length > 1000, 'a term is added twice');
  },
});

function mustLieIn(text: string, problem: unknown): void {
  const { at, length } = queryProblem.parse(problem);
  mustHold(at >= 0 && length > 0 && at + length <= text.length, 'the problem does not lie in the text');
}

function mustComplete(text: string, caret: number): void {
  const completion = completionAt(text, caret);
  mustHold(completion.from >= 0 && completion.from <= completion.to && completion.to <= text.length, 'a completion does not lie in the text');
  const applied = applyCompletion(text, completion, completion.choices[0] ?? 'x');
  mustHold(applied.caret >= 0 && applied.caret <= applied.text.length, 'the caret is not in the text');
  mustHold(applied.text.startsWith(text.slice(0, completion.from)) && applied.text.endsWith(text.slice(completion.to)), 'a completion changes what is beside it');
}
