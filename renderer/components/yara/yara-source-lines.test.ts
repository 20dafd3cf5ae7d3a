import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyUnit } from '../../../shared/testing/any-unit.ts';
import { colouredLines } from './yara-source.tsx';

const joined = (text: string): string =>
  colouredLines(text)
    .map((line) => line.map((piece) => piece.text).join(''))
    .join('\n');

test('the highlighter distinguishes keywords, strings and comments', () => {
  expect(colouredLines('rule a { // all\n  condition: $s and "all" }')).toEqual([
    [
      { text: 'rule', kind: 'keyword' },
      { text: ' a { ', kind: 'plain' },
      { text: '// all', kind: 'comment' },
    ],
    [
      { text: '  ', kind: 'plain' },
      { text: 'condition', kind: 'keyword' },
      { text: ': $s ', kind: 'plain' },
      { text: 'and', kind: 'keyword' },
      { text: ' ', kind: 'plain' },
      { text: '"all"', kind: 'text' },
      { text: ' }', kind: 'plain' },
    ],
  ]);
});

test('the highlighter colours each line of a multi-line token and keeps empty lines', () => {
  expect(colouredLines('/* a\n\n b */\n')).toEqual([
    [{ text: '/* a', kind: 'comment' }],
    [],
    [{ text: ' b */', kind: 'comment' }],
    [],
  ]);
});

test('the tokens of any text join to that text', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ unit: anyUnit }),
        fc
          .array(fc.constantFrom('rule', '/*', '*/', '"', '\\', '\n', '{', '}', '=', '/', '$a', ' ', '//'))
          .map((parts) => parts.join('')),
      ),
      (text) => {
        expect(joined(text)).toBe(text);
      },
    ),
  );
});
