import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { longAfter } from '../../../shared/testing/long-after.ts';
import { withShortMeta } from './rule-rewrites.ts';
import { loadEngine, YaraCompiler } from './yara-compiler.ts';
import { yaraXModule } from './yara-x.ts';

beforeAll(async () => loadEngine(await yaraXModule()));

/** As the engine finds it. */
function verdict(rule: string): unknown {
  const compiler = new YaraCompiler([]);
  const fault = compiler.add(rule);
  compiler.free();
  return fault;
}

const withMeta = (meta: string): string =>
  `private rule a : t u\n{\n meta:${meta}\n strings:\n  $a = "x"\n condition:\n  $a and nothing\n}`;

test('short meta turns usual entries into one on the same number of lines', () => {
  expect(withShortMeta(withMeta('\r\n  author = "Ana, 汉"\r\n  since=2020\r\n  is_old = true\n  score = -5'))).toBe(
    withMeta(' a = 1\n\n\n\n\n').replace('\n strings', ' strings'),
  );
});

test.each([
  '',
  ' a = "x\\n"',
  ' a = "x\\xzz"',
  ' a = 9223372036854775808',
  ' a = 1KB',
  ' a = 1.5',
  ' a = "x" b',
  ' rule = 1',
  ' a = """x"""',
  ' a = "x""y"',
  ' a = 1 // c',
  ' a = x',
  ' a : 1',
  ' a = "x\u0007"',
  ' a = "\u202e"',
  '\u00a0a = 1',
  ` a${'a'.repeat(64)} = 1`,
  ` a = "${'x'.repeat(5000)}"`,
  ' a = 1\n a = ',
  ' a = true1',
])('short meta leaves meta of %j unchanged', (meta) => {
  expect(withShortMeta(withMeta(meta))).toBe(withMeta(meta));
});

test.each([
  'rule a { condition: true }',
  'rule a { strings: $a = "meta: a = 1 condition:" condition: $a }',
  'rule a /* c */ { meta: a = 1 condition: true }',
  'rule a { meta: a = 1 ',
  '{ meta: a = 1 condition: true }',
])('short meta leaves %j unchanged', (rule) => {
  expect(withShortMeta(rule)).toBe(rule);
});

for (const { tags, cases } of longAfter(1, [70, 130]))
  test.each(cases)(
    'the engine reports the same with short and full meta, on the same line, %i times',
    { tags },
    (numRuns) => {
      const value = fc.constantFrom(
        '"x"',
        '"汉 😀"',
        '""',
        'true',
        'false',
        '1',
        '-1',
        '0',
        '007',
        '-',
        '- 1',
        '999999999999999',
        '99999999999999999999',
        '"\\q"',
        '"\\x41"',
        '"a',
        'tru',
        '0x1F',
        '"""y"""',
        '',
      );
      const key = fc.constantFrom(
        'a',
        'a',
        'description',
        '_',
        'meta',
        'strings',
        'condition',
        'rule',
        'pe',
        'x1',
        '1x',
        'é',
      );
      const gap = fc.constantFrom(
        ' ',
        ' ',
        '\n',
        '\r\n',
        '\n\n ',
        '\t',
        '',
        ' // c\n',
        ' /* \n */ ',
        '\r',
        '\u00a0',
        '\f',
      );
      const meta = fc.array(
        fc.tuple(gap, key, fc.constantFrom(' = ', '=', ' : ', '\n= '), value).map((parts) => parts.join('')),
        { maxLength: 4 },
      );
      const rest = fc.constantFrom(
        'strings: $a = "x" condition: $a',
        'condition: true',
        'condition: nothing',
        'condition:\n (',
        'strings: condition: true',
        'variables: x',
        '',
      );
      fc.assert(
        fc.property(
          fc.constantFrom(
            'rule a {',
            'rule a : t {',
            'rule a : t t {',
            'rule 1 {',
            'global private rule a\n{',
            'private private rule a {',
            'rule rule {',
          ),
          meta,
          gap,
          rest,
          (head, entries, end, last) => {
            const rule = `${head} meta:${entries.join('')}${end}${last} }`;
            expect(verdict(withShortMeta(rule))).toEqual(verdict(rule));
          },
        ),
        { numRuns },
      );
    },
  );

test('short meta is fast for any text', () => {
  const long = 1_000_000;
  for (const rule of [
    `rule a :${' a'.repeat(long)}`,
    `rule a {${' '.repeat(long)}`,
    `rule a { meta:${' x = "aaa"'.repeat(long / 10)}`,
    withMeta(` x = "${'a'.repeat(long)}`),
  ])
    expect(withShortMeta(rule)).toBe(rule);
});
