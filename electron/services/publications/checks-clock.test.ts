import { expect, test } from 'vitest';
import { CheckClock } from './checks.ts';

const hour = 3_600_000;
const start = Date.parse('2026-11-22T08:00:00.000Z');

/** A clock that a test turns, over workspaces that it names. */
function turned(scheduled: { workspaceId: string; everyHours: number; lastAt: string | null }[]) {
  let now = start;
  const alarms = new Set<{ at: number; act: () => void }>();
  const checked: string[] = [];
  const clock = new CheckClock(
    { scheduled: () => scheduled },
    (workspaceId) => {
      checked.push(`${workspaceId} ${(now - start) / hour}`);
      for (const one of scheduled) if (one.workspaceId === workspaceId) one.lastAt = new Date(now).toISOString();
    },
    {
      now: () => now,
      after: (milliseconds, act) => {
        const alarm = { at: now + milliseconds, act };
        alarms.add(alarm);
        return () => void alarms.delete(alarm);
      },
    },
  );
  const turnTo = (hours: number): void => {
    for (;;) {
      const next = [...alarms].toSorted((one, other) => one.at - other.at)[0];
      if (next === undefined || next.at > start + hours * hour) break;
      alarms.delete(next);
      now = next.at;
      next.act();
    }
    now = start + hours * hour;
  };
  return { clock, checked, turnTo, waiting: () => alarms.size };
}

test('a workspace is checked after its hours have passed, and again after as many', () => {
  const { clock, checked, turnTo } = turned([
    { workspaceId: 'team', everyHours: 6, lastAt: new Date(start - 2 * hour).toISOString() },
  ]);
  clock.wind();
  turnTo(16);
  expect(checked).toEqual(['team 4', 'team 10', 'team 16']);
});

test('a workspace never checked, or overdue, is checked soon after the start and not at once', () => {
  const { clock, checked, turnTo } = turned([
    { workspaceId: 'never', everyHours: 24, lastAt: null },
    { workspaceId: 'overdue', everyHours: 1, lastAt: null },
  ]);
  clock.wind();
  expect(checked).toEqual([]);
  turnTo(0.5);
  expect(checked.map((line) => line.split(' ')[0])).toEqual(['never', 'overdue']);
});

test('a last check in the future does not postpone the next forever', () => {
  const { clock, checked, turnTo } = turned([
    { workspaceId: 'team', everyHours: 1, lastAt: '2036-01-01T00:00:00.000Z' },
  ]);
  clock.wind();
  turnTo(0.5);
  expect(checked).toHaveLength(1);
});

test('no timer runs when no workspace wants checks, or after a stop', () => {
  const none = turned([]);
  none.clock.wind();
  expect(none.waiting()).toBe(0);
  const stopped = turned([{ workspaceId: 'team', everyHours: 1, lastAt: null }]);
  stopped.clock.wind();
  stopped.clock.stop();
  expect(stopped.waiting()).toBe(0);
});
