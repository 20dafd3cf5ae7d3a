import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { type Failure, FailureError } from '../../../shared/failure.ts';
import type { JobRun, NewItem } from '../job-runner.ts';
import { begun, bulk, createTestJobs, hashOf, HeldRuns, over, settling, until } from './job-runner.fixture.ts';

const failureOf = (failure: Failure): unknown => expect.objectContaining({ failure });

test('a job runs to its end, and every item has its outcome', async () => {
  const setup = createTestJobs(settling((position) => (position % 2 === 0 ? 'done' : 'unknown')));
  const id = begun(setup, 10);
  expect(setup.jobs.get(id)).toMatchObject({ state: 'running', ended: null });
  await over(setup, id, 'done');
  expect(setup.jobs.get(id)).toMatchObject({
    items: 10,
    counts: { done: 5, unknown: 5, waiting: 0 },
    failure: null,
    active: [],
    bytesPerSecond: 0,
  });
  expect(setup.jobs.get(id).ended).not.toBeNull();
  expect(setup.awake()).toBe(0);
});

test('a draft takes each hash once, is in no list, and cannot run twice', async () => {
  const setup = createTestJobs(settling());
  const id = setup.jobs.create(bulk, 'lab');
  expect(
    setup.jobs.add(id, [
      { hash: hashOf(1), md5: null },
      { hash: hashOf(2), md5: null },
      { hash: hashOf(1), md5: null },
    ]),
  ).toBe(2);
  expect(
    setup.jobs.add(id, [
      { hash: hashOf(2), md5: null },
      { hash: hashOf(3), md5: null, state: 'already-here' },
    ]),
  ).toBe(3);
  expect(setup.jobs.list()).toEqual([]);
  setup.jobs.begin(id);
  expect(() => setup.jobs.begin(id)).toThrow(failureOf({ kind: 'job-state', id, state: 'running' }));
  expect(() => setup.jobs.add(id, [])).toThrow(failureOf({ kind: 'job-state', id, state: 'running' }));
  await over(setup, id, 'done');
  expect(setup.jobs.list()).toMatchObject([{ id, counts: { done: 2, 'already-here': 1 } }]);
});

test('a job without items is done at once', () => {
  const setup = createTestJobs(() => expect.fail('nothing is to be run'));
  const id = setup.jobs.create(bulk, 'lab');
  setup.jobs.add(id, [{ hash: hashOf(1), md5: null, state: 'already-here' }]);
  expect(setup.jobs.begin(id)).toMatchObject({ state: 'done', items: 1 });
  expect(setup.jobs.running).toBe(0);
});

test('a failure halts the job, which can be resumed with its waiting items', async () => {
  let isDown = true;
  const setup = createTestJobs(async (work) => {
    work.settle(work.take(1).map(({ position }) => ({ position, state: 'done' })));
    if (isDown)
      throw new FailureError({
        kind: 'token-refused',
        service: 'repository',
        address: 'https://h/api.php',
        status: 401,
      });
    await settling()(work);
  });
  const id = begun(setup, 5);
  await over(setup, id, 'paused');
  expect(setup.jobs.get(id)).toMatchObject({ counts: { done: 1, waiting: 4 }, failure: { kind: 'token-refused' } });
  isDown = false;
  setup.jobs.resume(id);
  expect(setup.jobs.get(id).failure).toBeNull();
  await over(setup, id, 'done');
  expect(setup.jobs.get(id).counts).toMatchObject({ done: 5, waiting: 0 });
  expect(setup.defects).toEqual([]);
});

test('jobs that one failure halted resume when its cause is gone, and others that are paused do not', async () => {
  const reasons: Failure[] = [{ kind: 'secrets-locked' }, { kind: 'no-active-rules' }, { kind: 'secrets-locked' }];
  const setup = createTestJobs(async (work) => {
    const failure = reasons.shift();
    if (failure !== undefined) throw new FailureError(failure);
    await settling()(work);
  });
  const ids: number[] = [];
  for (let count = 0; count < 3; count += 1) {
    const id = begun(setup, 5);
    await over(setup, id, 'paused');
    ids.push(id);
  }
  const [locked = 0, down = 0, pausedLater = 0] = ids;
  setup.jobs.resume(pausedLater);
  setup.jobs.pause(pausedLater);
  setup.jobs.resumeHaltedBy('secrets-locked');
  await over(setup, locked, 'done');
  expect([down, pausedLater].map((id) => setup.jobs.get(id).state)).toEqual(['paused', 'paused']);
});

test.each<[string, JobRun]>([
  ['throws', () => Promise.reject(new TypeError('a defect'))],
  ['ends while items wait', () => Promise.resolve()],
])('a run that %s is an internal error: logged, and the job halts', async (_what, run) => {
  const setup = createTestJobs(run);
  const id = begun(setup, 2);
  await over(setup, id, 'paused');
  expect(setup.jobs.get(id)).toMatchObject({ counts: { waiting: 2 }, failure: { kind: 'unexpected' } });
  expect(setup.defects).toHaveLength(1);
});

test('a halted job accepts no late outcomes', async () => {
  let late: (() => void) | null = null;
  const setup = createTestJobs(async (work) => {
    late = () => work.settle([{ position: 1, state: 'done' }]);
    throw new FailureError({ kind: 'disk-full', path: '/vault' });
  });
  const id = begun(setup, 1);
  await over(setup, id, 'paused');
  expect(() => late?.()).toThrow('after its run had ended');
  expect(setup.jobs.get(id).counts.waiting).toBe(1);
});

test('a pause lets current work end, and a resume meanwhile waits for it', async () => {
  const held = new HeldRuns();
  const setup = createTestJobs(held.run);
  const id = begun(setup, 4);
  const [work] = held.works;
  const [item] = work?.take(1) ?? [];
  setup.jobs.pause(id);
  expect(work?.signal.reason).toMatchObject({ why: 'pause' });
  expect(work?.take(1)).toEqual([]);
  expect(setup.jobs.get(id).state).toBe('paused');
  setup.jobs.resume(id);
  expect(setup.jobs.get(id).state).toBe('waiting');
  expect(held.works).toHaveLength(1);
  work?.settle([{ position: item?.position ?? 0, state: 'done' }]);
  held.release();
  await until(() => held.works.length === 2);
  expect(setup.jobs.get(id)).toMatchObject({ state: 'running', counts: { done: 1, waiting: 3 } });
  held.release();
  await over(setup, id, 'done');
});

test('a cancelled job keeps its completed items, and the rest is cancelled', async () => {
  const held = new HeldRuns();
  const setup = createTestJobs(held.run);
  const id = begun(setup, 1300);
  held.works[0]?.settle([{ position: 1, state: 'done' }]);
  setup.jobs.cancel(id);
  expect(setup.jobs.get(id)).toMatchObject({ state: 'cancelled', counts: { waiting: 1299 } });
  for (let turn = 0; turn < 5; turn += 1) await nextTurn();
  // What is under way has its own end.
  held.works[0]?.settle([{ position: 2, state: 'failed' }]);
  held.release();
  await until(() => setup.jobs.get(id).counts.waiting === 0);
  expect(setup.jobs.get(id)).toMatchObject({
    state: 'cancelled',
    items: 1300,
    counts: { done: 1, failed: 1, cancelled: 1298 },
  });
});

test('a retry resets only the named outcomes, even right after a cancel', async () => {
  const held = new HeldRuns();
  const setup = createTestJobs(held.run);
  const id = begun(setup, 600);
  held.works[0]?.settle([
    { position: 1, state: 'failed' },
    { position: 2, state: 'unknown' },
  ]);
  setup.jobs.cancel(id);
  setup.jobs.retry(id, ['failed', 'cancelled']);
  held.release();
  await until(() => held.works.length === 2);
  expect(setup.jobs.get(id)).toMatchObject({
    state: 'running',
    ended: null,
    counts: { unknown: 1, waiting: 599, failed: 0, cancelled: 0 },
  });
  held.release();
  await over(setup, id, 'done');
  expect(setup.jobs.get(id).counts).toMatchObject({ unknown: 1, done: 599 });
});

test('a retry of nothing is refused, and so is an action invalid in the current state', async () => {
  const setup = createTestJobs(settling());
  const id = begun(setup, 1);
  await over(setup, id, 'done');
  const refused = failureOf({ kind: 'job-state', id, state: 'done' });
  for (const act of [
    () => setup.jobs.retry(id, ['failed', 'waiting']),
    () => setup.jobs.pause(id),
    () => setup.jobs.resume(id),
    () => setup.jobs.cancel(id),
  ]) {
    expect(act).toThrow(refused);
  }
  expect(() => setup.jobs.get(999)).toThrow(failureOf({ kind: 'job-missing', id: 999 }));
});

test('a removed job is deleted with all its items and never announced again', async () => {
  const setup = createTestJobs(settling());
  const id = begun(setup, 1200);
  expect(() => setup.jobs.forget(id)).toThrow(failureOf({ kind: 'job-state', id, state: 'running' }));
  await over(setup, id, 'done');
  setup.jobs.forget(id);
  const reported = setup.reported.length;
  expect(setup.forgotten).toEqual([id]);
  expect(setup.jobs.list()).toEqual([]);
  expect(() => setup.jobs.get(id)).toThrow(failureOf({ kind: 'job-missing', id }));
  await until(() => !setup.store.removeHidden(1));
  setup.clock.advance(1000);
  expect(setup.reported).toHaveLength(reported);
  expect(begun(setup, 1)).toBeGreaterThan(id);
});

test('several jobs run at a time, the next when one has ended, and the computer stays awake', async () => {
  const held = new HeldRuns();
  const setup = createTestJobs(held.run);
  const ids = Array.from({ length: 9 }, () => begun(setup, 1));
  expect(held.works).toHaveLength(8);
  expect(setup.jobs.running).toBe(9);
  expect(setup.jobs.get(ids[8] ?? 0).state).toBe('waiting');
  expect(setup.awake()).toBe(1);
  held.release();
  await until(() => held.works.length === 9);
  held.release();
  await until(() => setup.jobs.running === 0);
  expect(setup.awake()).toBe(0);
});

test('a removed workspace has no running or waiting jobs, and the others continue', async () => {
  const held = new HeldRuns();
  const setup = createTestJobs(held.run);
  const [own, paused, other] = [begun(setup, 3), begun(setup, 3), begun(setup, 3, { workspaceId: 'other' })];
  setup.jobs.pause(paused);
  const gone = setup.jobs.cancelAllOf('lab');
  for (const run of held.works) expect(run.signal.aborted).toBe(run.workspaceId === 'lab');
  held.release();
  await gone;
  for (const id of [own, paused])
    expect(setup.jobs.get(id)).toMatchObject({ state: 'cancelled', counts: { waiting: 0 } });
  await over(setup, other, 'done');
});

test('a run’s progress is shown while it runs, at most ten times a second', async () => {
  const held = new HeldRuns();
  const setup = createTestJobs(held.run);
  const id = begun(setup, 3);
  const [work] = held.works;
  setup.clock.advance(0);
  work?.expect(4000);
  for (let position = 1; position <= 20; position += 1) {
    work?.active(position, {
      position,
      hash: hashOf(position),
      phase: 'receiving',
      receivedBytes: 1,
      totalBytes: null,
    });
  }
  for (let tenth = 0; tenth < 10; tenth += 1) {
    work?.moved(100);
    setup.clock.advance(100);
  }
  setup.clock.advance(1000);
  const last = setup.reported.at(-1);
  expect(setup.reported.length).toBeGreaterThanOrEqual(10);
  expect(setup.reported.length).toBeLessThanOrEqual(14);
  expect(last).toMatchObject({
    id,
    bytes: 1000,
    expectedBytes: 4000,
    throughput: { secondsEach: 1, values: [1000, 0] },
  });
  expect(last?.active).toHaveLength(16);
  expect(last?.secondsLeft).toBeCloseTo(3000 / (last?.bytesPerSecond ?? 0), 5);
  for (let notice = 0; notice < 25; notice += 1) work?.notice({ kind: 'archive-entry-unasked', name: String(notice) });
  held.release();
  await over(setup, id, 'done');
  setup.clock.advance(100);
  expect(setup.reported.at(-1)).toMatchObject({ state: 'done', active: [], bytes: 1000, noticeCount: 25 });
  expect(setup.store.get(id)).toMatchObject({ bytes: 1000, noticeCount: 25, throughput: { values: [1000, 0] } });
  expect(setup.store.get(id)?.notices).toHaveLength(20);
});

test('a rolled-back transaction undoes the outcomes too and announces nothing', async () => {
  const held = new HeldRuns();
  const setup = createTestJobs(held.run);
  const id = begun(setup, 2);
  setup.clock.advance(0);
  const reported = setup.reported.length;
  expect(() =>
    setup.db.transaction(() => {
      held.works[0]?.settle([{ position: 1, state: 'done' }]);
      throw new Error('undone');
    }),
  ).toThrow('undone');
  setup.clock.advance(100);
  expect(setup.reported.slice(reported).every(({ counts }) => counts.done === 0)).toBe(true);
  expect(setup.jobs.get(id).counts).toMatchObject({ done: 0, waiting: 2 });
  held.release();
  await over(setup, id, 'done');
});

test('an unwritable disk halts the job visibly, and it resumes later', async () => {
  const held = new HeldRuns();
  const setup = createTestJobs(held.run);
  const id = begun(setup, 2);
  setup.db.sql.exec('PRAGMA query_only = ON');
  setup.clock.advance(5000);
  expect(held.works[0]?.signal.aborted).toBe(true);
  held.release();
  await over(setup, id, 'paused');
  expect(setup.jobs.get(id)).toMatchObject({
    state: 'paused',
    failure: { kind: 'not-writable' },
    counts: { waiting: 2 },
  });
  expect(setup.jobs.list()).toMatchObject([{ state: 'paused', failure: { kind: 'not-writable' } }]);
  expect(() => setup.jobs.resume(id)).toThrow(
    expect.objectContaining({ failure: expect.objectContaining({ kind: 'not-writable' }) }),
  );
  setup.db.sql.exec('PRAGMA query_only = OFF');
  setup.jobs.resume(id);
  held.release();
  await over(setup, id, 'done');
  expect(setup.jobs.get(id)).toMatchObject({ state: 'done', failure: null });
});

test('an internal error of a listener stops no job', async () => {
  const setup = createTestJobs(settling(), {
    report: () => {
      throw new Error('listener');
    },
  });
  const id = begun(setup, 4);
  setup.clock.advance(0);
  await over(setup, id, 'done');
  await nextTurn();
  expect(setup.defects).toEqual([new Error('listener')]);
});

const another = (number: number): NewItem => ({ hash: hashOf(number), md5: null });

test('a job that is over runs again for an item that is added, and has each hash once', async () => {
  const setup = createTestJobs(settling());
  const id = begun(setup, 2);
  await over(setup, id, 'done');
  expect(setup.jobs.append(id, [another(2)])).toBe(2);
  expect(setup.jobs.get(id).state).toBe('done');
  expect(setup.jobs.append(id, [another(3)])).toBe(3);
  await over(setup, id, 'done');
  expect(setup.jobs.get(id)).toMatchObject({ items: 3, counts: { done: 3, waiting: 0 } });
  expect(setup.defects).toEqual([]);
});

test('an item that is added after the last look of a run is done by another run', async () => {
  let runs = 0;
  const setup = createTestJobs(async (work) => {
    await settling()(work);
    runs += 1;
    if (runs === 1) setup.jobs.append(work.id, [another(9)]);
  });
  const id = begun(setup, 2);
  await over(setup, id, 'done');
  expect(setup.jobs.get(id)).toMatchObject({ items: 3, counts: { done: 3 }, failure: null });
  expect([runs, setup.defects]).toEqual([2, []]);
});

test('a paused job stays paused when an item is added', async () => {
  const runs = new HeldRuns();
  const setup = createTestJobs(runs.run);
  const id = begun(setup, 2);
  setup.jobs.pause(id);
  runs.release();
  await over(setup, id, 'paused');
  expect(setup.jobs.append(id, [another(3)])).toBe(3);
  expect(setup.jobs.get(id)).toMatchObject({ state: 'paused', counts: { waiting: 3 } });
});

test('a draft takes nothing as a job that was begun', () => {
  const setup = createTestJobs(settling());
  const id = setup.jobs.create(bulk, 'lab');
  expect(() => setup.jobs.append(id, [another(1)])).toThrow(failureOf({ kind: 'job-state', id, state: 'draft' }));
});
