import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyUnit } from '../../../shared/testing/any-unit.ts';
import { colouredLines } from './yara-source.tsx';

const joined = (text: string): string =>
  colouredLines(text)
    .map((line) => line.map((piece) => piece.text).join(''))
    .join('\n');

test('words of the language, texts and comments are told apart', () => {
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

test('what goes over lines is coloured on each of them, and an empty line stays one', () => {
  expect(colouredLines('/* a\n\n b */\n')).toEqual([
    [{ text: '/* a', kind: 'comment' }],
    [],
    [{ text: ' b */', kind: 'comment' }],
    [],
  ]);
});

test('the pieces of any text join to that text', () => {
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
