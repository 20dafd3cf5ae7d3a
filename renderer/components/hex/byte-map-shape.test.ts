import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { byteClasses, type StripPart } from '../../../shared/domain/byte-classes.ts';
import { classBars, entropyLine, offsetForKey, partAt } from './byte-map.tsx';

const parts = fc.array(
  fc.record({ byteClass: fc.constantFrom(...byteClasses), entropy: fc.double({ min: 0, max: 8, noNaN: true }) }),
  { minLength: 1, maxLength: 512 },
);
const [low, high]: [StripPart, StripPart] = [
  { byteClass: 'zero', entropy: 0 },
  { byteClass: 'high', entropy: 8 },
];

test('the bars are side by side from edge to edge, and neighbours differ', () => {
  fc.assert(
    fc.property(parts, fc.integer({ min: 1, max: 3000 }), (given, width) => {
      const bars = classBars(given, width);
      let at = 0;
      for (const [index, bar] of bars.entries()) {
        expect(bar.left).toBe(at);
        expect(bar.width).toBeGreaterThan(0);
        if (index > 0) expect(bar.byteClass).not.toBe(bars[index - 1]?.byteClass);
        at += bar.width;
      }
      expect(at).toBe(width);
    }),
  );
});

test('the line is high where the entropy is, and each point is over its part', () => {
  expect(entropyLine([low, high], 100, 24)).toBe('25,24 75,0');
});

test('a byte belongs to the part that contains it', () => {
  expect([
    partAt([low, high], 49, 100),
    partAt([low, high], 50, 100),
    partAt([low, high], 99, 100),
    partAt([], 0, 100),
  ]).toEqual([low, high, high, undefined]);
});

test('keys move by a part, and no key leaves the file', () => {
  expect([
    offsetForKey('ArrowRight', 0, 51_200),
    offsetForKey('PageUp', 0, 51_200),
    offsetForKey('End', 0, 51_200),
    offsetForKey('x', 0, 51_200),
  ]).toEqual([100, 1600, 51_199, null]);
  fc.assert(
    fc.property(
      fc.constantFrom('ArrowLeft', 'ArrowRight', 'PageUp', 'PageDown', 'Home', 'End'),
      fc.integer({ min: 1, max: 1e6 }),
      fc.nat(),
      (key, sizeBytes, place) => {
        const to = offsetForKey(key, place % sizeBytes, sizeBytes) ?? -1;
        expect(to >= 0 && to < sizeBytes).toBe(true);
      },
    ),
  );
});
