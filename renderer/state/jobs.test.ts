import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { bulkJob } from '../components/jobs/job.fixture.ts';
import { JobsStore } from './jobs.tsx';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const done = { ...bulkJob, state: 'done' as const };

test('a hundred updates in a second are drawn at most five times', () => {
  const store = new JobsStore();
  const drawn = vi.fn<() => void>();
  store.subscribe(drawn);
  for (let tenths = 0; tenths < 100; tenths += 1) {
    store.note({ ...bulkJob, bytes: tenths });
    vi.advanceTimersByTime(10);
  }
  expect(drawn.mock.calls.length).toBeLessThanOrEqual(5);
  vi.advanceTimersByTime(250);
  expect(store.snapshot().all[0]?.bytes).toBe(99);
});

test('unfinished jobs come first, then the newest', () => {
  const store = new JobsStore();
  store.beginList()([
    { ...done, id: 9 },
    { ...bulkJob, id: 3 },
    { ...done, id: 7 },
    { ...bulkJob, id: 5 },
  ]);
  expect(store.snapshot().all.map(({ id }) => id)).toEqual([5, 3, 9, 7]);
});

test('an update received during the list request is newer than the list', () => {
  const store = new JobsStore();
  const takeIn = store.beginList();
  store.note({ ...done, id: 1 });
  store.forget(2);
  takeIn([
    { ...bulkJob, id: 1 },
    { ...bulkJob, id: 2 },
  ]);
  vi.advanceTimersByTime(250);
  expect(store.snapshot().all).toEqual([{ ...done, id: 1 }]);
});

test('a list requested later replaces earlier updates', () => {
  const store = new JobsStore();
  store.note({ ...bulkJob, id: 1 });
  store.note({ ...bulkJob, id: 2 });
  store.beginList()([{ ...done, id: 2 }]);
  vi.advanceTimersByTime(250);
  expect(store.snapshot().all).toEqual([{ ...done, id: 2 }]);
});

test('the job list keeps no more than the host lists', () => {
  const store = new JobsStore();
  for (let id = 1; id <= 600; id += 1) store.note({ ...done, id });
  vi.advanceTimersByTime(250);
  expect(store.snapshot().all).toHaveLength(500);
  expect(store.latest(100)).toBeNull();
});
