import fc from 'fast-check';
import { expect, test } from 'vitest';
import { csvFileHead, csvLine } from './csv.ts';

test('cells are separated by commas, and null is an empty one', () => {
  expect(csvLine(['a', 0, null, ''])).toBe('a,0,,\r\n');
});

test('a file begins with a byte order mark, and a mark in a text is spelled out', () => {
  expect(csvFileHead(['a', 'ü'])).toBe('\ufeffa,ü\r\n');
  expect(csvLine(['\ufeffa'])).toBe('\\ufeffa\r\n');
});

test('a cell with a comma, a semicolon or a quote is quoted', () => {
  expect(csvLine(['a,b', 'say "x"', 'a;b'])).toBe('"a,b","say ""x""","a;b"\r\n');
});

test('pasted line ends, cell separators and invisible characters are spelled out', () => {
  expect(csvLine(['a\tb', 'a\nb', 'a\r\nb', 'a\u2028b\u2029c', 'fdp\u202eexe', 'half \ud800'])).toBe(
    'a\\u0009b,a\\u000ab,a\\u000d\\u000ab,a\\u2028b\\u2029c,fdp\\u202eexe,half \ufffd\r\n',
  );
});

test.each(['=1+1', '+1', '-1', '@SUM(A1)', '＝1+1', '＋1', '－1', '＠SUM(A1)', ' =1'])(
  '%j is no formula to a spreadsheet',
  (text) => {
    expect(csvLine([text])).toBe(`'${text}\r\n`);
  },
);

test('a formula after a semicolon is escaped, too, with or without a quote before it', () => {
  expect(csvLine(['s;=1+1;x; ＠y'])).toBe('"s;\'=1+1;x;\' ＠y"\r\n');
  expect(csvLine(['s;"=1+1'])).toBe('"s;\'""=1+1"\r\n');
});

test('no name begins a formula, wherever a reader splits lines and cells', () => {
  const piece = fc.constantFrom(
    '=',
    '+',
    '-',
    '@',
    '＝',
    '＋',
    '－',
    '＠',
    ';',
    ',',
    '"',
    "'",
    ' ',
    '\t',
    '\n',
    '\r',
    '\u2028',
    '\u2029',
    '\v',
    '\f',
    '\u0085',
    'a',
    '1',
  );
  fc.assert(
    fc.property(fc.array(fc.string({ unit: piece }), { minLength: 1, maxLength: 4 }), (names) => {
      const line = csvLine(names);
      expect(line.slice(0, -2)).not.toMatch(/[\t\n\v\f\r\u0085\u2028\u2029]/);
      for (const cell of [...cellsOf(line, ','), ...cellsOf(line, ';')])
        expect(cell).not.toMatch(/^[\s"]*[=+\-@＝＋－＠]/);
    }),
  );
});

test('cells are read back', () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: fc.constantFrom('a', ',', ';', '"', ' ') }), { minLength: 1, maxLength: 4 }),
      (names) => {
        expect(cellsOf(csvLine(names), ',')).toEqual(names);
      },
    ),
  );
});

test('a number stays one, whatever its sign', () => {
  expect(csvLine([-1])).toBe('-1\r\n');
});

/**
 * As a spreadsheet reads a line: a cell that begins with a quote extends to the next single one, and the text behind
 * that is appended to it.
 */
const cellsOf = (line: string, separator: string): string[] =>
  [
    ...`${separator}${line.slice(0, -2)}`.matchAll(
      new RegExp(`${separator}(?:"((?:[^"]|"")*)"?([^${separator}]*)|([^"${separator}][^${separator}]*)?)`, 'g'),
    ),
  ].map(([, quoted, after, plain]) =>
    quoted === undefined ? (plain ?? '') : quoted.replaceAll('""', '"') + (after ?? ''),
  );
