import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { itemStates, type Job } from '../../../shared/domain/job.ts';
import { FailureError } from '../../../shared/failure.ts';
import type { JobRun } from '../job-runner.ts';
import { begun, openJobDesk, settling, sumOf, until } from './job-runner.fixture.ts';

const finalStates = itemStates.filter((state) => state !== 'waiting');
type Act = 'pause' | 'resume' | 'cancel' | 'retry' | 'turn' | 'time';

/** What a person may do at any moment; what makes no sense then is refused, and changes nothing. */
async function perform(desk: ReturnType<typeof openJobDesk>, id: number, act: Act): Promise<void> {
  try {
    if (act === 'turn') await nextTurn();
    else if (act === 'time') desk.clock.advance(1500);
    else if (act === 'retry') desk.jobs.retry(id, ['failed', 'cancelled', 'mismatch']);
    else desk.jobs[act](id);
  } catch (error) {
    expect(error).toBeInstanceOf(FailureError);
    expect((error as FailureError).failure).toMatchObject({ kind: 'job-state', id });
  }
}

test('whatever is done to a job and whenever, its counts add up to its items, and it ends', async () => {
  const acts = fc.array(fc.constantFrom<Act>('pause', 'resume', 'cancel', 'retry', 'turn', 'turn', 'time'), {
    maxLength: 25,
  });
  const outcomes = fc.array(fc.constantFrom(...finalStates), { minLength: 1, maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 20 }),
      acts,
      outcomes,
      fc.array(fc.boolean(), { maxLength: 4 }),
      async (items, todo, states, halts) => {
        const wanted = settling((position) => states[position % states.length] ?? 'done');
        const run: JobRun = (work) =>
          halts.pop() ? Promise.reject(new FailureError({ kind: 'lab-down', restarts: 1 })) : wanted(work);
        const desk = openJobDesk(run);
        const id = begun(desk, items);
        for (const act of todo) {
          await perform(desk, id, act);
          expectSound(desk.jobs.get(id), items);
        }
        await until(() => desk.jobs.running === 0);
        desk.clock.advance(1000);
        for (const job of desk.told) expectSound(job, items);
        await finish(desk, id);
        desk.clock.advance(1000);
        expect(desk.told.at(-1)).toEqual(desk.jobs.get(id));
        expect(desk.defects).toEqual([]);
        await desk.close();
        desk.folder.remove();
      },
    ),
    { numRuns: 30 },
  );
});

test('a job that is retried and paused before its previous run ended is paused with what waits, not done', async () => {
  const desk = openJobDesk(settling(() => 'mismatch'));
  const id = begun(desk, 1);
  desk.jobs.pause(id);
  desk.jobs.retry(id, ['mismatch']);
  desk.jobs.pause(id);
  await until(() => desk.jobs.running === 0 && desk.jobs.get(id).counts.waiting === 1);
  expect(desk.jobs.get(id)).toMatchObject({ state: 'paused', counts: { waiting: 1 } });
});

function expectSound(job: Job, items: number): void {
  expect(job.items).toBe(items);
  expect(sumOf(job)).toBe(items);
  if (job.state === 'done') expect(job.counts.waiting).toBe(0);
}

/** Goes on until nothing can go on: nothing may be lost on the way. */
async function finish(desk: ReturnType<typeof openJobDesk>, id: number): Promise<void> {
  for (
    let state = desk.jobs.get(id).state;
    state !== 'done' && state !== 'cancelled';
    state = desk.jobs.get(id).state
  ) {
    if (state === 'paused') desk.jobs.resume(id);
    await until(() => desk.jobs.running === 0);
  }
  await until(() => desk.jobs.get(id).counts.waiting === 0);
}
