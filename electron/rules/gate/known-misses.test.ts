import { expect, test } from 'vitest';
import { parsePackage } from '../parse-package.ts';
import { knownMisses } from './known-misses.ts';

function missesOf(source: string): string[] {
  const [file] = parsePackage([{ path: 'a.yar', bytes: Buffer.from(source) }]).files;
  return file?.rules.flatMap((rule) => knownMisses(file.text, rule).map(({ line, code }) => `${code} ${line}`)) ?? [];
}
const ofString = (string: string): string[] => missesOf(`rule a {\n  strings:\n    $a = ${string}\n  condition: $a\n}`);
const ofCondition = (condition: string): string[] =>
  missesOf(`import "hash"\nimport "math"\nrule a { strings: $a = "a" $b = "b" condition: ${condition} }`);

test.each([
  ['"ab" xor fullword', 'may_miss_xor_fullword'],
  ['"ab" fullword xor(1-3) ascii', 'may_miss_xor_fullword'],
  ['/a\\.\\b/', 'may_miss_word_edge'],
  ['/\\b-a/i', 'may_miss_word_edge'],
  ['/(a\\.\\b)/', 'may_miss_word_edge'],
  ['/\\bab/ wide ascii', 'may_miss_wide_word_edge'],
  ['/(?:\\bab)/ wide', 'may_miss_wide_word_edge'],
  ['/ab\\b/s wide', 'may_miss_wide_word_edge'],
  ['{ 61 [-] 62 }', 'may_miss_far_jump'],
  ['{ 61 62 63 64 [10-] 65 }', 'may_miss_far_jump'],
  ['{ 61 [0-4096] 62 63 }', 'may_miss_far_jump'],
  ['{ 61 62 [-] 63 /* x */ [-] 65 66 }', 'may_miss_far_jump'],
])('a string %s gets a warning', (string, code) => {
  expect(ofString(string)).toEqual([`${code} 3`]);
});

test.each([
  '"ab" xor',
  '"ab" fullword wide',
  '"[-] \\\\b xor fullword"',
  '/\\bab\\b/',
  '/a\\b\\.c/ wide',
  '/\\b[.]a/',
  '/\\b-?a/',
  '/a.\\b/',
  '/\\\\b/ wide',
  '/[\\b]/ wide',
  '{ 61 [0-4000] 62 }',
  '{ 61 [5000] 62 }',
  '{ 61 62 [-] 63 64 }',
  '{ 61 [0-4] 62 [-] 63 64 }',
  '{ 61 ?? 62 [-] 63 64 }',
  '{ 61 62 [-] (63 | 64 65) }',
])('a string %s gets no warning', (string) => {
  expect(ofString(string)).toEqual([]);
});

test.each([
  ['hash.md5(0, 512) == "x"', 'may_miss_hash_range'],
  ['filesize < 1MB and hash.sha256(@a[1] + 2, 0x10) == "x"', 'may_miss_hash_range'],
  ['math.serial_correlation(0, filesize) > 0.3', 'may_miss_serial_correlation'],
  ['not $a at @b', 'may_miss_absent_place'],
  ['not (($a at @b[1]))', 'may_miss_absent_place'],
])('a condition %s gets a warning', (condition, code) => {
  expect(ofCondition(condition)).toEqual([`${code} 3`]);
});

test.each([
  'hash.md5(0, filesize) == "x"',
  'filesize > 512 and hash.md5(0, 512) == "x"',
  'hash.md5("abc") == "x"',
  'math.entropy(0, 512) > 7',
  '$b and not $a at @b',
  'not $a at 0',
  '$a at @b',
  '#b > 0 and not ($a at @b)',
])('a condition %s gets no warning', (condition) => {
  expect(ofCondition(condition)).toEqual([]);
});

test('a condition with hundreds of nested brackets or "not" gets a warning, and one with a flat list none', () => {
  const brackets = (depth: number): string => `${'('.repeat(depth)}$a${')'.repeat(depth)}`;
  expect(ofCondition(brackets(301))).toEqual(['may_miss_deep_condition 3']);
  expect(ofCondition(`${'not '.repeat(301)}$a`)).toEqual(['may_miss_deep_condition 3']);
  expect(ofCondition(`${'not ($b and '.repeat(301)}$a${')'.repeat(301)}`)).toEqual(['may_miss_deep_condition 3']);
  expect(ofCondition(brackets(299))).toEqual([]);
  expect(ofCondition(Array.from({ length: 1001 }, () => 'not ($a)').join(' or '))).toEqual([]);
});
