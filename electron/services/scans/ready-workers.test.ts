import { expect, test, vi } from 'vitest';
import type { ScanWorker } from '../../rules/scanning/worker-messages.ts';
import { ReadyWorkers } from './ready-workers.ts';

/** Scan workers that are started, in order, and how each can die. */
function startedWorkers() {
  const started: { worker: ScanWorker; isKilled: boolean; die(): void }[] = [];
  const start = (): ScanWorker => {
    const listeners: ((code: string) => void)[] = [];
    const one = { isKilled: false, die: () => listeners.forEach((listener) => listener('killed')) };
    const worker: ScanWorker = {
      post: () => {},
      onMessage: () => {},
      onExit: (listener) => void listeners.push(listener),
      kill: async () => {
        entry.isKilled = true;
        entry.die();
      },
    };
    const entry = { worker, ...one };
    started.push(entry);
    return worker;
  };
  return { started, start };
}

test('prepared scan workers are used first, and then others are started', () => {
  const { started, start } = startedWorkers();
  const workers = new ReadyWorkers({ start, most: 2 });
  workers.prepare();
  workers.prepare();
  expect(started).toHaveLength(2);
  const taken = [workers.start(), workers.start(), workers.start()];
  expect(taken).toEqual(started.map(({ worker }) => worker));
  expect(new Set(taken).size).toBe(3);
});

test('a scan worker that died while waiting is not used', () => {
  const { started, start } = startedWorkers();
  const workers = new ReadyWorkers({ start, most: 1 });
  workers.prepare();
  started[0]?.die();
  expect(workers.start()).toBe(started[1]?.worker);
});

test('unused scan workers are ended after a while, and at the end of the program', async () => {
  vi.useFakeTimers();
  const { started, start } = startedWorkers();
  const workers = new ReadyWorkers({ start, most: 2, keptMs: 1000 });
  workers.prepare();
  const taken = workers.start();
  vi.advanceTimersByTime(999);
  workers.prepare();
  vi.advanceTimersByTime(999);
  expect(started.map(({ isKilled }) => isKilled)).toEqual([false, false, false]);
  vi.advanceTimersByTime(1);
  expect(started.map(({ worker, isKilled }) => [worker === taken, isKilled])).toEqual([
    [true, false],
    [false, true],
    [false, true],
  ]);
  workers.prepare();
  await workers.close();
  expect(started.filter(({ worker, isKilled }) => worker !== taken && !isKilled)).toEqual([]);
  vi.useRealTimers();
});
