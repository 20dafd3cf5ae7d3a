import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { paced } from './paced.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('a paced function runs at once, then once for many calls, and never loses the last one', () => {
  const run = vi.fn<() => void>();
  const call = paced(250, run);
  call();
  expect(run).toHaveBeenCalledTimes(1);
  for (let calls = 0; calls < 100; calls += 1) call();
  expect(run).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(250);
  expect(run).toHaveBeenCalledTimes(2);
  vi.advanceTimersByTime(10_000);
  expect(run).toHaveBeenCalledTimes(2);
});

test('a paced function is not overtaken: the next run begins after a slow one has ended', async () => {
  const ends: (() => void)[] = [];
  const run = vi.fn<() => Promise<void>>(() => new Promise((resolve) => ends.push(resolve)));
  const call = paced(250, run);
  call();
  call();
  vi.advanceTimersByTime(1000);
  expect(run).toHaveBeenCalledTimes(1);
  ends[0]?.();
  await vi.advanceTimersByTimeAsync(250);
  expect(run).toHaveBeenCalledTimes(2);
});
