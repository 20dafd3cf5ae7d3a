import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyUnit } from '../testing/any-unit.ts';
import { readLibraryQuery } from './library-query.ts';
import { applyCompletion, completionAt, type QueryCompletion } from './query-completion.ts';
import { queryFields } from './query-fields.ts';

const now = new Date('2026-11-05T10:30:00.000Z');
const names = queryFields.map(({ name }) => name);

/** `|` is the caret. */
function at(marked: string): { text: string; completion: QueryCompletion } {
  const caret = marked.indexOf('|');
  const text = marked.slice(0, caret) + marked.slice(caret + 1);
  return { text, completion: completionAt(text, caret) };
}

test.each<[string, Partial<QueryCompletion>]>([
  ['|', { kind: 'field', from: 0, to: 0, beginning: '', choices: [...names, 'NOT', '('] }],
  ['a |', { kind: 'field', from: 2, to: 2, choices: ['OR', 'NOT', '(', ...names] }],
  ['a | b', { kind: 'field', from: 2, to: 2, choices: ['OR', 'NOT', '(', ...names] }],
  ['(|', { kind: 'field', from: 1, to: 1, choices: [...names, 'NOT', '('] }],
  ['(|a', { kind: 'none', choices: [] }],
  ['(a) |', { kind: 'field', choices: ['OR', 'NOT', '(', ...names] }],
  ['(a)|', { kind: 'none', choices: [] }],
  ['a OR |', { kind: 'field', from: 5, choices: [...names, 'NOT', '('] }],
  ['a or|', { kind: 'field', from: 2, to: 4, choices: ['OR'] }],
  ['or|', { kind: 'none', choices: [] }],
  ['a O|', { kind: 'field', from: 2, to: 3, choices: ['OR'] }],
  ['a OR|', { kind: 'field', from: 2, to: 4, choices: ['OR'] }],
  ['N|', { kind: 'field', choices: ['name', 'note', 'NOT'] }],
  ['(si|', { kind: 'field', from: 1, to: 3, choices: ['size', 'signer'] }],
  ['(tag:fam|)', { kind: 'tag', from: 5, to: 8, beginning: 'fam' }],
  ['a |b', { kind: 'none', choices: [] }],
  ['-|', { kind: 'field', from: 1, to: 1, negated: true, choices: names }],
  ['-HI|', { kind: 'field', from: 1, to: 3, beginning: 'HI', negated: true, choices: ['hits'] }],
  ['si|', { kind: 'field', from: 0, to: 2, beginning: 'si', choices: ['size', 'signer'] }],
  ['si|se:>1MB', { kind: 'field', from: 0, to: 5, beginning: 'si', choices: ['size', 'signer'] }],
  ['comment|', { kind: 'field', choices: ['comment', 'comments'] }],
  ['emo|', { kind: 'none', beginning: 'emo', choices: [] }],
  ['"si|', { kind: 'none', choices: [] }],
  ['family:|', { kind: 'none', field: null }],
  ['tag:|', { kind: 'tag', field: 'tag', from: 4, to: 4, beginning: '' }],
  ['-tags:fam|ily:x b', { kind: 'tag', field: 'tag', negated: true, from: 6, to: 14, beginning: 'fam' }],
  ['tag:"two \\"w|ords" b', { kind: 'tag', from: 4, to: 17, beginning: 'two "w' }],
  ['tag:"two words"|', { kind: 'tag', from: 4, to: 15, beginning: 'two words' }],
  ['tag:"two| size:>1', { kind: 'tag', from: 4, to: 8, beginning: 'two' }],
  ['hit:Emo|', { kind: 'rule', field: 'rule', beginning: 'Emo', choices: [] }],
  ['tlp:AM|', { kind: 'choice', field: 'tlp', beginning: 'AM', choices: ['amber', 'amber+strict'] }],
  ['vault:|', { kind: 'choice', field: 'invault', choices: ['yes', 'no'] }],
  ['seen:<|', { kind: 'choice', field: 'seen', choices: ['<24h', '<7d', '<30d'] }],
  ['size:1|', { kind: 'none', field: 'size', choices: [] }],
])('the completion at %s', (marked, expected) => {
  expect(at(marked).completion).toMatchObject(expected);
});

test.each<[string, string, string]>([
  ['si|', 'size', 'size:|'],
  ['a -si|se:>1MB b', 'size', 'a -size:|>1MB b'],
  ['a o|', 'OR', 'a OR |'],
  ['a or| b', 'OR', 'a OR |b'],
  ['a |', '(', 'a (|'],
  ['(tag:fam|)', 'family:emotet', '(tag:family:emotet |)'],
  ['tag:fam|', 'family:emotet', 'tag:family:emotet |'],
  ['-tag:fam|ily:x b', 'family:emotet', '-tag:family:emotet |b'],
  ['tag:t|', 'two "words"', 'tag:"two \\"words\\"" |'],
  ['tag:"two| size:>1', 'two words', 'tag:"two words" |size:>1'],
  ['tag:"a|"b', 'ab', 'tag:ab |b'],
  ['rule:E|', 'Emotet_*', 'rule:"Emotet_*" |'],
  ['seen:|', '<7d', 'seen:<7d |'],
])('the completion of %s with %s gives %s', (marked, choice, expected) => {
  const { text, completion } = at(marked);
  const { text: done, caret } = applyCompletion(text, completion, choice);
  expect(`${done.slice(0, caret)}|${done.slice(caret)}`).toBe(expected);
});

test('a text too long to be read offers no completion', () => {
  expect(completionAt('tag:'.padEnd(1e6, '"'), 4)).toMatchObject({ kind: 'none', choices: [] });
});

const piece = fc.oneof(
  fc.constantFrom(
    '"',
    '\\',
    '-',
    '(',
    ')',
    ' OR ',
    'NOT ',
    ':',
    '*',
    ' ',
    'tag:',
    'tlp:',
    'seen:',
    'size:',
    'family:',
    'a',
  ),
  fc.string({ maxLength: 3, unit: anyUnit }),
);
const anyText = fc.array(piece, { maxLength: 15 }).map((pieces) => pieces.join(''));

test('a replacement always surrounds the caret, and only suggested choices that fit are given', () => {
  fc.assert(
    fc.property(anyText, fc.nat(60), (text, place) => {
      const caret = Math.min(place, text.length);
      const { from, to, kind, beginning, choices } = completionAt(text, caret);
      expect(0 <= from && from <= caret && caret <= to && to <= text.length).toBe(true);
      expect(choices.every((choice) => choice.toLowerCase().startsWith(beginning.toLowerCase()))).toBe(true);
      expect(choices.length > 0).toBe(kind === 'field' || kind === 'choice');
    }),
    { numRuns: 2000 },
  );
});

test('any chosen tag becomes a filter for that tag', () => {
  fc.assert(
    fc.property(anyText, (typed) => {
      const choice = `x${typed.toLowerCase().trim()}`;
      fc.pre(choice.isWellFormed() && !/[,\0]/.test(choice) && choice === choice.toLowerCase());
      const { text } = applyCompletion('tag:x', completionAt('tag:x', 5), choice);
      expect(readLibraryQuery(text, now)).toEqual({
        kind: 'terms',
        terms: [{ field: 'tag', negated: false, match: { kind: 'exact', value: choice } }],
      });
    }),
    { numRuns: 1000 },
  );
});
