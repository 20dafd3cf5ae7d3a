import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type CountRange, readCountRange, readSizeRange } from './query-values.ts';

test.each<[string, CountRange]>([
  ['1024', { least: 1024, most: 1024 }],
  ['=0', { least: 0, most: 0 }],
  ['>1MB', { least: 1_000_001, most: null }],
  ['>=1mb', { least: 1_000_000, most: null }],
  ['<1KiB', { least: null, most: 1023 }],
  ['<= 1 kib', { least: null, most: 1024 }],
  ['10k..2MiB', { least: 10_000, most: 2_097_152 }],
  ['2MiB .. 10kB', { least: 10_000, most: 2_097_152 }],
  ['1G..', { least: 1_000_000_000, most: null }],
  ['..1GiB', { least: null, most: 1_073_741_824 }],
  ['1.5MB', { least: 1_500_000, most: 1_500_000 }],
  ['1.1MB', { least: 1_100_000, most: 1_100_000 }],
  ['0.1KiB', { least: 102, most: 102 }],
  ['1B..1TiB', { least: 1, most: 2 ** 40 }],
])('the size range %s', (text, range) => {
  expect(readSizeRange(text)).toEqual(range);
});

test.each([
  '',
  'x',
  '>',
  '..',
  '1..x',
  'x..1',
  '1...2',
  '1..2..3',
  '-1',
  '<0',
  '>-1',
  '1,5MB',
  '.5MB',
  '1 M B',
  '1Mib B',
  '1e999MB',
  '1e3',
  '0x10',
  '٣',
  'Infinity',
  'NaN',
  '99999999999999999GB',
  '>9007199254740991',
  '1..99999999999999999',
  '=>1',
])('the text %j is not a size', (text) => {
  expect(readSizeRange(text)).toBeNull();
});

test.each<[string, CountRange | null]>([
  ['>3', { least: 4, most: null }],
  ['5..1', { least: 1, most: 5 }],
  ['0', { least: 0, most: 0 }],
  ['1.5', null],
  ['1k', null],
  ['<0', null],
  ['9'.repeat(400), null],
])('the count range %s', (text, range) => {
  expect(readCountRange(text)).toEqual(range);
});

const holds = ({ least, most }: CountRange, value: number): boolean =>
  value >= (least ?? 0) && value <= (most ?? Infinity);

test('a range contains exactly the numbers it states', () => {
  const number = fc.integer({ min: 1, max: 20 });
  fc.assert(
    fc.property(number, number, number, (one, other, value) => {
      const compared = {
        '>': value > one,
        '>=': value >= one,
        '<': value < one,
        '<=': value <= one,
        '=': value === one,
      };
      for (const [sign, expected] of Object.entries(compared))
        expect(holds(readCountRange(`${sign}${one}`) ?? { least: 99, most: 0 }, value)).toBe(expected);
      const between = readCountRange(`${one}..${other}`) ?? { least: 99, most: 0 };
      expect(holds(between, value)).toBe(value >= Math.min(one, other) && value <= Math.max(one, other));
    }),
  );
});
