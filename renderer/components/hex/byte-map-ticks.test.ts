import fc from 'fast-check';
import { expect, test } from 'vitest';
import { trackTicks, leastTick, nearestMatch, tickOf } from './byte-map.tsx';

test('ticks that would touch merge into one that covers the bytes from the first to the last', () => {
  const ticks = trackTicks(
    [
      { offset: 0xbd210, length: 5 },
      { offset: 0xbd21a, length: 4 },
      { offset: 0xbd248, length: 12 },
    ],
    1_208_320,
    578,
  );
  expect(ticks).toHaveLength(1);
  expect(ticks[0]).toMatchObject({ count: 3, first: 0, from: 0xbd210, to: 0xbd254 });
  expect((ticks[0]?.to ?? 0) - (ticks[0]?.from ?? 0)).toBe(68);
});

test('a tick with a pixel before the next one stays separate', () => {
  expect(
    trackTicks(
      [
        { offset: 0, length: 1 },
        { offset: 4, length: 1 },
        { offset: 7, length: 1 },
      ],
      100,
      100,
    ).map(({ left, width, count }) => [left, width, count]),
  ).toEqual([
    [0, 3, 1],
    [4, 6, 2],
  ]);
});

test('a long match is as wide as its bytes', () => {
  expect(trackTicks([{ offset: 10, length: 50 }], 100, 200)[0]).toMatchObject({ left: 20, width: 100 });
});

test('a position in the track selects the nearest tick, and a match is found in its tick', () => {
  const ticks = trackTicks(
    [
      { offset: 10, length: 1 },
      { offset: 11, length: 1 },
      { offset: 80, length: 1 },
    ],
    100,
    100,
  );
  expect(nearestMatch(ticks, 40)).toBe(0);
  expect(nearestMatch(ticks, 60)).toBe(2);
  expect(nearestMatch([], 60)).toBeNull();
  expect(tickOf(ticks, 1)?.first).toBe(0);
  expect(tickOf(ticks, 2)?.first).toBe(2);
  expect(tickOf(ticks, 3)).toBeUndefined();
});

const spans = fc.array(fc.record({ offset: fc.nat({ max: 2 ** 40 }), length: fc.nat({ max: 4096 }) }), {
  maxLength: 60,
});

test('ticks are side by side in the track and miss no match, for any service result', () => {
  fc.assert(
    fc.property(spans, fc.nat({ max: 2 ** 32 }), fc.integer({ min: 8, max: 2000 }), (matches, sizeBytes, width) => {
      const ticks = trackTicks(
        matches.toSorted((one, other) => one.offset - other.offset),
        sizeBytes,
        width,
      );
      expect(ticks.reduce((sum, { count }) => sum + count, 0)).toBe(matches.length);
      let end = -1;
      for (const tick of ticks) {
        expect(tick.width).toBeGreaterThanOrEqual(Math.min(leastTick, width));
        expect(tick.left).toBeGreaterThanOrEqual(end + 1 - 1e-6);
        expect(tick.left + tick.width).toBeLessThanOrEqual(width + 1e-6);
        end = tick.left + tick.width;
      }
    }),
  );
});
