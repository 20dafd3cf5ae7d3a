import { expect, test } from 'vitest';
import type { HostEvent } from '../event-hub.ts';
import { jobNews } from './host-news.fixture.ts';
import { TaskbarProgress } from './taskbar-progress.ts';

function shown(...events: HostEvent[]): number[] {
  const shares: number[] = [];
  const progress = new TaskbarProgress((share) => shares.push(share));
  for (const event of events) progress.hear(event);
  return shares;
}

test('the bar goes with the items of a job and is gone with it', () => {
  expect(shown(jobNews(), jobNews({ settled: 1 }), jobNews({ settled: 4 }), jobNews({ state: 'done', settled: 4 }))).toEqual([0, 0.25, 1, -1]);
});

test('several jobs have one bar', () => {
  expect(shown(jobNews({ settled: 2 }), jobNews({ id: 219, items: 12 }), jobNews({ state: 'cancelled' }))).toEqual([0.5, 0.12, 0]);
});

test('what is not to be seen is not told', () => {
  expect(shown(jobNews({ items: 10_000, settled: 100 }), jobNews({ items: 10_000, settled: 101 }), { name: 'library.changed', payload: {} })).toEqual([0.01]);
});

test('a job that halts or is forgotten has no bar; one without items yet has one without a measure', () => {
  expect(shown(jobNews({ items: 0 }), jobNews({ state: 'paused', failure: { kind: 'disk-full', path: '/' } }))).toEqual([2, -1]);
  expect(shown(jobNews(), { name: 'job.forgotten', payload: { id: 218 } })).toEqual([0, -1]);
  expect(shown(jobNews({ state: 'waiting' }))).toEqual([]);
});
