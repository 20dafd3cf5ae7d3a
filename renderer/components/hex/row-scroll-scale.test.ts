import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { rowHeight, rowScale, topShowing } from './row-scroll.ts';

const view = 600;

test('a short file scrolls pixel by pixel', () => {
  const scale = rowScale(1000, view);
  expect(scale).toMatchObject({ scrollHeight: 20_000, mostTop: 19_400, isShrunk: false });
  expect([scale.topOf(1234), scale.scrollTopOf(1234)]).toEqual([1234, 1234]);
});

test('a file that fits the view does not scroll', () => {
  expect(rowScale(3, view)).toMatchObject({ mostTop: 0, isShrunk: false });
  expect(rowScale(3, view).topOf(100)).toBe(0);
});

describe('a file of 200 MB', () => {
  const rows = 13_107_200;
  const scale = rowScale(rows, view);

  test('stays within the browser’s maximum height, with its ends at the ends of the scroll bar', () => {
    expect(scale.scrollHeight).toBeLessThan(10_000_000);
    expect(scale.topOf(0)).toBe(0);
    expect(scale.topOf(scale.scrollHeight - view)).toBe(rows * rowHeight - view);
  });

  test('has a scroll bar position for each of its rows', () => {
    fc.assert(
      fc.property(fc.nat(rows - 1), (row) => {
        const top = Math.min(row * rowHeight, scale.mostTop);
        expect(scale.topOf(scale.scrollTopOf(top))).toBeCloseTo(top, 3);
      }),
    );
  });
});

test('a revealed row is fully visible, and an already visible one causes no scrolling', () => {
  fc.assert(
    fc.property(fc.nat(100_000), fc.nat(2_000_000), fc.constantFrom(null, 200), (row, top, apart) => {
      const shown = topShowing(row, { top, viewHeight: view, apart });
      expect(row * rowHeight >= shown && (row + 1) * rowHeight <= shown + view).toBe(true);
      if (row * rowHeight >= top && (row + 1) * rowHeight <= top + view) expect(shown).toBe(top);
    }),
  );
});
