import { expect, test } from 'vitest';
import { WorkerClock } from './worker-clock.ts';
import type { ProcessorUse } from './processor-use.ts';

/**
 * A clock that follows a thread, about which the system reports these values one after the other, at last that it is
 * gone.
 */
function clockOver(...uses: ProcessorUse[]): WorkerClock {
  const clock = new WorkerClock(() => uses.shift() ?? null);
  clock.follow({ process: 1, thread: 2 });
  return clock;
}

test('the clock counts a running scan worker’s processor time, and at least a quarter of the time passed', () => {
  const ran = (ranMs: number): ProcessorUse => ({ ranMs, wantsOne: true });
  const clock = clockOver(ran(500), ran(500), ran(550), ran(650), ran(651));
  expect([100, 100, 100, 100].map((passedMs) => clock.counted(passedMs))).toEqual([25, 50, 100, 25]);
});

test('the clock counts all time of a scan worker that waits for I/O, is gone or is unreadable', () => {
  const clock = clockOver({ ranMs: 10, wantsOne: true }, { ranMs: 10, wantsOne: false });
  expect([clock.counted(100), clock.counted(100)]).toEqual([100, 100]);
  const untold = new WorkerClock(() => ({ ranMs: 0, wantsOne: true }));
  untold.follow(null);
  expect(untold.counted(100)).toBe(100);
});
