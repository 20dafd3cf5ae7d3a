import fc from 'fast-check';
import { expect, test } from 'vitest';
import { generatedRules, layout, writeRule } from './generated-rules.fixture.ts';
import { type Span, splitRules } from './split-rules.ts';

const part = (source: string, span: Span | null | undefined): string | null =>
  span ? source.slice(span.start, span.end).trim() : null;
const outline = (source: string) =>
  splitRules(source).rules.map(({ name, line, endLine, damage }) => [name, line, endLine, damage]);
const strays = (source: string) => splitRules(source).strays;

test('the splitter returns exactly the rules of any file with their parts', () => {
  fc.assert(
    fc.property(generatedRules, layout, (rules, gap) => {
      const texts = rules.map((rule) => writeRule(rule, gap));
      const source = `import "pe"${gap}${texts.join(gap)}${gap}`;
      const split = splitRules(source);
      expect(split.strays).toEqual([]);
      expect(split.rules.map(({ start, end }) => source.slice(start, end))).toEqual(texts);
      expect(split.rules.map(({ damage }) => damage)).toEqual(rules.map(() => null));
      for (const [index, { name, isGlobal, isPrivate, tags, meta, strings }] of rules.entries()) {
        const found = split.rules[index];
        expect(found).toMatchObject({ name, isGlobal, isPrivate });
        expect([
          found?.tags === null,
          found?.meta === null,
          found?.strings === null,
          found?.condition === null,
        ]).toEqual([tags.length === 0, meta.length === 0, strings.length === 0, false]);
        if (strings.length > 0) expect(part(source, found?.strings)).toContain(strings.at(-1));
      }
    }),
  );
});

test('the splitter divides any text in order and without overlaps', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      'rule',
      ' a',
      ' {',
      '}',
      ' private ',
      ' global ',
      'import ',
      'include ',
      '"x"',
      'meta:',
      ' strings:',
      ' condition:',
      ':',
      '= {',
      '"',
      '/',
      '/*',
      '\n',
      '01',
    ),
    fc.string({ maxLength: 2 }),
  );
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join('')),
      (source) => {
        const { rules, imports, includes, strays: found } = splitRules(source);
        let end = 0;
        for (const item of [...rules, ...imports, ...includes].toSorted((a, b) => a.start - b.start)) {
          expect(item.start).toBeGreaterThanOrEqual(end);
          expect(item.end).toBeGreaterThan(item.start);
          expect(item.line).toBe(source.slice(0, item.start).split('\n').length);
          ({ end } = item);
        }
        for (const rule of rules) {
          expect(rule.endLine).toBe(source.slice(0, rule.end).split('\n').length);
          for (const span of [rule.tags, rule.meta, rule.strings, rule.condition]) {
            if (span !== null)
              expect(rule.start <= span.start && span.start <= span.end && span.end <= rule.end).toBe(true);
          }
        }
        for (const { line } of found) expect(line).toBeLessThanOrEqual(source.split('\n').length);
      },
    ),
    { numRuns: 1000 },
  );
});

test('each section ends where the next begins', () => {
  const source = 'rule a : t u { meta: x = 1 strings: $a = "b" condition: $a }';
  const [rule] = splitRules(source).rules;
  expect([rule?.tags, rule?.meta, rule?.strings, rule?.condition].map((span) => part(source, span))).toEqual([
    't u',
    'x = 1',
    '$a = "b"',
    '$a',
  ]);
});

test('imports and includes are listed with their lines and values, wherever they are', () => {
  const source = 'import "pe"\r\nrule a { condition: true }\r\ninclude "b\\x2fc.yar" import\n"math"';
  const { imports, includes, strays: left } = splitRules(source);
  expect(imports).toEqual([
    { start: 0, end: 11, line: 1, value: 'pe' },
    { start: 62, end: source.length, line: 3, value: 'math' },
  ]);
  expect(includes).toEqual([{ start: 41, end: 61, line: 3, value: 'b/c.yar' }]);
  expect(left).toEqual([]);
});

test.each([
  [
    'rule a { condition: true\nrule b { condition: true }',
    [
      ['a', 1, 1, 'no-end'],
      ['b', 2, 2, null],
    ],
  ],
  [
    'rule a { condition: true\n\nprivate global\nrule b { condition: true }',
    [
      ['a', 1, 1, 'no-end'],
      ['b', 3, 4, null],
    ],
  ],
  [
    'rule a { condition: true\nimport "pe"\nrule b { condition: true }',
    [
      ['a', 1, 1, 'no-end'],
      ['b', 3, 3, null],
    ],
  ],
  [
    'rule a { strings: $a = { 01 02\n condition: $a }\nrule b { condition: true }',
    [
      ['a', 1, 2, 'open-hex'],
      ['b', 3, 3, null],
    ],
  ],
  [
    'rule a { strings: $a = { 01 zz } condition: $a }\nrule b { condition: true }',
    [
      ['a', 1, 1, 'open-hex'],
      ['b', 2, 2, null],
    ],
  ],
  [
    'rule a { strings: $a = "b\n condition: $a }\nrule b { condition: true }',
    [
      ['a', 1, 2, 'open-text'],
      ['b', 3, 3, null],
    ],
  ],
  [
    'rule a { strings: $a = "b condition: $a }\nrule b { condition: true }',
    [
      ['a', 1, 1, 'open-text'],
      ['b', 2, 2, null],
    ],
  ],
  [
    'rule a { strings: $a = /b\n condition: $a }\nrule b { condition: true }',
    [
      ['a', 1, 2, 'open-regex'],
      ['b', 3, 3, null],
    ],
  ],
  ['rule a { condition: true /* }\nrule b { condition: true }', [['a', 1, 2, 'open-comment']]],
  [
    'rule a { condition: { true } }\nrule b { condition: true }',
    [
      ['a', 1, 1, null],
      ['b', 2, 2, null],
    ],
  ],
  [
    'rule a condition: true }\nrule b { condition: true }',
    [
      ['a', 1, 1, 'no-body'],
      ['b', 2, 2, null],
    ],
  ],
  [
    'rule a\nrule b { condition: true }',
    [
      ['a', 1, 1, 'no-body'],
      ['b', 2, 2, null],
    ],
  ],
  [
    'rule a : t\nprivate rule b { condition: true }',
    [
      ['a', 1, 1, 'no-body'],
      ['b', 2, 2, null],
    ],
  ],
  ['rule a', [['a', 1, 1, 'no-body']]],
  ['rule a {', [['a', 1, 1, 'no-end']]],
  [
    `rule ${'a'.repeat(201)} { condition: true }\nrule ${'b'.repeat(200)} { condition: true }`,
    [
      ['a'.repeat(201), 1, 1, 'long-name'],
      ['b'.repeat(200), 2, 2, null],
    ],
  ],
])('%j is split rule by rule', (source, rules) => {
  expect(outline(source)).toEqual(rules);
  expect(strays(source)).toEqual([]);
});

test.each([
  ['rule { condition: true }\nrule b { condition: true }', [{ line: 1, cause: 'no-name' }]],
  ['\nprivate rule condition { condition: true }', [{ line: 2, cause: 'no-name' }]],
  ['rule', [{ line: 1, cause: 'no-name' }]],
  ['rule a { condition: true }\n}\n} rule b { condition: true }', [{ line: 2, cause: 'brace' }]],
  [
    'some text\nof two lines\nrule a { condition: true } more',
    [
      { line: 1, cause: 'other' },
      { line: 3, cause: 'other' },
    ],
  ],
  ['\nprivate', [{ line: 2, cause: 'modifiers' }]],
  ['global x', [{ line: 1, cause: 'modifiers' }]],
  ['import pe', [{ line: 1, cause: 'no-target' }]],
  ['\ninclude "a\nrule b { condition: true }', [{ line: 2, cause: 'no-target' }]],
  ['rule a { condition: true }\n/* x', [{ line: 2, cause: 'open-comment' }]],
  ['\0\0', [{ line: 1, cause: 'other' }]],
  ['// all of it\n/* is comment */', []],
  ['', []],
])('%j has text outside rules', (source, found) => {
  expect(strays(source)).toEqual(found);
});

test('twenty thousand rules without an end are as many rules', () => {
  const { rules } = splitRules('rule a {\n'.repeat(20_000));
  expect(rules).toHaveLength(20_000);
  expect(rules.at(-1)).toMatchObject({ line: 20_000, damage: 'no-end' });
});

test('unclosed braces and tags are read without a deep stack', () => {
  expect(outline(`rule a ${'{'.repeat(500_000)} rule b : ${'t '.repeat(250_000)}`)).toEqual([
    ['a', 1, 1, 'no-end'],
    ['b', 1, 1, 'no-body'],
  ]);
});
