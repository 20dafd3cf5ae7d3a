import { expect, test } from 'vitest';
import { readBound } from './clock.ts';

test.each([
  ['', null],
  ['  ', null],
  ['2026-11-18', '2026-11-18T00:00:00.000Z'],
  ['2026-11-18 14:21', '2026-11-18T14:21:00.000Z'],
  ['2026-11-18T14:21:07Z', '2026-11-18T14:21:07.000Z'],
  [' 2026-11-18 14:21Z ', '2026-11-18T14:21:00.000Z'],
  ['2026-11-18T14:21:07.042Z', '2026-11-18T14:21:07.042Z'],
  ['2024-02-29', '2024-02-29T00:00:00.000Z'],
  ['2026-02-30', undefined],
  ['2026-11-18 25:00', undefined],
  ['2026-13-01', undefined],
  ['yesterday', undefined],
  ['2026-11', undefined],
  ['2026-11-18 14:21+02:00', undefined],
])('the time bound %j is read as %j', (typed, instant) => {
  expect(readBound(typed)).toBe(instant);
});
