import { expect, test } from 'vitest';
import { HeldStart, HeldStarts } from './scan-store.tsx';

test('a start is refused while another one is pending', () => {
  const start = new HeldStart();
  expect([start.begin(), start.begin()]).toEqual([true, false]);
  start.end(null);
  expect(start.begin()).toBe(true);
});

test('a failed start keeps its reason until the next one, and listeners are notified of each step', () => {
  const start = new HeldStart();
  let reported = 0;
  start.subscribe(() => (reported += 1));
  start.begin();
  start.end({ kind: 'no-rules' });
  expect(start.state()).toEqual({ isStarting: false, failure: { kind: 'no-rules' } });
  start.begin();
  expect(start.state()).toEqual({ isStarting: true, failure: null });
  expect(reported).toBe(3);
});

test('scans and hunts of each workspace start independently', () => {
  const starts = new HeldStarts();
  starts.of('scans.start', 'lab').begin();
  expect(starts.of('scans.start', 'lab').state().isStarting).toBe(true);
  expect(starts.of('hunts.start', 'lab').state().isStarting).toBe(false);
  expect(starts.of('scans.start', 'team').state().isStarting).toBe(false);
});
