import { expect, test, vi } from 'vitest';
import type { ScanLane } from '../../rules/scanning/scan-lane.ts';
import { ReadyWorkers } from './ready-workers.ts';

/** Lanes that are started, in order, and how each can die. */
function startedLanes() {
  const started: { lane: ScanLane; isKilled: boolean; die(): void }[] = [];
  const start = (): ScanLane => {
    const listeners: ((code: string) => void)[] = [];
    const one = { isKilled: false, die: () => listeners.forEach((listener) => listener('killed')) };
    const lane: ScanLane = {
      post: () => {},
      onMessage: () => {},
      onExit: (listener) => void listeners.push(listener),
      kill: async () => {
        entry.isKilled = true;
        entry.die();
      },
    };
    const entry = { lane, ...one };
    started.push(entry);
    return lane;
  };
  return { started, start };
}

test('lanes that were prepared are taken first, and then others are started', () => {
  const { started, start } = startedLanes();
  const lanes = new ReadyWorkers({ start, most: 2 });
  lanes.prepare();
  lanes.prepare();
  expect(started).toHaveLength(2);
  const taken = [lanes.start(), lanes.start(), lanes.start()];
  expect(taken).toEqual(started.map(({ lane }) => lane));
  expect(new Set(taken).size).toBe(3);
});

test('one that died while it waited is not given out', () => {
  const { started, start } = startedLanes();
  const lanes = new ReadyWorkers({ start, most: 1 });
  lanes.prepare();
  started[0]?.die();
  expect(lanes.start()).toBe(started[1]?.lane);
});

test('those that nobody takes are ended after a while, and at the end of the program', async () => {
  vi.useFakeTimers();
  const { started, start } = startedLanes();
  const lanes = new ReadyWorkers({ start, most: 2, keptMs: 1000 });
  lanes.prepare();
  const taken = lanes.start();
  vi.advanceTimersByTime(999);
  lanes.prepare();
  vi.advanceTimersByTime(999);
  expect(started.map(({ isKilled }) => isKilled)).toEqual([false, false, false]);
  vi.advanceTimersByTime(1);
  expect(started.map(({ lane, isKilled }) => [lane === taken, isKilled])).toEqual([
    [true, false],
    [false, true],
    [false, true],
  ]);
  lanes.prepare();
  await lanes.close();
  expect(started.filter(({ lane, isKilled }) => lane !== taken && !isKilled)).toEqual([]);
  vi.useRealTimers();
});
