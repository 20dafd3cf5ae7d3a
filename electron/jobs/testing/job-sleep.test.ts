import { expect, test } from 'vitest';
import { type Failure, FailureError } from '../../../shared/failure.ts';
import type { JobRun } from '../job-runner.ts';
import { pauseAfter } from '../job-sleep.ts';
import { begun, createTestJobs, over, settling, type TestJobs, until } from './job-runner.fixture.ts';

const at = { service: 'repository', address: 'https://repo.example/api.php' } as const;
const slowDown = (retryAfterSeconds: number | null): Failure => ({
  kind: 'slow-down',
  ...at,
  status: 429,
  retryAfterSeconds,
});
const unavailable: Failure = { kind: 'service-failed', ...at, status: 503, text: '' };
const hour = 3_600_000;

/** A run for each failure, then those that settle everything. `before` items are settled first in each. */
function refusing(failures: Failure[], before = 0): JobRun {
  return async (work) => {
    const failure = failures.shift();
    if (failure === undefined) return settling()(work);
    work.settle(work.take(before).map(({ position }) => ({ position, state: 'done' })));
    throw new FailureError(failure);
  };
}

const asleep = (setup: TestJobs, id: number): Promise<void> =>
  until(() => setup.jobs.get(id).resumesAt !== null && setup.jobs.running === 0);
const sleepsFor = (setup: TestJobs, id: number): number =>
  (Date.parse(setup.jobs.get(id).resumesAt ?? '') - Date.parse(setup.clock.date())) / 1000;

test('a job sleeps as long as its service asks, and resumes by itself', async () => {
  const setup = createTestJobs(refusing([slowDown(3600)], 1));
  const id = begun(setup, 3);
  await asleep(setup, id);
  expect(setup.jobs.get(id)).toMatchObject({
    state: 'waiting',
    resumesAt: '2030-01-01T01:00:00.000Z',
    failure: slowDown(3600),
    counts: { done: 1, waiting: 2 },
  });
  expect([setup.jobs.running, setup.jobs.sleeping, setup.awake()]).toEqual([0, 1, 0]);
  setup.clock.advance(hour - 1);
  expect(setup.jobs.running).toBe(0);
  setup.clock.advance(1);
  await over(setup, id, 'done');
  expect(setup.jobs.get(id)).toMatchObject({ resumesAt: null, failure: null, counts: { done: 3 } });
  expect(setup.defects).toEqual([]);
});

test('pauses that no service names become longer while they bring no item further', async () => {
  const failures = [slowDown(null), unavailable, slowDown(null), slowDown(1)];
  const setup = createTestJobs(refusing(failures));
  const id = begun(setup, 3);
  const pauses: number[] = [];
  for (let left = failures.length + 1; left > 0; left -= 1) {
    await asleep(setup, id);
    pauses.push(sleepsFor(setup, id));
    setup.clock.advance((pauses.at(-1) ?? 0) * 1000);
  }
  await over(setup, id, 'done');
  expect(pauses).toEqual([60, 120, 240, 40]);
});

test('a pause after progress is the first again', async () => {
  const setup = createTestJobs(refusing([unavailable, unavailable], 1));
  const id = begun(setup, 3);
  for (const pause of [60, 60]) {
    await asleep(setup, id);
    expect(sleepsFor(setup, id)).toBe(pause);
    setup.clock.advance(pause * 1000);
  }
  await over(setup, id, 'done');
});

test.each<[string, Failure, number | null]>([
  ['a pause of ten years is asked about after one', slowDown(9_999_999_999), 366 * 24 * 3600],
  ['no pause at all is five seconds', slowDown(0), 5],
  ['a day is a day', slowDown(86_400), 86_400],
  ['a service that failed otherwise halts', { ...unavailable, status: 500 }, null],
  ['a database that is down halts', { ...unavailable, text: 'Connection failed: 2002' }, null],
])('%s', (_case, failure, seconds) => {
  expect(pauseAfter(failure, 0)).toBe(seconds);
});

test('a pause of ours is a quarter of an hour at most, however often it was fruitless', () => {
  expect(pauseAfter(unavailable, 2000)).toBe(900);
});

test('a sleeping job is resumed at once when a person wants it', async () => {
  const setup = createTestJobs(refusing([slowDown(3600)]));
  const id = begun(setup, 2);
  await asleep(setup, id);
  setup.jobs.resume(id);
  await over(setup, id, 'done');
  expect(setup.jobs.sleeping).toBe(0);
});

test.each(['pause', 'cancel'] as const)('a %s ends the sleep of a job', async (stop) => {
  const setup = createTestJobs(refusing([slowDown(3600)]));
  const id = begun(setup, 2);
  await asleep(setup, id);
  setup.jobs[stop](id);
  await until(() => setup.jobs.running === 0);
  setup.clock.advance(2 * hour);
  expect(setup.jobs.get(id)).toMatchObject({
    state: stop === 'pause' ? 'paused' : 'cancelled',
    resumesAt: null,
    failure: null,
  });
  expect([setup.jobs.sleeping, setup.jobs.running]).toEqual([0, 0]);
});

test('the jobs of a removed workspace do not sleep on', async () => {
  const setup = createTestJobs(refusing([slowDown(3600)]));
  const id = begun(setup, 2, { workspaceId: 'team' });
  await asleep(setup, id);
  await setup.jobs.cancelAllOf('team');
  expect(setup.jobs.get(id)).toMatchObject({ state: 'cancelled', counts: { cancelled: 2 } });
  expect(setup.jobs.sleeping).toBe(0);
});

test.each([
  ['sleeps on for the rest of its pause', 2 * hour, 0],
  ['runs at once when its pause is over', hour / 2, 1],
])('a job that slept when the program ended %s', async (_case, pauseMs, runsAtOnce) => {
  const first = createTestJobs(refusing([slowDown(pauseMs / 1000)]));
  const id = begun(first, 2);
  await asleep(first, id);
  await first.close();
  expect(first.clock.pending).toBe(0);

  let runs = 0;
  const next = createTestJobs(
    async (work) => {
      runs += 1;
      await settling()(work);
    },
    { folder: first.folder, resumesUnfinished: false },
  );
  next.clock.suspend(hour);
  next.jobs.start();
  next.clock.advance(0);
  await until(() => next.jobs.running === 0);
  expect(runs).toBe(runsAtOnce);
  next.clock.advance(hour);
  await over(next, id, 'done');
  expect(runs).toBe(1);
});

test('a job wakes within a minute when the computer slept past its time', async () => {
  const setup = createTestJobs(refusing([slowDown(8 * 3600)]));
  const id = begun(setup, 1);
  await asleep(setup, id);
  setup.clock.suspend(9 * hour);
  setup.clock.advance(60_000);
  await over(setup, id, 'done');
  expect(setup.jobs.sleeping).toBe(0);
});

test('a job wakes on time when the time of day is set back while it sleeps', async () => {
  const setup = createTestJobs(refusing([slowDown(3600)]));
  const id = begun(setup, 1);
  await asleep(setup, id);
  setup.clock.suspend(-48 * hour);
  setup.clock.advance(hour - 1);
  expect(setup.jobs.sleeping).toBe(1);
  setup.clock.advance(1);
  await over(setup, id, 'done');
  expect(setup.jobs.sleeping).toBe(0);
});

test('a job whose run ends while the program closes keeps no timer, and sleeps on after the next start', async () => {
  const closing = Promise.withResolvers<void>();
  const first = createTestJobs(async (work) => {
    work.signal.addEventListener('abort', () => closing.resolve(first.jobs.close()));
    throw new FailureError(slowDown(3600));
  });
  const id = begun(first, 2);
  await closing.promise;
  expect(first.clock.pending).toBe(0);
  first.crash();
  const next = createTestJobs(settling(), { folder: first.folder });
  expect(next.jobs.get(id)).toMatchObject({ state: 'waiting', resumesAt: '2030-01-01T01:00:00.000Z' });
});

test('a job that is due while others take every place is shown as one that waits for its turn', async () => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  let refusals = 1;
  const setup = createTestJobs(async (work) => {
    if (work.workspaceId === 'busy') await released;
    else if (refusals-- > 0) throw new FailureError(slowDown(60));
    await settling()(work);
  });
  const id = begun(setup, 1);
  await asleep(setup, id);
  const others = Array.from({ length: 8 }, () => begun(setup, 1, { workspaceId: 'busy' }));
  await until(() => others.every((other) => setup.jobs.get(other).state === 'running'));
  setup.clock.advance(60_000);
  expect(setup.jobs.get(id)).toMatchObject({ state: 'waiting', resumesAt: null, failure: null });
  expect(setup.jobs.sleeping).toBe(0);
  release();
  await over(setup, id, 'done');
});
