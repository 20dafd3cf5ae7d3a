import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { compilePortable } from './portable-yara.ts';
import { withRelaxedRegexes } from './rule-rewrites.ts';
import { loadEngine } from './yara-compiler.ts';
import { yaraXModule } from './yara-x.ts';

beforeAll(async () => loadEngine(await yaraXModule()));

const ruleOf = (regex: string): string => `rule a {\n  strings:\n    $a = /${regex}/\n  condition:\n    $a\n}`;
const hits = (rule: string, text: string): boolean =>
  compilePortable(rule, [{ name: 'filename', type: 'text', value: '' }]).scan(Buffer.from(text), {}).length > 0;

test.each([
  ['ab\\Qcd', 'abQcd'],
  ['ab\\icd[\\1]', 'abicd1'],
  ['a[\\q\\-\\w\\]]x{2}', 'a]xx'],
  ['a[\\<\\b]c', 'abc'],
  ['C:\\\\\\Users\\u', 'C:\\Usersu'],
  ['\\u0041bc[\\U]', 'AbcU'],
  ['x{abc}', 'x{abc}'],
  ['abc{1', 'abc{1'],
  ['{abc', '{abc'],
  ['ab(x|{y)c', 'ab{yc'],
  ['abcd{,}e', 'abcddddde'],
  ['abc\\p{L}', 'abcp{L}'],
  ['a[]{]bc', 'a{bc'],
  ['a[^]{]bc', 'axbc'],
])('/%s/ compiles in relaxed mode, and hits %j as YARA 4 does', (regex, text) => {
  const rule = ruleOf(regex);
  const relaxed = withRelaxedRegexes(rule);
  expect(hits(relaxed, text)).toBe(true);
  expect(relaxed.split('\n')).toHaveLength(rule.split('\n').length);
});

test('relaxed mode relaxes a condition’s regular expression too, and keeps texts, hex strings and comments', () => {
  const rule =
    'rule a { /* /\\q/ */ strings: $a = "\\\\q {x" $b = { 01 02 } condition: filename matches /a\\qb{x}/i or ' +
    '$a or $b }';
  expect(withRelaxedRegexes(rule)).toBe(rule.replace('/a\\qb{x}/i', '/aqb\\{x}/i'));
});

test('relaxed mode leaves text that strict YARA-X accepts unchanged', () => {
  const piece = fc.constantFrom(
    'a',
    'b',
    '0',
    '\\w',
    '\\d',
    '\\.',
    '\\{',
    '\\}',
    '\\"',
    '\\@',
    '{2}',
    '{2,}',
    '{,3}',
    '{1,2}',
    '{ 1 }',
    '[a-z]',
    '[^\\]]',
    '[]a]',
    '[{]',
    '[\\d\\-]',
    '(a|b)',
    '+',
    '*?',
    '^',
    '$',
    '\\x41',
    '\\b',
    '{',
    '}',
    '[',
    ']',
    '\\q',
    '\\Z',
    '{a}',
    '{,}',
    '(',
    ')',
    '|',
    ' ',
  );
  fc.assert(
    fc.property(fc.array(piece, { minLength: 1, maxLength: 8 }), (pieces) => {
      const rule = ruleOf(`abc${pieces.join('')}`);
      const relaxed = withRelaxedRegexes(rule);
      if (compiles(rule)) expect(sameHits(rule, relaxed)).toBe(true);
    }),
    { numRuns: 100 },
  );
});

function compiles(rule: string): boolean {
  try {
    compilePortable(rule, []);
    return true;
  } catch {
    return false;
  }
}

const texts = [
  'abca',
  'abc0',
  'abc{',
  'abc}',
  'abcab',
  'abc2',
  'abcaa{1,2}',
  'abc[',
  'abc]',
  'abcA.',
  'abc {1}',
  'abc-',
  'abcq',
];
const sameHits = (rule: string, other: string): boolean =>
  rule === other || texts.every((text) => hits(rule, text) === hits(other, text));

test('relaxed mode is fast for any text', () => {
  const long = 200_000;
  for (const text of [
    `/${'{'.repeat(long)}/`,
    `/${'[]'.repeat(long)}/`,
    `/${'\\q'.repeat(long)}/`,
    '/a{1,'.repeat(long),
  ])
    expect(withRelaxedRegexes(`rule a { condition: filename matches ${text} }`)).toContain('rule a');
});
