import { expect, test } from 'vitest';
import type { Job } from '../../../shared/domain/job.ts';
import {
  begun,
  bulk,
  createTestJobs,
  exporting,
  hashOf,
  HeldRuns,
  over,
  settling,
  until,
} from './job-runner.fixture.ts';

test('a job closed in the middle resumes at the next start and requests nothing twice', async () => {
  const held = new HeldRuns();
  const first = createTestJobs(held.run);
  const id = begun(first, 6);
  held.works[0]?.settle([
    { position: 1, state: 'done' },
    { position: 2, state: 'unknown' },
  ]);
  held.works[0]?.moved(1234);
  const closed = first.close();
  expect(held.works[0]?.signal.reason).toMatchObject({ why: 'close' });
  held.release();
  await closed;
  expect(first.awake()).toBe(0);
  expect(first.clock.pending).toBe(0);

  const asked: number[] = [];
  const next = createTestJobs(
    async (work) => {
      for (const { position } of work.take(100)) {
        asked.push(position);
        work.settle([{ position, state: 'done' }]);
      }
    },
    { folder: first.folder },
  );
  await over(next, id, 'done');
  expect(asked).toEqual([3, 4, 5, 6]);
  expect(next.jobs.get(id)).toMatchObject({ bytes: 1234, counts: { done: 5, unknown: 1 } });
});

test('completed items stay completed after a crash, and the rest runs again', async () => {
  const held = new HeldRuns();
  const first = createTestJobs(held.run);
  const [id, paused] = [begun(first, 4), begun(first, 2)];
  const draft = first.jobs.create(bulk, 'lab');
  first.jobs.add(draft, [{ hash: hashOf(1), md5: null }]);
  first.jobs.pause(paused);
  held.works[0]?.settle([{ position: 1, state: 'failed', failure: { kind: 'interrupted' } }]);
  first.crash();

  const next = createTestJobs(settling(), { folder: first.folder });
  await over(next, id, 'done');
  expect(next.jobs.get(id).counts).toMatchObject({ failed: 1, done: 3 });
  expect(next.jobs.get(paused)).toMatchObject({ state: 'paused', counts: { waiting: 2 } });
  expect(() => next.jobs.get(draft)).toThrow(expect.objectContaining({ failure: { kind: 'job-missing', id: draft } }));
});

test('a kind of job that cannot resume fails its remaining items, after its cleanup', async () => {
  const held = new HeldRuns();
  const first = createTestJobs(held.run);
  const [id, paused, cancelled] = [
    begun(first, 700, { task: exporting }),
    begun(first, 1, { task: exporting }),
    begun(first, 1, { task: exporting }),
  ];
  first.jobs.pause(paused);
  first.jobs.cancel(cancelled);
  held.works[0]?.settle([{ position: 1, state: 'done' }]);
  first.crash();

  const cleaned: Pick<Job, 'id' | 'counts'>[] = [];
  const next = createTestJobs(() => expect.fail('it cannot go on'), {
    folder: first.folder,
    interrupted: { export: (job) => void cleaned.push(job) },
  });
  await over(next, id, 'done');
  await over(next, paused, 'done');
  await until(() => next.jobs.get(cancelled).counts.waiting === 0);
  expect(cleaned).toMatchObject([{ id, counts: { waiting: 699 } }, { id: paused }]);
  expect(next.jobs.get(id).counts).toMatchObject({ done: 1, failed: 699, waiting: 0 });
  expect(next.jobs.get(cancelled)).toMatchObject({ state: 'cancelled', counts: { cancelled: 1 } });
  expect(next.store.take(id, 0, 1)).toEqual([]);
});

test('a failed cleanup is logged, and the job still ends', async () => {
  const held = new HeldRuns();
  const first = createTestJobs(held.run);
  const id = begun(first, 1, { task: exporting });
  first.crash();
  const next = createTestJobs(held.run, {
    folder: first.folder,
    interrupted: { export: () => Promise.reject(new Error('still there')) },
  });
  await over(next, id, 'done');
  expect(next.defects).toEqual([new Error('still there')]);
});

test('an interrupted cancel or removal is finished at the next start', async () => {
  const held = new HeldRuns();
  const first = createTestJobs(held.run);
  const [id, gone] = [begun(first, 2000), begun(first, 1500)];
  first.jobs.cancel(gone);
  first.jobs.cancel(id);
  first.jobs.forget(gone);
  first.crash();
  const next = createTestJobs(held.run, { folder: first.folder });
  await until(() => next.jobs.get(id).counts.waiting === 0);
  expect(next.jobs.get(id)).toMatchObject({ state: 'cancelled', counts: { cancelled: 2000 } });
  await until(() => !next.store.removeHidden(1));
  expect(next.jobs.list().map((job) => job.id)).toEqual([id]);
});

test('an interrupted job waits for a resume or the next start when nothing continues automatically', async () => {
  const held = new HeldRuns();
  const first = createTestJobs(held.run);
  const [id, other] = [begun(first, 3), begun(first, 2)];
  const exported = begun(first, 2, { task: exporting });
  held.works[0]?.settle([{ position: 1, state: 'done' }]);
  first.crash();

  const next = createTestJobs(settling(), {
    folder: first.folder,
    resumesUnfinished: false,
    interrupted: { export: () => {} },
  });
  expect(next.jobs.running).toBe(0);
  next.jobs.resume(id);
  await over(next, id, 'done');
  next.jobs.resume(exported);
  await over(next, exported, 'done');
  expect(next.jobs.get(exported).counts).toMatchObject({ failed: 2 });
  expect(next.jobs.get(other)).toMatchObject({ state: 'running', counts: { waiting: 2 } });
  await next.close();

  const last = createTestJobs(settling(), { folder: first.folder });
  await over(last, other, 'done');
});
