import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { stretchesOf, stretchesWithin } from './hex-mark.ts';

const marks = fc.array(fc.record({ offset: fc.nat(100), length: fc.nat(12) }), { maxLength: 30 });

test('a byte is in a range when it is in a mark, in any order of the marks', () => {
  fc.assert(
    fc.property(marks, fc.nat(110), (spans, byte) => {
      const isMarked = spans.some(({ offset, length }) => byte >= offset && byte < offset + Math.max(1, length));
      expect(stretchesOf(spans).some(({ start, end }) => byte >= start && byte < end)).toBe(isMarked);
    }),
  );
});

test('the ranges that overlap a window are found, and no others', () => {
  fc.assert(
    fc.property(marks, fc.nat(100), fc.integer({ min: 1, max: 40 }), (spans, start, length) => {
      const stretches = stretchesOf(spans);
      expect(stretchesWithin(stretches, start, start + length)).toEqual(
        stretches.filter((each) => each.end > start && each.start < start + length),
      );
    }),
  );
});
