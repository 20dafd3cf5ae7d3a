import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { longAfter } from '../../../shared/testing/long-after.ts';
import { verdict } from '../gate/engine-verdict.fixture.ts';
import { withShortTexts } from './rule-rewrites.ts';
import { loadEngine } from './yara-compiler.ts';
import { yaraXModule } from './yara-x.ts';

beforeAll(async () => loadEngine(await yaraXModule()));

test('plain texts keep their first letters and all their lines', () => {
  const rule =
    'rule a {\n  strings:\n\t$a = "0123456789 [x]" wide\r\n    $b="12345678"\n  condition:\n    any of them\n}';
  expect(withShortTexts(rule)).toBe(
    'rule a {\nstrings:\n$a = "01234567" wide\r\n$b="12345678"\ncondition:\nany of them\n}',
  );
});

test.each([
  '"0123456789\\x41"',
  '"0123456789\\q"',
  '"0123456789é"',
  '"0123456789',
  '"01234567"',
  '/0123456789/',
  '{ 01 23 45 67 89 01 23 45 67 89 }',
  '"""0123456789"""',
  `"${'x'.repeat(5000)}"`,
])('short texts leave %s unchanged', (value) => {
  expect(withShortTexts(`\n$a = ${value}`)).toBe(`\n$a = ${value}`);
  expect(withShortTexts(`\n $a = ${value}`)).toBe(`\n$a = ${value}`);
});

for (const { tags, cases } of longAfter(1, [50, 100]))
  test.each(cases)(
    'the engine reports the same with short and full texts, on the same line, %i times',
    { tags },
    (numRuns) => {
      const text = fc.constantFrom(
        '"0123456789"',
        '"0123456789 // x"',
        '"0123456789 /* "',
        '"] * ^ -- ~~ 1"',
        '"01234567\\"89"',
        '"01234567\\q"',
        '"012345678',
        '"x"',
        '""',
        '"汉0123456789"',
        '/0123456789/',
        '{ 01 23 }',
        '"""a\n  $c = "0123456789"\n  """',
      );
      const modifiers = fc.uniqueArray(
        fc.constantFrom(
          'ascii',
          'wide',
          'nocase',
          'fullword',
          'xor',
          'xor(1-300)',
          'base64',
          'base64wide',
          'base64("x")',
          'private',
        ),
        { maxLength: 2 },
      );
      const gap = fc.constantFrom(
        '\n  ',
        '\n\t',
        '\r\n ',
        '\n\n  ',
        '\n // "\n  ',
        '\n /* \n $c = "0123456789" */\n  ',
        ' ',
        '\n  "0123456789"\n',
      );
      const string = fc
        .tuple(gap, fc.constantFrom('$a', '$b', '$', '$a', 'a'), fc.constantFrom(' = ', '=', ' =\n  '), text, modifiers)
        .map(([before, name, is, value, all]) => `${before}${name}${is}${value} ${all.join(' ')}`);
      const condition = fc.constantFrom(
        'any of them',
        '$a and\n  $b',
        '$a at 0',
        '"0123456789" == filename',
        '\n  $a = "0123456789"',
        '@a[1] + !a[1] > nothing',
        'for all of them : (\n  $ at 0)',
      );
      fc.assert(
        fc.property(fc.array(string, { maxLength: 3 }), gap, condition, (strings, end, last) => {
          const rule = `rule a {\n  strings:${strings.join('')}${end}condition:\n  ${last}\n}`;
          expect(verdict(withShortTexts(rule))).toEqual(verdict(rule));
        }),
        { numRuns },
      );
    },
  );

test('short texts are fast for any text', () => {
  const long = 1_000_000;
  for (const rule of [`\n$a = "${'a'.repeat(long)}`, `\n$${'a'.repeat(long)}`, '$ = "'.repeat(long / 10)])
    expect(withShortTexts(rule)).toBe(rule);
  expect(withShortTexts(`\n${' '.repeat(long)}`)).toHaveLength(1 + long - 100);
});
