import { expect, test } from 'vitest';
import { HeldStart, HeldStarts } from './scan-store.tsx';

test('while one is on its way another one does not begin', () => {
  const start = new HeldStart();
  expect([start.begin(), start.begin()]).toEqual([true, false]);
  start.end(null);
  expect(start.begin()).toBe(true);
});

test('why it did not begin is kept until the next one begins, and who listens is told of each step', () => {
  const start = new HeldStart();
  let told = 0;
  start.subscribe(() => (told += 1));
  start.begin();
  start.end({ kind: 'no-rules' });
  expect(start.state()).toEqual({ isStarting: false, failure: { kind: 'no-rules' } });
  start.begin();
  expect(start.state()).toEqual({ isStarting: true, failure: null });
  expect(told).toBe(3);
});

test('scans and hunts of each workspace begin by themselves', () => {
  const starts = new HeldStarts();
  starts.of('scans.start', 'lab').begin();
  expect(starts.of('scans.start', 'lab').state().isStarting).toBe(true);
  expect(starts.of('hunts.start', 'lab').state().isStarting).toBe(false);
  expect(starts.of('scans.start', 'team').state().isStarting).toBe(false);
});
