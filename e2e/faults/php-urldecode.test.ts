import fc from 'fast-check';
import { expect, test } from 'vitest';
import { phpUrldecode } from './php-urldecode.ts';

test.each([
  ['a+b', 'a b'],
  ['100%', '100%'],
  ['%zz %4', '%zz %4'],
  ['%41%62', 'Ab'],
  ['%C3%A9', 'é'],
  ['é %2B ✓', 'é + ✓'],
  ['%25%32%35', '%25'],
  ['%ff', '\ufffd'],
  ['', ''],
])('the decoder turns %j into %j', (text, decoded) => {
  expect(phpUrldecode(text)).toBe(decoded);
});

test('the decoder restores any percent-encoded text', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'%+ aF0é✓𝄞') }), (text) => {
      expect(phpUrldecode(encodeURIComponent(text))).toBe(text);
    }),
  );
});
