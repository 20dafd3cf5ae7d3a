import fc from 'fast-check';
import { expect, test } from 'vitest';
import { tag as tagSchema } from '../../../shared/domain/tag.ts';
import { anyUnit } from '../../../shared/testing/any-unit.ts';
import { mostAtOnce, readTag, splitTyped } from './tag-field-typing.ts';
import { chipsThatFit } from './tag-field.tsx';

test('readTag returns a tag in the form in which it is sent', () => {
  expect(readTag('  Family:Quillpost ')).toEqual({ kind: 'tag', tag: 'family:quillpost' });
  expect(readTag(' \t')).toEqual({ kind: 'none' });
});

test.each([
  ['tlp:red', 'red'],
  ['TLP:Amber+Strict', 'amber+strict'],
  ['tlp:white', 'clear'],
])('readTag reads %s as a TLP', (typed, level) => {
  expect(readTag(typed)).toEqual({ kind: 'tlp', level });
});

test.each([
  ['tlp:purple', 'Valid TLP levels: clear, green, amber, amber+strict, red'],
  ['x'.repeat(101), 'Enter a tag of at most 100 characters'],
  ['a\0b', 'Enter a tag of readable characters'],
])('readTag refuses %j with a reason', (typed, reason) => {
  expect(readTag(typed)).toEqual({ kind: 'invalid', reason });
});

test('readTag turns any typed text into a valid tag or a reason', () => {
  fc.assert(
    fc.property(fc.string({ unit: anyUnit, maxLength: 200 }), (typed) => {
      for (const part of splitTyped(`${typed},`).ended) {
        const read = readTag(part);
        expect(read.kind !== 'tag' || tagSchema.safeParse(read.tag).success).toBe(true);
      }
    }),
  );
});

test('commas and pasted line ends separate tags, up to the limit of one call', () => {
  expect(splitTyped('a, b,\r\nc\td')).toEqual({ ended: ['a', ' b', 'c'], rest: 'd', isCut: false });
  const many = splitTyped('a,'.repeat(1_000_000));
  expect([many.ended.length, many.isCut]).toEqual([mostAtOnce, true]);
});

test.each([
  [[50, 50, 50], 158, 3],
  [[50, 50, 50], 157, 2],
  [[50, 50, 50], 126, 2],
  [[50, 50, 50], 125, 1],
  [[50, ...Array.from({ length: 10 }, () => 50)], 77, 0],
  [[50, ...Array.from({ length: 10 }, () => 50)], 78, 1],
  [[300, 50], 158, 0],
  [[], 0, 0],
])('chipsThatFit for widths %j on a line of %d returns %d', (widths, available, count) => {
  expect(chipsThatFit(widths, available)).toBe(count);
});
