import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyUnit } from '../testing/any-unit.ts';
import { type QueryRunKind, queryRuns } from './query-completion.ts';
import { queryFields } from './query-fields.ts';

test.each<[string, [QueryRunKind, string][]]>([
  ['', []],
  [' ', [['space', ' ']]],
  [
    'a b',
    [
      ['word', 'a'],
      ['space', ' '],
      ['word', 'b'],
    ],
  ],
  ['-', [['negation', '-']]],
  [
    '-tag:"a b"* ',
    [
      ['negation', '-'],
      ['field', 'tag:'],
      ['quote', '"'],
      ['value', 'a b'],
      ['quote', '"'],
      ['value', '*'],
      ['space', ' '],
    ],
  ],
  [
    'a OR -(NOT b)',
    [
      ['word', 'a'],
      ['space', ' '],
      ['operator', 'OR'],
      ['space', ' '],
      ['negation', '-'],
      ['operator', '('],
      ['operator', 'NOT'],
      ['space', ' '],
      ['word', 'b'],
      ['operator', ')'],
    ],
  ],
  ['tag:', [['field', 'tag:']]],
  [
    'tag:"a',
    [
      ['field', 'tag:'],
      ['quote', '"'],
      ['value', 'a'],
    ],
  ],
  [
    'tag:""',
    [
      ['field', 'tag:'],
      ['quote', '"'],
      ['quote', '"'],
    ],
  ],
  [
    '"a\\"b"c',
    [
      ['quote', '"'],
      ['word', 'a\\"b'],
      ['quote', '"'],
      ['word', 'c'],
    ],
  ],
  ['"', [['quote', '"']]],
  [
    'sise:>1MB',
    [
      ['problem', 'sise:'],
      ['value', '>1MB'],
    ],
  ],
  [
    'family:emotet',
    [
      ['word', 'family:'],
      ['word', 'emotet'],
    ],
  ],
  [
    `${'a'.repeat(1000)}b`,
    [
      ['word', 'a'.repeat(1000)],
      ['problem', 'b'],
    ],
  ],
])('the runs of %j', (text, runs) => {
  expect(queryRuns(text).map(({ kind, text: run }) => [kind, run])).toEqual(runs);
});

const piece = fc.oneof(
  fc.constantFrom(
    '"',
    '\\',
    '-',
    ':',
    '*',
    ' ',
    '\n',
    '\0',
    '\uD800',
    '\u202E',
    '😀',
    'sise:',
    'family:',
    'a'.repeat(400),
  ),
  fc.constantFrom(...queryFields.map(({ name }) => `${name}:`)),
  fc.string({ maxLength: 4, unit: anyUnit }),
);

test('the runs of any text join to exactly that text, and none is empty', () => {
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join('')),
      (text) => {
        let at = 0;
        for (const run of queryRuns(text)) {
          expect(run.at).toBe(at);
          expect(run.text).toBe(text.slice(at, at + run.text.length));
          expect(run.text).not.toBe('');
          at += run.text.length;
        }
        expect(at).toBe(text.length);
      },
    ),
    { numRuns: 2000 },
  );
});

test('a megabyte is one readable and one unreadable run', () => {
  expect(queryRuns('"'.padEnd(1e6, '\\"')).map(({ text }) => text.length)).toEqual([1, 999, 1e6 - 1000]);
});
