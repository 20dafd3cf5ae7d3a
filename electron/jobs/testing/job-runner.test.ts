import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { type Failure, FailureError } from '../../../shared/failure.ts';
import type { JobRun } from '../job-runner.ts';
import { begun, bulk, hashOf, HeldRuns, openJobDesk, over, settling, until } from './job-runner.fixture.ts';

const failureOf = (failure: Failure): unknown => expect.objectContaining({ failure });

test('a job runs to its end, and every item has its outcome', async () => {
  const desk = openJobDesk(settling((position) => (position % 2 === 0 ? 'done' : 'unknown')));
  const id = begun(desk, 10);
  expect(desk.jobs.get(id)).toMatchObject({ state: 'running', ended: null });
  await over(desk, id, 'done');
  expect(desk.jobs.get(id)).toMatchObject({
    items: 10,
    counts: { done: 5, unknown: 5, waiting: 0 },
    failure: null,
    active: [],
    bytesPerSecond: 0,
  });
  expect(desk.jobs.get(id).ended).not.toBeNull();
  expect(desk.awake()).toBe(0);
});

test('a draft takes each hash once, is in no list, and cannot be run twice', async () => {
  const desk = openJobDesk(settling());
  const id = desk.jobs.create(bulk, 'lab');
  expect(
    desk.jobs.add(id, [
      { hash: hashOf(1), md5: null },
      { hash: hashOf(2), md5: null },
      { hash: hashOf(1), md5: null },
    ]),
  ).toBe(2);
  expect(
    desk.jobs.add(id, [
      { hash: hashOf(2), md5: null },
      { hash: hashOf(3), md5: null, state: 'already-here' },
    ]),
  ).toBe(3);
  expect(desk.jobs.list()).toEqual([]);
  desk.jobs.begin(id);
  expect(() => desk.jobs.begin(id)).toThrow(failureOf({ kind: 'job-state', id, state: 'running' }));
  expect(() => desk.jobs.add(id, [])).toThrow(failureOf({ kind: 'job-state', id, state: 'running' }));
  await over(desk, id, 'done');
  expect(desk.jobs.list()).toMatchObject([{ id, counts: { done: 2, 'already-here': 1 } }]);
});

test('a job without anything to do is done at once', () => {
  const desk = openJobDesk(() => expect.fail('nothing is to be run'));
  const id = desk.jobs.create(bulk, 'lab');
  desk.jobs.add(id, [{ hash: hashOf(1), md5: null, state: 'already-here' }]);
  expect(desk.jobs.begin(id)).toMatchObject({ state: 'done', items: 1 });
  expect(desk.jobs.running).toBe(0);
});

test('a failure halts the job: its items still wait, and it can go on', async () => {
  let isDown = true;
  const desk = openJobDesk(async (work) => {
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
  const id = begun(desk, 5);
  await over(desk, id, 'paused');
  expect(desk.jobs.get(id)).toMatchObject({ counts: { done: 1, waiting: 4 }, failure: { kind: 'token-refused' } });
  isDown = false;
  desk.jobs.resume(id);
  expect(desk.jobs.get(id).failure).toBeNull();
  await over(desk, id, 'done');
  expect(desk.jobs.get(id).counts).toMatchObject({ done: 5, waiting: 0 });
  expect(desk.defects).toEqual([]);
});

test.each<[string, JobRun]>([
  ['throws', () => Promise.reject(new TypeError('a defect'))],
  ['ends while items wait', () => Promise.resolve()],
])('a run that %s is a defect: logged, and the job halts', async (_what, run) => {
  const desk = openJobDesk(run);
  const id = begun(desk, 2);
  await over(desk, id, 'paused');
  expect(desk.jobs.get(id)).toMatchObject({ counts: { waiting: 2 }, failure: { kind: 'unexpected' } });
  expect(desk.defects).toHaveLength(1);
});

test('after a halt nothing that goes on by itself can settle an item', async () => {
  let late: (() => void) | null = null;
  const desk = openJobDesk(async (work) => {
    late = () => work.settle([{ position: 1, state: 'done' }]);
    throw new FailureError({ kind: 'disk-full', path: '/vault' });
  });
  const id = begun(desk, 1);
  await over(desk, id, 'paused');
  expect(() => late?.()).toThrow('after its run had ended');
  expect(desk.jobs.get(id).counts.waiting).toBe(1);
});

test('a pause lets what is under way end, and a resume meanwhile waits for that', async () => {
  const held = new HeldRuns();
  const desk = openJobDesk(held.run);
  const id = begun(desk, 4);
  const [work] = held.works;
  const [item] = work?.take(1) ?? [];
  desk.jobs.pause(id);
  expect(work?.signal.reason).toMatchObject({ why: 'pause' });
  expect(work?.take(1)).toEqual([]);
  expect(desk.jobs.get(id).state).toBe('paused');
  desk.jobs.resume(id);
  expect(desk.jobs.get(id).state).toBe('waiting');
  expect(held.works).toHaveLength(1);
  work?.settle([{ position: item?.position ?? 0, state: 'done' }]);
  held.release();
  await until(() => held.works.length === 2);
  expect(desk.jobs.get(id)).toMatchObject({ state: 'running', counts: { done: 1, waiting: 3 } });
  held.release();
  await over(desk, id, 'done');
});

test('a cancelled job keeps what it has done, and the rest is cancelled', async () => {
  const held = new HeldRuns();
  const desk = openJobDesk(held.run);
  const id = begun(desk, 1300);
  held.works[0]?.settle([{ position: 1, state: 'done' }]);
  desk.jobs.cancel(id);
  expect(desk.jobs.get(id)).toMatchObject({ state: 'cancelled', counts: { waiting: 1299 } });
  for (let turn = 0; turn < 5; turn += 1) await nextTurn();
  // What is under way has its own end.
  held.works[0]?.settle([{ position: 2, state: 'failed' }]);
  held.release();
  await until(() => desk.jobs.get(id).counts.waiting === 0);
  expect(desk.jobs.get(id)).toMatchObject({
    state: 'cancelled',
    items: 1300,
    counts: { done: 1, failed: 1, cancelled: 1298 },
  });
});

test('a retry takes back only what it names, also right after a cancel', async () => {
  const held = new HeldRuns();
  const desk = openJobDesk(held.run);
  const id = begun(desk, 600);
  held.works[0]?.settle([
    { position: 1, state: 'failed' },
    { position: 2, state: 'unknown' },
  ]);
  desk.jobs.cancel(id);
  desk.jobs.retry(id, ['failed', 'cancelled']);
  held.release();
  await until(() => held.works.length === 2);
  expect(desk.jobs.get(id)).toMatchObject({
    state: 'running',
    ended: null,
    counts: { unknown: 1, waiting: 599, failed: 0, cancelled: 0 },
  });
  held.release();
  await over(desk, id, 'done');
  expect(desk.jobs.get(id).counts).toMatchObject({ unknown: 1, done: 599 });
});

test('a retry of nothing is refused, and so is what makes no sense in a state', async () => {
  const desk = openJobDesk(settling());
  const id = begun(desk, 1);
  await over(desk, id, 'done');
  const refused = failureOf({ kind: 'job-state', id, state: 'done' });
  for (const act of [
    () => desk.jobs.retry(id, ['failed', 'waiting']),
    () => desk.jobs.pause(id),
    () => desk.jobs.resume(id),
    () => desk.jobs.cancel(id),
  ]) {
    expect(act).toThrow(refused);
  }
  expect(() => desk.jobs.get(999)).toThrow(failureOf({ kind: 'job-missing', id: 999 }));
});

test('a forgotten job is gone, with all its items, and is never told of again', async () => {
  const desk = openJobDesk(settling());
  const id = begun(desk, 1200);
  expect(() => desk.jobs.forget(id)).toThrow(failureOf({ kind: 'job-state', id, state: 'running' }));
  await over(desk, id, 'done');
  desk.jobs.forget(id);
  const told = desk.told.length;
  expect(desk.forgotten).toEqual([id]);
  expect(desk.jobs.list()).toEqual([]);
  expect(() => desk.jobs.get(id)).toThrow(failureOf({ kind: 'job-missing', id }));
  await until(() => !desk.store.removeHidden(1));
  desk.clock.advance(1000);
  expect(desk.told).toHaveLength(told);
  expect(begun(desk, 1)).toBeGreaterThan(id);
});

test('several jobs run at a time, the next when one has ended, and the computer stays awake', async () => {
  const held = new HeldRuns();
  const desk = openJobDesk(held.run);
  const ids = Array.from({ length: 9 }, () => begun(desk, 1));
  expect(held.works).toHaveLength(8);
  expect(desk.jobs.running).toBe(9);
  expect(desk.jobs.get(ids[8] ?? 0).state).toBe('waiting');
  expect(desk.awake()).toBe(1);
  held.release();
  await until(() => held.works.length === 9);
  held.release();
  await until(() => desk.jobs.running === 0);
  expect(desk.awake()).toBe(0);
});

test('a workspace that goes has nothing running or waiting, and the others go on', async () => {
  const held = new HeldRuns();
  const desk = openJobDesk(held.run);
  const [own, paused, other] = [begun(desk, 3), begun(desk, 3), begun(desk, 3, { workspaceId: 'other' })];
  desk.jobs.pause(paused);
  const gone = desk.jobs.cancelAllOf('lab');
  for (const run of held.works) expect(run.signal.aborted).toBe(run.workspaceId === 'lab');
  held.release();
  await gone;
  for (const id of [own, paused])
    expect(desk.jobs.get(id)).toMatchObject({ state: 'cancelled', counts: { waiting: 0 } });
  await over(desk, other, 'done');
});

test('what a run tells is shown while it runs, at most ten times a second', async () => {
  const held = new HeldRuns();
  const desk = openJobDesk(held.run);
  const id = begun(desk, 3);
  const [work] = held.works;
  desk.clock.advance(0);
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
    desk.clock.advance(100);
  }
  desk.clock.advance(1000);
  const last = desk.told.at(-1);
  expect(desk.told.length).toBeGreaterThanOrEqual(10);
  expect(desk.told.length).toBeLessThanOrEqual(14);
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
  await over(desk, id, 'done');
  desk.clock.advance(100);
  expect(desk.told.at(-1)).toMatchObject({ state: 'done', active: [], bytes: 1000, noticeCount: 25 });
  expect(desk.store.get(id)).toMatchObject({ bytes: 1000, noticeCount: 25, throughput: { values: [1000, 0] } });
  expect(desk.store.get(id)?.notices).toHaveLength(20);
});

test('a transaction that is undone undoes the outcomes too, and nobody was told', async () => {
  const held = new HeldRuns();
  const desk = openJobDesk(held.run);
  const id = begun(desk, 2);
  desk.clock.advance(0);
  const told = desk.told.length;
  expect(() =>
    desk.db.transaction(() => {
      held.works[0]?.settle([{ position: 1, state: 'done' }]);
      throw new Error('undone');
    }),
  ).toThrow('undone');
  desk.clock.advance(100);
  expect(desk.told.slice(told).every(({ counts }) => counts.done === 0)).toBe(true);
  expect(desk.jobs.get(id).counts).toMatchObject({ done: 0, waiting: 2 });
  held.release();
  await over(desk, id, 'done');
});

test('a disk that takes nothing halts the job for all to see, and it goes on later', async () => {
  const held = new HeldRuns();
  const desk = openJobDesk(held.run);
  const id = begun(desk, 2);
  desk.db.sql.exec('PRAGMA query_only = ON');
  desk.clock.advance(5000);
  expect(held.works[0]?.signal.aborted).toBe(true);
  held.release();
  await over(desk, id, 'paused');
  expect(desk.jobs.get(id)).toMatchObject({
    state: 'paused',
    failure: { kind: 'not-writable' },
    counts: { waiting: 2 },
  });
  expect(desk.jobs.list()).toMatchObject([{ state: 'paused', failure: { kind: 'not-writable' } }]);
  expect(() => desk.jobs.resume(id)).toThrow(
    expect.objectContaining({ failure: expect.objectContaining({ kind: 'not-writable' }) }),
  );
  desk.db.sql.exec('PRAGMA query_only = OFF');
  desk.jobs.resume(id);
  held.release();
  await over(desk, id, 'done');
  expect(desk.jobs.get(id)).toMatchObject({ state: 'done', failure: null });
});

test('a defect of a listener ends nothing', async () => {
  const desk = openJobDesk(settling(), {
    tell: () => {
      throw new Error('listener');
    },
  });
  const id = begun(desk, 4);
  desk.clock.advance(0);
  await over(desk, id, 'done');
  await nextTurn();
  expect(desk.defects).toEqual([new Error('listener')]);
});
