import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { cursorForKey } from './hex-keys.ts';

const at = (cursor: number, key: string, isFar = false): number | null =>
  cursorForKey(key, isFar, { cursor, sizeBytes: 100, page: 4 });

test('arrows move by a byte and by a row, page keys by a page, Home and End within the row', () => {
  expect([at(40, 'ArrowLeft'), at(40, 'ArrowRight'), at(40, 'ArrowUp'), at(40, 'ArrowDown')]).toEqual([39, 41, 24, 56]);
  expect([at(5, 'PageDown'), at(70, 'PageUp')]).toEqual([69, 6]);
  expect([at(40, 'Home'), at(40, 'End'), at(97, 'End')]).toEqual([32, 47, 99]);
  expect([at(40, 'Home', true), at(40, 'End', true)]).toEqual([0, 99]);
});

test('at the ends the column is kept as far as there are bytes', () => {
  expect([at(3, 'ArrowUp'), at(20, 'PageUp'), at(85, 'ArrowDown'), at(33, 'PageDown'), at(82, 'ArrowDown')]).toEqual([
    3, 4, 99, 97, 98,
  ]);
});

test('another key moves nowhere, and no key leaves the file', () => {
  expect(at(1, 'a')).toBeNull();
  const keys = fc.constantFrom('ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'PageUp', 'PageDown', 'Home', 'End');
  fc.assert(
    fc.property(keys, fc.boolean(), fc.integer({ min: 1, max: 300 }), fc.nat(), (key, isFar, sizeBytes, place) => {
      const to = cursorForKey(key, isFar, { cursor: place % sizeBytes, sizeBytes, page: 7 }) ?? -1;
      expect(to >= 0 && to < sizeBytes).toBe(true);
    }),
  );
});
