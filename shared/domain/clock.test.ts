import { afterEach, expect, test, vi } from 'vitest';
import { boundedTime, currentInstant, dayOf } from './clock.ts';

afterEach(() => void vi.useRealTimers());

test.each([
  ['+010000-01-01T00:00:00.000Z', '9999-12-30T23:59:59.999Z'],
  ['+275760-09-13T00:00:00.000Z', '9999-12-30T23:59:59.999Z'],
  ['9999-12-30T23:59:59.999Z', '9999-12-30T23:59:59.999Z'],
  ['2026-11-05T10:30:00.000Z', '2026-11-05T10:30:00.000Z'],
  ['0001-01-01T00:00:00.000Z', '0001-01-01T00:00:00.000Z'],
  ['-000001-06-01T00:00:00.000Z', '0001-01-01T00:00:00.000Z'],
  ['-271821-04-20T00:00:00.000Z', '0001-01-01T00:00:00.000Z'],
])('a clock at %s is bounded to %s', (said, taken) => {
  expect(boundedTime(Date.parse(said)).toISOString()).toBe(taken);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(said) });
  expect(currentInstant()).toBe(taken);
});

test.each([
  ['2026-11-09 23:40:12', '2026-11-09'],
  [' 2026-11-09 ', '2026-11-09'],
  ['2026-11-09T23:40-0500', '2026-11-10'],
  ['2026-11-09 00:30:00 +02:00', '2026-11-08'],
  ['2026-11-09 12:00 Z', '2026-11-09'],
  ['9999-12-30T23:00-05:00', '9999-12-30'],
  ['2026-02-31', null],
  ['2026-13-01', null],
  ['yesterday', null],
  ['', null],
])('the day of %j is %j', (sent, day) => {
  expect(dayOf(sent)).toBe(day);
});
