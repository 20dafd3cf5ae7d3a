import { expect, test } from 'vitest';
import { readRuleQuery, ruleQuerySentence } from './rule-query.ts';

test('a search is parsed into its terms', () => {
  expect(readRuleQuery('Foo -tag:APT* meta.Score:>70 author:"Ana S" hits:2..5 is:Broken')).toEqual({
    kind: 'terms',
    terms: [
      { field: 'text', negated: false, value: 'foo' },
      { field: 'tag', negated: true, match: { kind: 'beginning', value: 'apt' } },
      {
        field: 'meta',
        negated: false,
        key: 'score',
        match: { kind: 'compare', comparison: { kind: 'than', sign: '>', operand: '70' } },
      },
      { field: 'author', negated: false, value: 'ana s' },
      { field: 'hits', negated: false, least: 2, most: 5 },
      { field: 'is', negated: false, state: 'broken' },
    ],
  });
});

test.each(['http://x', 'c:\\windows', 'a/b.yar:same', 'b.yar:same', '"tga: x"', '{ 4d 5a }', '$a'])(
  'the search %s is text and no field',
  (find) => {
    expect(readRuleQuery(find)).toMatchObject({ kind: 'terms' });
  },
);

test.each([
  ['tga:x', 'Unknown field “tga:”. Did you mean “tag:”? Quote it to search for the text.', [0, 3]],
  ['x metadata:y', 'Unknown field “metadata:”. Did you mean “meta.KEY:”? Quote it to search for the text.', [2, 8]],
  ['zzzz:y', 'Unknown field “zzzz:”. Quote it to search for the text.', [0, 4]],
  ['tag:', 'Add a value after “tag:”.', [0, 4]],
  ['meta:x', 'Name the meta key, with a dot before it.', [5, 1]],
  ['hits:many', 'Invalid count. Use a whole number, with > or < in front or as a range.', [5, 4]],
  ['cost:slow', 'Invalid cost. Use milliseconds per MB, with > or < in front or as a range.', [5, 4]],
  ['cost:5..2', 'Invalid cost. Use milliseconds per MB, with > or < in front or as a range.', [5, 4]],
  ['is:odd', '“is:” takes one of broken, muted, private, global.', [3, 3]],
  ['author:"x', 'This quote is not closed.', [7, 2]],
  ['author:x"y"', 'Put quotes around the whole value. A quote inside them is written \\".', [7, 4]],
  ['a - b', 'A minus excludes the term after it, without a space between.', [2, 1]],
])('the problem of %s is reported with its position', (find, what, [at, length]) => {
  const read = readRuleQuery(find);
  const problem = read.kind === 'problem' ? read.problem : expect.fail('it was read');
  expect(ruleQuerySentence(problem).what).toBe(what);
  expect([problem.at, problem.length]).toEqual([at, length]);
  expect(readRuleQuery(ruleQuerySentence(problem).example).kind).toBe('terms');
});

test.each([
  ['cost:>0.5', { kind: 'range', least: 0.5, most: Infinity, isLeastOpen: true, isMostOpen: false }],
  ['cost:<2', { kind: 'range', least: 0, most: 2, isLeastOpen: false, isMostOpen: true }],
  ['cost:1..2.5', { kind: 'range', least: 1, most: 2.5, isLeastOpen: false, isMostOpen: false }],
  ['cost:3', { kind: 'range', least: 3, most: 3, isLeastOpen: false, isMostOpen: false }],
  ['cost:*', { kind: 'any' }],
])('the cost in %s is read as milliseconds per MB', (find, match) => {
  expect(readRuleQuery(find)).toEqual({ kind: 'terms', terms: [{ field: 'cost', negated: false, match }] });
});

test('a search of many terms or letters is refused', () => {
  expect(readRuleQuery('a '.repeat(33))).toMatchObject({ problem: { reason: 'too-many' } });
  expect(readRuleQuery('a'.repeat(1001))).toMatchObject({ problem: { reason: 'too-long' } });
});
