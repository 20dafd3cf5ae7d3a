import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { longAfter } from '../../../shared/testing/long-after.ts';
import { verdict } from '../gate/engine-verdict.fixture.ts';
import { withShortPatterns } from './rule-rewrites.ts';
import { loadEngine } from './yara-compiler.ts';
import { yaraXModule } from './yara-x.ts';

beforeAll(async () => loadEngine(await yaraXModule()));

const withStrings = (strings: string): string => `rule a {\n  strings:${strings}\n  condition:\n    any of them\n}`;

test('plain hex strings and regular expressions keep their beginning and all their lines', () => {
  const rule = withStrings(
    '\n  $a = { a3 3a 8A bc ?? [2-4] 00 } private\r\n\t$b={0011223344}\n  $c = /conf_[a-z]{3}\\.[0-9A-F_]+x?/i wide',
  );
  expect(withShortPatterns(rule)).toBe(
    withStrings('\n  $a = { a3 3a 8A bc } private\r\n\t$b={ 00112233 }\n  $c = /conf/i wide'),
  );
});

test.each([
  '{ 01 02 03 }',
  '{ 01 02 03 04 }',
  '{ 01 02 03 04 ?? }',
  '{ 01 02 03 04 0? 05 }',
  '{ 01 02 03 04 ~05 06 }',
  '{ 01 02 03 04 (05 | 06) 07 }',
  '{ 01 02 03 04 [0-0] 05 }',
  '{ 01 02 03 04 [4-2] 05 }',
  '{ 01 02 03 04 [9-1] 05 }',
  '{ 01 02 03 04 [0] 05 }',
  '{ 01 02 03 04 [-] 05 }',
  '{ 01 02 03 04 5 06 }',
  '{ 01 02 03 04 /* */ 05 }',
  '{ 01 02 03 04 05',
  `{ 01 02 03 04${' 05'.repeat(2000)} }`,
  '/abcd/',
  '/abc[a-z]/',
  '/[a-z]{4}/',
  '/abcd.*/',
  '/abcde*/',
  '/abcde+?/',
  '/abcde++/',
  '/abcd(e|f)/',
  '/abcd[z-a]/',
  '/abcd[^a]/',
  '/abcd[]/',
  '/abcde{9,1}/',
  '/abcde{1000}/',
  '/abcd\\/e/',
  '/abcd\\q/',
  '/abcdé/',
  '/abcd"/',
  '/abcd*/',
  '/abcd$/',
  '/abcde',
  `/${'abcd'.repeat(50)}/`,
  '"0123456789"',
])('short patterns leave %s unchanged', (value) => {
  expect(withShortPatterns(withStrings(`\n  $a = ${value}`))).toBe(withStrings(`\n  $a = ${value}`));
});

test('short patterns leave strings unchanged on a line begun by other text, and in a long rule', () => {
  for (const strings of [
    ' $a = { 01 02 03 04 05 }',
    '\n  "x" $a = /abcdef/',
    '\n  // $a = /abcdef/',
    `\n  $a = /abcdef/\n  $b = "${'x'.repeat(20_000)}"`,
  ])
    expect(withShortPatterns(withStrings(strings))).toBe(withStrings(strings));
});

test('the engine accepts every plain hex string and regular expression', () => {
  const hex = fc
    .array(fc.constantFrom(' 00', 'fF', ' ??', '??', ' [1]', ' [99]', '[0-4]', ' [3-9]', ' [9-10]', ' [0-99]'), {
      maxLength: 60,
    })
    .map((parts) => `{ 01 02 03 04${parts.join('')} 05 }`);
  const ofHex = fc.tuple(hex, fc.constantFrom('', ' private'));
  const letter = fc.constantFrom(
    'x',
    '7',
    '_',
    '\\d',
    '\\s',
    '\\w',
    '\\D',
    '\\S',
    '\\W',
    '\\.',
    '[a-z]',
    '[a-zA-Z0-9]',
    '[0-9a-f]',
    '[a-f_]',
    '[a-za-za-za-za-z]',
  );
  const regex = fc
    .array(fc.tuple(letter, fc.constantFrom('', '+', '?', '{1}', '{9}', '{0,4}', '{3,9}')), {
      minLength: 1,
      maxLength: 100,
    })
    .map((parts) => `/abcd${parts.flat().join('')}/`);
  const ofRegex = fc.tuple(regex, fc.constantFrom('', 'i', 's', ' wide nocase', ' ascii wide fullword'));
  fc.assert(
    fc.property(fc.oneof(ofHex, ofRegex), ([value, after]) => {
      const rule = withStrings(`\n  $a = ${value}${after}`);
      expect(withShortPatterns(rule)).not.toBe(rule);
      expect(verdict(rule)).toBeNull();
    }),
  );
  expect(verdict(withStrings(`\n  $a = /abcd${'[a-zA-Z0-9_]{9}'.repeat(100)}/i ascii wide`))).toBeNull();
});

for (const { tags, cases } of longAfter(1, [100, 200]))
  test.each(cases)(
    'the engine reports the same with short and full patterns, on the same line, %i times',
    { tags },
    (numRuns) => {
      const value = fc.constantFrom(
        '{ 01 02 03 04 05 }',
        '{ 01 02 03 04 [2-4] 05 }',
        '{ 01 02 03 04 ?? ~?? 05 }',
        '{ 01 02 03 04 [4-2] 05 }',
        '{ 01 02 03 04 05 06',
        '{ 61 62 63 64 65 }',
        '/abcdef/',
        '/abcdef/i',
        '/abcd[a-z]+/is',
        '/abcd[a-z]+x?/q',
        '/abcd*/',
        '/abcd.*?e+/',
        '/abcdef',
        '/(abcd/',
        '"abcdef"',
      );
      const modifiers = fc.uniqueArray(
        fc.constantFrom('ascii', 'wide', 'nocase', 'fullword', 'xor', 'base64', 'private'),
        { maxLength: 2 },
      );
      const gap = fc.constantFrom(
        '\n  ',
        '\n\t',
        '\r\n ',
        '\n\n  ',
        '\n // "\n  ',
        '\n /* \n $c = /abcdef/ */\n  ',
        '\n /* \n $c = { 01 02 03 04 05 } */\n  ',
        '\n /* \n $c = /abcd*/\n  ',
        ' ',
        '\n  $d = """\n  $c = { 01 02 03 04 05 }"""\n  ',
      );
      const string = fc
        .tuple(
          gap,
          fc.constantFrom('$a', '$b', '$', '$a', 'a'),
          fc.constantFrom(' = ', '=', ' =\n  '),
          value,
          modifiers,
        )
        .map(([before, name, is, text, all]) => `${before}${name}${is}${text} ${all.join(' ')}`);
      const condition = fc.constantFrom(
        'any of them',
        '$a and\n  $b',
        '$a at 0',
        '\n  $a = { 01 02 03 04 05 }',
        '\n  $a = /abcdef/',
        '!a[1] > 9',
        'filename matches\n  /abcdef/',
        'for all of them : (\n  $ at 0)',
      );
      fc.assert(
        fc.property(fc.array(string, { maxLength: 3 }), gap, condition, (strings, end, last) => {
          const first = `rule a {\n  strings:${strings.join('')}${end}condition:\n  ${last}\n}`;
          const rule = `${first}\nrule b { condition: true }`;
          expect(verdict(withShortPatterns(rule))).toEqual(verdict(rule));
        }),
        { numRuns },
      );
    },
  );

test('short patterns are fast for any text', () => {
  const long = 16_000;
  for (const text of [
    `\n$a = { 01 02 03 04${' 05'.repeat(long / 3)}`,
    `\n$a = /abcd${'e'.repeat(long)}`,
    '\n$a = /abcd[a-z'.repeat(long / 15),
    `\n${' '.repeat(long)}`,
  ])
    expect(withShortPatterns(text)).toBe(text);
});
