import fc from 'fast-check';
import { expect, test } from 'vitest';
import { textValue } from './split-rules.ts';

test.each([
  ['""', ''],
  ['"a b"', 'a b'],
  ['"\\"\\\\\\t\\n\\r"', '"\\\t\n\r'],
  ['"\\x41\\xc3\\xa9"', 'Aé'],
  ['"\\q\\x4"', '\\q\\x4'],
  ['"\\\\x41"', '\\x41'],
  ['"""a\n\\"b"""', 'a\n"b'],
  ['""""""', ''],
])('%j has the value %j', (token, value) => {
  expect(textValue(token)).toBe(value);
});

test('any escaped value is read back unchanged', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (value) => {
      const escaped = value.replaceAll(/["\\]/g, '\\$&').replaceAll('\n', '\\n');
      expect(textValue(`"${escaped}"`)).toBe(value);
    }),
  );
});

test('bytes that form UTF-8 together are one character, however many in a row', () => {
  const bytes = (text: string): string => [...Buffer.from(text)].map((byte) => `\\x${byte.toString(16)}`).join('');
  const value = '汉😀é'.repeat(50);
  expect(textValue(`"${bytes(value)}"`)).toBe(value);
});
