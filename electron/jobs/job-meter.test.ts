import { expect, test } from 'vitest';
import { itemStates } from '../../shared/domain/job.ts';
import { JobMeter } from './job-meter.ts';
import type { StoredJob } from './job-store.ts';
import { ManualClock } from './manual-clock.fixture.ts';

const counts = Object.fromEntries(itemStates.map((state) => [state, 0])) as StoredJob['counts'];
const before: StoredJob = {
  id: 1,
  task: { kind: 'bulk-download' },
  workspaceId: 'lab',
  state: 'running',
  created: '',
  started: null,
  ended: null,
  resumesAt: null,
  counts,
  items: 0,
  bytes: 500,
  expectedBytes: null,
  throughput: { secondsEach: 1, values: [9] },
  failure: null,
  notices: [],
  noticeCount: 0,
};

function metered(): { clock: ManualClock; meter: JobMeter } {
  const clock = new ManualClock();
  return { clock, meter: new JobMeter(before, clock) };
}

test('the remaining time is estimated from the bytes when their total is known', () => {
  const { clock, meter } = metered();
  meter.expect(1000);
  expect(meter.live(3).secondsLeft).toBeNull();
  clock.advance(1000);
  meter.moved(100);
  expect(meter.live(3)).toMatchObject({ bytesPerSecond: 100, secondsLeft: 9 });
  meter.moved(5000);
  expect(meter.live(3).secondsLeft).toBe(0);
});

test('the remaining time is estimated from the completed items otherwise', () => {
  const { clock, meter } = metered();
  clock.advance(2000);
  expect(meter.live(10).secondsLeft).toBeNull();
  meter.settled([1, 2, 3, 4]);
  expect(meter.live(10).secondsLeft).toBe(5);
});

test('bytes and throughput cover all runs, and the expected total counts from this run on', () => {
  const { clock, meter } = metered();
  meter.expect(1000);
  meter.moved(100);
  clock.advance(1000);
  meter.tick();
  expect(meter.progress).toMatchObject({
    bytes: 600,
    expectedBytes: 1500,
    throughput: { secondsEach: 1, values: [9, 100] },
  });
});

test('an item is shown as in progress until it is completed or returned', () => {
  const { meter } = metered();
  for (const position of [1, 2, 3])
    meter.active(position, { position, hash: 'a'.repeat(32), phase: 'asking', receivedBytes: 0, totalBytes: null });
  meter.settled([1]);
  meter.active(2, null);
  expect(meter.live(1).active.map(({ position }) => position)).toEqual([3]);
});

test('a job’s preparation is shown until it works on items', () => {
  const { meter } = metered();
  expect(meter.live(1)).not.toHaveProperty('step');
  meter.step('compiling');
  expect(meter.live(1)).toMatchObject({ step: 'compiling' });
  meter.step(null);
  expect(meter.live(1)).not.toHaveProperty('step');
});
