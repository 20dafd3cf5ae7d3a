import { expect, test } from 'vitest';
import { phraseExpression, searchExpression } from './search-expression.ts';

test.each([
  ['emotet', '"emotet"*'],
  ['  two   words ', '"two"* "words"*'],
  ['x', '"x"'],
  ['a-x', '"a-x"'],
  ['name:"quoted"', '"name:"* "quoted"*'],
  ['NEAR(a b) OR *', '"NEAR(a" "b)" "OR"*'],
])('the search text %j becomes %j', (text, expression) => {
  expect(searchExpression(text)).toBe(expression);
});

test.each(['', '   ', '"', '*', '---', '\u0000'])('the search text %j contains no word', (text) => {
  expect(searchExpression(text)).toBeNull();
});

test('the number and length of words are bounded', () => {
  expect(searchExpression('word '.repeat(100))?.split(' ')).toHaveLength(16);
  expect(searchExpression('x'.repeat(10_000))).toHaveLength(131);
});

test.each([
  ['quarterly report', '"quarterly report"*'],
  ['a "b" c', '"a  b  c"'],
  ['x\u0000 OR yy.', '"x  OR yy."*'],
])('the phrase %j becomes %j', (text, expression) => {
  expect(phraseExpression(text)).toBe(expression);
});

test.each(['', '"', '*-'])('the search text %j contains no phrase', (text) => {
  expect(phraseExpression(text)).toBeNull();
});
