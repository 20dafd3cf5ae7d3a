import { afterEach, expect, test, vi } from 'vitest';
import { StepSize } from './step-size.ts';

afterEach(() => void vi.restoreAllMocks());

test('steps grow while they are short, up to the maximum, and shrink at once after a long one', () => {
  let clock = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => clock);
  const size = new StepSize(50);
  const stepOf = (took: number): number => {
    size.step(() => void (clock += took));
    return size.now;
  };
  expect([1, 1, 1, 1, 1, 1, 1].map(stepOf)).toEqual([2, 4, 8, 16, 32, 50, 50]);
  expect([10, 100, 500, 1].map(stepOf)).toEqual([50, 2, 1, 2]);
  expect(() =>
    size.step(() => {
      clock += 100;
      throw new Error('full');
    }),
  ).toThrow('full');
  expect(size.now).toBe(1);
});
