import { expect, test } from 'vitest';
import type { HostEvent } from '../event-hub.ts';
import { TaskbarProgress } from './background-news.ts';
import { jobNews } from './host-news.fixture.ts';
import { emitter } from './stand-ins.fixture.ts';

function openWindow() {
  const shares: number[] = [];
  return emitter({ shares, setProgressBar: (share: number) => void shares.push(share) });
}

function shown(...events: HostEvent[]): number[] {
  const progress = new TaskbarProgress();
  const window = openWindow();
  progress.follow(window);
  for (const event of events) progress.hear(event);
  return window.shares;
}

test('the bar goes with the items of a job and is gone with it', () => {
  expect(
    shown(jobNews(), jobNews({ settled: 1 }), jobNews({ settled: 4 }), jobNews({ state: 'done', settled: 4 })),
  ).toEqual([0, 0.25, 1, -1]);
});

test('several jobs have one bar', () => {
  expect(shown(jobNews({ settled: 2 }), jobNews({ id: 219, items: 12 }), jobNews({ state: 'cancelled' }))).toEqual([
    0.5, 0.12, 0,
  ]);
});

test('what is not to be seen is not told', () => {
  expect(
    shown(jobNews({ items: 10_000, settled: 100 }), jobNews({ items: 10_000, settled: 101 }), {
      name: 'library.changed',
      payload: {},
    }),
  ).toEqual([0.01]);
});

test('a job that halts or is forgotten has no bar; one without items yet has one without a measure', () => {
  expect(shown(jobNews({ items: 0 }), jobNews({ state: 'paused', failure: { kind: 'disk-full', path: '/' } }))).toEqual(
    [2, -1],
  );
  expect(shown(jobNews(), { name: 'job.forgotten', payload: { id: 218 } })).toEqual([0, -1]);
  expect(shown(jobNews({ state: 'waiting' }))).toEqual([]);
});

test('a window that closes removes its bar, which the dock would keep, and the next one shows progress', () => {
  const progress = new TaskbarProgress();
  const [first, second] = [openWindow(), openWindow()];
  progress.follow(first);
  progress.hear(jobNews({ settled: 1 }));
  first.emit('close', { defaultPrevented: false });
  progress.hear(jobNews({ settled: 2 }));
  expect(first.shares).toEqual([0.25, -1]);
  progress.follow(second);
  progress.hear(jobNews({ settled: 4, state: 'done' }));
  expect([first.shares, second.shares]).toEqual([
    [0.25, -1],
    [0.5, -1],
  ]);
});

test('a window that shall not close keeps its bar', () => {
  const progress = new TaskbarProgress();
  const window = openWindow();
  progress.follow(window);
  progress.hear(jobNews({ settled: 1 }));
  window.emit('close', { defaultPrevented: true });
  progress.hear(jobNews({ settled: 2 }));
  expect(window.shares).toEqual([0.25, 0.5]);
});

test('what is told before a window is seen is told again then: Windows has no place for it before', () => {
  const progress = new TaskbarProgress();
  const window = openWindow();
  progress.follow(window);
  progress.hear(jobNews({ settled: 3 }));
  window.emit('show');
  expect(window.shares).toEqual([0.75, 0.75]);
});
