import { afterEach, expect, test, vi } from 'vitest';
import { boundedTime, currentInstant } from './clock.ts';

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
