import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyUnit } from '../testing/any-unit.ts';
import { type YaraText, type YaraTokenKind, yaraTokens } from './yara-scanner.ts';

const significant = (source: string): [YaraTokenKind, string][] =>
  [...yaraTokens(source)]
    .filter(({ kind }) => kind !== 'space')
    .map(({ kind, start, end }) => [kind, source.slice(start, end)]);

const openOnes = (source: string): [YaraTokenKind, string][] =>
  [...yaraTokens(source)]
    .filter(({ isOpen }) => isOpen === true)
    .map(({ kind, start, end }) => [kind, source.slice(start, end)]);

/** What a source is made of, and what damages it. */
const piece = fc.oneof(
  fc.constantFrom(
    '"',
    '"""',
    '\\',
    '/',
    '//',
    '/*',
    '*/',
    '*',
    '{',
    '}',
    '=',
    '= {',
    '\n',
    '\r\n',
    ' ',
    '01',
    '??',
    '(',
    ')',
    '[2-4]',
    'rule',
    'condition:',
    '$a',
    '!',
    '😀',
    '\u2028',
    '\0',
    '1.5',
    '.',
  ),
  fc.string({ maxLength: 3, unit: anyUnit }),
);
const source = fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join(''));

test.each<[YaraTokenKind, string, string, string]>([
  ['text', '"', '\\"', '"'],
  ['text', '"""', '\\"', '"""'],
  ['regex', '/', '\\/', '/'],
  ['comment', '/*', 'a*', '*/'],
  ['comment', '//', 'a', ''],
  ['space', '', ' \n', ''],
  ['word', '', 'aB', ''],
  ['hex', '= {', 'a0', '}'],
  ['hex', '= {', '/**/', '}'],
])('a %s of ten megabytes, %s%s…%s, is one token', (kind, before, repeated, after) => {
  const text = before + repeated.repeat(10_000_000 / repeated.length) + after;
  const tokens = [...yaraTokens(text)];
  expect(tokens.at(-1)).toEqual({ kind, start: before.startsWith('=') ? 2 : 0, end: text.length });
});

test('the tokens of any text join to exactly that text, and none is empty', () => {
  fc.assert(
    fc.property(source, (text) => {
      let at = 0;
      for (const { start, end } of yaraTokens(text)) {
        expect(start).toBe(at);
        expect(end).toBeGreaterThan(start);
        at = end;
      }
      expect(at).toBe(text.length);
    }),
    { numRuns: 1000 },
  );
});

test.each<[string, [YaraTokenKind, string][]]>([
  [
    'rule a_1:b{',
    [
      ['word', 'rule'],
      ['word', 'a_1'],
      ['sign', ':'],
      ['word', 'b'],
      ['sign', '{'],
    ],
  ],
  [
    '"a \\" // b" nocase',
    [
      ['text', '"a \\" // b"'],
      ['word', 'nocase'],
    ],
  ],
  [
    '"a\\\\" "b"',
    [
      ['text', '"a\\\\"'],
      ['text', '"b"'],
    ],
  ],
  [
    '"" "x"',
    [
      ['text', '""'],
      ['text', '"x"'],
    ],
  ],
  [
    '"""a\n\\"""" b',
    [
      ['text', '"""a\n\\""""'],
      ['word', 'b'],
    ],
  ],
  [
    '"""a" b',
    [
      ['text', '""'],
      ['text', '"a"'],
      ['word', 'b'],
    ],
  ],
  [
    '/a\\/b[\\/"]{2}/is or',
    [
      ['regex', '/a\\/b[\\/"]{2}/is'],
      ['word', 'or'],
    ],
  ],
  [
    '// rule a {\nx',
    [
      ['comment', '// rule a {'],
      ['word', 'x'],
    ],
  ],
  [
    '/* "a" // */x',
    [
      ['comment', '/* "a" // */'],
      ['word', 'x'],
    ],
  ],
  [
    '/*/ x */y',
    [
      ['comment', '/*/ x */'],
      ['word', 'y'],
    ],
  ],
  [
    '$a = { 01 ?? [2-] ( A? | ~02 ) /* } */ // }\n 03 } $b',
    [
      ['pattern', '$a'],
      ['sign', '='],
      ['hex', '{ 01 ?? [2-] ( A? | ~02 ) /* } */ // }\n 03 }'],
      ['pattern', '$b'],
    ],
  ],
  [
    '= /* x */ { 01 }',
    [
      ['sign', '='],
      ['comment', '/* x */'],
      ['hex', '{ 01 }'],
    ],
  ],
  [
    'b { c }',
    [
      ['word', 'b'],
      ['sign', '{'],
      ['word', 'c'],
      ['sign', '}'],
    ],
  ],
  [
    '$a* #a*2 @a[1] !a != 3',
    [
      ['pattern', '$a*'],
      ['pattern', '#a'],
      ['sign', '*'],
      ['number', '2'],
      ['pattern', '@a'],
      ['sign', '['],
      ['number', '1'],
      ['sign', ']'],
      ['pattern', '!a'],
      ['sign', '!'],
      ['sign', '='],
      ['number', '3'],
    ],
  ],
  [
    '$="a"',
    [
      ['pattern', '$'],
      ['sign', '='],
      ['text', '"a"'],
    ],
  ],
  [
    '0x5A4D 4MB -1.5 0..5',
    [
      ['number', '0x5A4D'],
      ['number', '4MB'],
      ['sign', '-'],
      ['number', '1.5'],
      ['number', '0'],
      ['sign', '.'],
      ['sign', '.'],
      ['number', '5'],
    ],
  ],
  [
    'a\u00a0b\u2028c',
    [
      ['word', 'a'],
      ['word', 'b'],
      ['word', 'c'],
    ],
  ],
  [
    'é😀',
    [
      ['sign', 'é'],
      ['sign', '😀'],
    ],
  ],
])('the tokenizer reads %j', (text, tokens) => {
  expect(significant(text)).toEqual(tokens);
  expect(openOnes(text)).toEqual([]);
});

test.each<[string, YaraTokenKind, string]>([
  ['"a\n"', 'text', '"a'],
  ['"a\\\nb', 'text', '"a\\'],
  ['"a\\', 'text', '"a\\'],
  ['/a\nb', 'regex', '/a'],
  ['1 / 2', 'regex', '/ 2'],
  ['a /* b', 'comment', '/* b'],
  ['= { 01 02\n  condition: x }', 'hex', '{ 01 02'],
  ['= { 01 /* } */ $b', 'hex', '{ 01 /* } */'],
  ['= { 01 /* } $b', 'hex', '{ 01 /* } $b'],
  ['= {', 'hex', '{'],
])('the tokenizer finds an unclosed token in %j', (text, kind, open) => {
  expect(openOnes(text)[0]).toEqual([kind, open]);
});

/** A text that counts how much of it is read. */
class CountedText implements YaraText {
  readonly length: number;
  reads = 0;
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
    this.length = text.length;
  }

  charCodeAt(at: number): number {
    this.reads += 1;
    return this.#text.charCodeAt(at);
  }

  indexOf(searched: string, from = 0): number {
    const found = this.#text.indexOf(searched, from);
    this.reads += (found < 0 ? this.length : found) - from;
    return found;
  }
}

const hostile = [
  '"',
  '"""',
  '"""\\"',
  '"""\n\\',
  '\\',
  '/',
  '/*',
  '/* *',
  '= {',
  '= {/',
  '= { 0a ',
  '= { /*',
  '={//\n',
  '={0a/**/',
  '{',
  '}',
  '"\\',
  '/\\',
  '!',
  '!=',
  '$',
  '1.',
  '1',
  ' ',
  '\n',
  'a',
  'rule a{',
  '\u2028',
  '😀',
  '={ abcdefg',
];

test.each(hostile)('the tokenizer reads %j a thousand times over with few reads of each character', (repeated) => {
  for (const before of ['', '"', '"""', '/', '/*', '= {', '//']) {
    const text = new CountedText(before + repeated.repeat(1000));
    expect(Array.from(yaraTokens(text)).at(-1)?.end).toBe(text.length);
    expect(text.reads).toBeLessThan(12 * text.length);
  }
});
