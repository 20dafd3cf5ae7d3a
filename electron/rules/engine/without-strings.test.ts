import { expect, test } from 'vitest';
import { conditionWithoutStrings, headOf } from './without-strings.ts';

const without = (condition: string): string | boolean | null => {
  const said = conditionWithoutStrings(condition, { start: 0, end: condition.length });
  return typeof said === 'string' ? said.replaceAll(/\s+/g, ' ') : said;
};

test.each([
  ['$a', false],
  ['$a or $b at 0 or $c in (0..filesize)', false],
  ['any of them and filesize < 10', false],
  ['uint16(0) == 0x5A4D and filesize < 2MB and 2 of ($a*, $b)', false],
  ['all of them or none of ($x*)', true],
  ['not $a', true],
  ['not (1 of ($fp*))', true],
  ['#a > 3', false],
  ['#a == 0 and 3 > #b', true],
  ['@a < 100', false],
  ['uint16(@a[1] + 4) == 0x4550', false],
  ['!a[1] > 3 or $b', false],
  ['for any of them : ($ at 0)', false],
  ['for all of ($a*) : (# > 2 and @ < 10)', false],
  ['any of them in (0..100)', false],
  ['pe.is_dll() and ($a or pe.number_of_sections > 3)', '((pe.is_dll() ) and (pe.number_of_sections > 3 ))'],
  ['helper and not (small or other)', '((helper ) and (not ( ((small ) or (other )) ) ))'],
  ['filesize < 10 // small\n or $a', 'filesize < 10'],
  ['(filesize + 1) * 2 > 4 or $a', '(filesize + 1) * 2 > 4'],
  [
    'for any s in pe.sections : (s.name == ".text" and s.raw_data_size > 3) or all of them',
    'for any s in pe.sections : (s.name == ".text" and s.raw_data_size > 3)',
  ],
])('the condition %s is, without string matches, %s', (condition, said) => {
  expect(without(condition)).toBe(said);
});

test.each([
  // Undefined inside of `not` is neither: where a string lies is not to be said of one that is not found.
  'not $a at pe.entry_point',
  'not (@a < 10)',
  'not (filesize < 3 or $a)',
  'not for any of them : ($)',
  'for any i in (1..#a) : (@a[i] < 10)',
  '#a + #b > 2',
  'none of them in (0..10)',
  '50% of them',
  '0 of them',
  '(1 + 1) of them',
  'defined @a',
  '@a < 10 and not defined @b[2]',
  'with x = #a : (x > 1)',
  'for none of them : ($)',
  '#a in (0..10) == 0',
  '($a) == true',
  'for any of them : (not $)',
  '$a at @b and',
  '($a',
  '#a > 1KB',
  'console.log(@a)',
])('the condition without string matches is unknown for %s', (condition) => {
  expect(without(condition)).toBe(null);
});

test.each([
  ['brackets', (depth: number) => `${'('.repeat(depth)}$a${')'.repeat(depth)}`],
  ['not', (depth: number) => `${'not '.repeat(depth * 2)}$a`],
  ['loops', (depth: number) => `${'for any of them : ('.repeat(depth)}$${')'.repeat(depth)}`],
])('the condition without string matches is unknown for %s nested by the thousand', (_, conditionOf) => {
  expect(without(conditionOf(20))).toBe(false);
  expect(without(conditionOf(5_000))).toBe(null);
});

test.each([
  ['uint16(0) == 0x5A4D and filesize < 2MB and 2 of them', ['uint16(0)==0x5A4D', 'filesize<2MB']],
  ['$a and filesize > 10', ['filesize>10']],
  ['uint16 ( 0 ) == 0x5A4D /* MZ */ and not $a', ['uint16(0)==0x5A4D']],
  ['filesize < 10 or $a', []],
  ['(filesize < 10 and $a) and uint8(0) == 1', ['uint8(0)==1']],
  ['not filesize < 10 and $a', []],
  ['filesize < #a and pe.is_dll() and other and filesize', []],
  ['for all i in (1..2) : (i > filesize and $a) and uint32be(4) & 0xff == 1', ['uint32be(4)&0xff==1']],
])('the condition %s requires %j before its strings', (condition, head) => {
  expect(headOf(condition, { start: 0, end: condition.length })).toEqual(head);
});
