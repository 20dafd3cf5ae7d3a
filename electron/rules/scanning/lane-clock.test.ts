import { expect, test } from 'vitest';
import { LaneClock } from './lane-clock.ts';
import type { ProcessorUse } from './processor-use.ts';

/** A clock that follows a thread, of which the system tells this one after the other, at last that it is gone. */
function clockOver(...uses: ProcessorUse[]): LaneClock {
  const clock = new LaneClock(() => uses.shift() ?? null);
  clock.follow({ process: 1, thread: 2 });
  return clock;
}

test('of a lane that wants a processor what it had of one counts, and a quarter of what passes in any case', () => {
  const ran = (ranMs: number): ProcessorUse => ({ ranMs, wantsOne: true });
  const clock = clockOver(ran(500), ran(500), ran(550), ran(650), ran(651));
  expect([100, 100, 100, 100].map((passedMs) => clock.counted(passedMs))).toEqual([25, 50, 100, 25]);
});

test('all counts of one that waits for a disk or a message, that is gone, or that the system does not tell of', () => {
  const clock = clockOver({ ranMs: 10, wantsOne: true }, { ranMs: 10, wantsOne: false });
  expect([clock.counted(100), clock.counted(100)]).toEqual([100, 100]);
  const untold = new LaneClock(() => ({ ranMs: 0, wantsOne: true }));
  untold.follow(null);
  expect(untold.counted(100)).toBe(100);
});
