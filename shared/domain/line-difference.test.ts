import fc from 'fast-check';
import { expect, test } from 'vitest';
import { lineCounts, lineDifference } from './line-difference.ts';

const linesOf = (text: string): string[] => text.split('\n');
const marks = { same: ' ', removed: '-', added: '+' };

/** Each line as `-12|text`, its changed words in brackets. */
function shown(old: string, next: string, first = { old: 1, next: 1 }): string[] {
  const [was, is] = [linesOf(old), linesOf(next)];
  return lineDifference({ first: first.old, lines: was }, { first: first.next, lines: is }).map(
    ({ kind, old: a, new: b, at }) => {
      const text = (kind === 'removed' ? was[(a ?? 0) - first.old] : is[(b ?? 0) - first.next]) ?? '?';
      const marked = [...at]
        .reverse()
        .reduce((line, [from, to]) => `${line.slice(0, from)}[${line.slice(from, to)}]${line.slice(to)}`, text);
      return `${marks[kind]}${kind === 'removed' ? a : b}|${marked}`;
    },
  );
}

test('a removed line comes before its added replacement, and both mark the changed words', () => {
  const old = [
    'rule ashveil',
    '  revision = "3"',
    '  $head = { 5A 1C ?? 00 7F }',
    '  $key = { 80 34 08 5C }',
    '  $path = "/sync/" wide',
    '  filesize < 1MB and',
    '  all of them',
    '}',
  ];
  const next = [
    'rule ashveil',
    '  revision = "4"',
    '  $head = { 5A 1C ?? 00 7F }',
    '  $key = { 80 34 ?? ?? }',
    '  $tail = "cfg/end" ascii',
    '  $path = "/sync/" wide',
    '  filesize < 4MB and',
    '  $head and $key and any of ($tail, $path)',
    '}',
  ];
  expect(shown(old.join('\n'), next.join('\n'), { old: 12, next: 12 })).toEqual([
    ' 12|rule ashveil',
    '-13|  revision = ["3"]',
    '+13|  revision = ["4"]',
    ' 14|  $head = { 5A 1C ?? 00 7F }',
    '-15|  $key = { 80 34 [08 5C] }',
    '+15|  $key = { 80 34 [?? ??] }',
    '+16|  $tail = "cfg/end" ascii',
    ' 17|  $path = "/sync/" wide',
    '-17|  filesize < [1MB] and',
    '+18|  filesize < [4MB] and',
    '-18|  all of them',
    '+19|  $head and $key and any of ($tail, $path)',
    ' 20|}',
  ]);
  expect(lineCounts(old, next)).toEqual({ added: 5, removed: 4 });
});

test('the first of two possible replacements is chosen; a line without one stays alone', () => {
  expect(shown('a = "x"\nlost', 'brand new line here\na = "y"\na = "z"')).toEqual([
    '+1|brand new line here',
    '-1|a = ["x"]',
    '+2|a = ["y"]',
    '-2|lost',
    '+3|a = "z"',
  ]);
});

test('a line with only different whitespace is a changed line without a changed word', () => {
  expect(shown('condition:\n  all of them', 'condition:\n\tall  of them')).toEqual([
    ' 1|condition:',
    '-2|  all of them',
    '+2|\tall  of them',
  ]);
});

const line = fc.constantFrom('a', 'b', 'c', '', '{', 'x = "1"', 'x = "2"', 'x = "2" wide', '𝒳 = ä');
const text = fc.array(line, { maxLength: 40 });

test('each line has its number, and kept with removed lines give the old text, with added ones the new', () => {
  fc.assert(
    fc.property(text, text, (old, next) => {
      const lines = lineDifference({ first: 7, lines: old }, { first: 9, lines: next });
      const left = lines.filter(({ kind }) => kind !== 'added');
      const right = lines.filter(({ kind }) => kind !== 'removed');
      expect(left.map((each) => each.old)).toEqual(old.map((_, index) => index + 7));
      expect(right.map((each) => each.new)).toEqual(next.map((_, index) => index + 9));
      for (const each of lines)
        if (each.kind === 'same') expect(old[(each.old ?? 0) - 7]).toBe(next[(each.new ?? 0) - 9]);
      expect(lineCounts(old, next)).toEqual({
        added: lines.filter(({ kind }) => kind === 'added').length,
        removed: lines.filter(({ kind }) => kind === 'removed').length,
      });
    }),
  );
});

/** By the table that Myers' way spares. */
function longestCommon(old: readonly string[], next: readonly string[]): number {
  let row = next.map(() => 0);
  for (const a of old) {
    let diagonal = 0;
    let left = 0;
    row = row.map((above, index) => {
      left = a === next[index] ? diagonal + 1 : Math.max(left, above);
      diagonal = above;
      return left;
    });
  }
  return row.at(-1) ?? 0;
}

test('as many lines as possible stay unchanged', () => {
  fc.assert(
    fc.property(text, text, (old, next) => {
      expect(old.length - lineCounts(old, next).removed).toBe(longestCommon(old, next));
    }),
  );
});

test('ranges lie inside of their line, in order, on whole words', () => {
  const hashText = fc.string({
    unit: fc.constantFrom('a', 'b', ' ', '"', '?', '$', '𝒳', '\u0301', '\ud800', '(', '\t'),
    maxLength: 60,
  });
  fc.assert(
    fc.property(hashText, hashText, (a, b) => {
      for (const { kind, at } of lineDifference({ first: 1, lines: [a] }, { first: 1, lines: [b] })) {
        const whole = kind === 'removed' ? a : b;
        let end = 0;
        for (const [from, to] of at) {
          expect(from).toBeGreaterThanOrEqual(end);
          expect(to).toBeGreaterThan(from);
          expect(whole.slice(from, to).trim()).toBe(whole.slice(from, to));
          end = to;
        }
        expect(end).toBeLessThanOrEqual(whole.length);
      }
    }),
  );
});

test('texts with almost nothing in common keep their common start and end within a time limit', () => {
  const many = (name: string): string[] => [
    'rule a {',
    ...Array.from({ length: 20_001 }, (_, index) => (index % 2 === 0 ? `${name} ${index}` : 'same')),
    '}',
  ];
  const [old, next] = [many('old'), many('new')];
  expect(lineCounts(old, next)).toEqual({ added: 20_001, removed: 20_001 });
  expect(lineDifference({ first: 1, lines: old }, { first: 1, lines: next }).length).toBe(40_004);
});

test('a few changes in a long text are found in their places', () => {
  const old = Array.from({ length: 100_000 }, (_, index) => `line ${index}`);
  const next = old.with(40_000, 'other').toSpliced(70_000, 3);
  expect(lineCounts(old, next)).toEqual({ added: 1, removed: 4 });
});

test('behind the first 2,000 characters of a line, what lies between its common ends is marked', () => {
  const long = 'word '.repeat(400);
  expect(shown(`${long}one two end`, `${long}six two ten end`).map((each) => each.replace(long, ''))).toEqual([
    '-1|[one two] end',
    '+1|[six two ten] end',
  ]);
});

test.each([
  ['a letter', 'Q', 'Z'],
  ['a letter more', '', 'Z'],
  ['a character of two units', '\u{1f600}', '\u{1f601}'],
])('%s in a word of 600 characters is marked by itself', (_what, was, is) => {
  const [start, end] = ['aB3'.repeat(150), 'xY7'.repeat(50)];
  const mark = (part: string): string => (part === '' ? '' : `[${part}]`);
  expect(shown(`  $a = "${start}${was}${end}" wide`, `  $a = "${start}${is}${end}" wide`)).toEqual([
    `-1|  $a = "${start}${mark(was)}${end}" wide`,
    `+1|  $a = "${start}${mark(is)}${end}" wide`,
  ]);
});

test('a long word among others that changed is marked where it changed', () => {
  const [same, word] = ['same'.repeat(100), 'aB3'.repeat(60)];
  expect(shown(`one ${same} ${word}Q${word} last`, `two ${same} ${word}Z${word} last`)).toEqual([
    `-1|[one] ${same} ${word}[Q]${word} last`,
    `+1|[two] ${same} ${word}[Z]${word} last`,
  ]);
});

test('long words that have little in common are not marked in parts', () => {
  const [was, is] = ['aB3'.repeat(100), 'xY7'.repeat(100)];
  expect(shown(`$a = "${was}"`, `$a = "${is}"`)).toEqual([`-1|$a = "${was}"`, `+1|$a = "${is}"`]);
});

test('lines of a million characters are compared within a time limit', () => {
  const long = 'a'.repeat(1_000_000);
  const lines = (mark: string): string[] => Array.from({ length: 20 }, (_, at) => `${at}${long}${mark}`);
  const begun = performance.now();
  expect(lineDifference({ first: 1, lines: lines('x') }, { first: 1, lines: lines('y') })).toHaveLength(40);
  expect(performance.now() - begun).toBeLessThan(5000);
});
