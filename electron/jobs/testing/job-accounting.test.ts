import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { itemStates, type Job } from '../../../shared/domain/job.ts';
import { type Failure, FailureError } from '../../../shared/failure.ts';
import type { JobRun } from '../job-runner.ts';
import { begun, createTestJobs, settling, sumOf, until } from './job-runner.fixture.ts';

const finalStates = itemStates.filter((state) => state !== 'waiting');
type Act = 'pause' | 'resume' | 'cancel' | 'retry' | 'turn' | 'time' | 'later';

/** One that halts a job, and two with which it sleeps. */
const failures: readonly Failure[] = [
  { kind: 'lab-down', restarts: 1 },
  { kind: 'slow-down', service: 'repository', address: 'https://repo.example', status: 429, retryAfterSeconds: 0 },
  { kind: 'slow-down', service: 'repository', address: 'https://repo.example', status: 503, retryAfterSeconds: 3600 },
];

/** The computer sleeps for longer than a job: each second that passes costs a row. */
function afterSleep({ clock }: ReturnType<typeof createTestJobs>): void {
  clock.suspend(2 * 3_600_000);
  clock.advance(60_000);
}

/** What a person may do at any moment; what makes no sense then is refused, and changes nothing. */
async function perform(setup: ReturnType<typeof createTestJobs>, id: number, act: Act): Promise<void> {
  try {
    if (act === 'turn') await nextTurn();
    else if (act === 'time') setup.clock.advance(1500);
    else if (act === 'later') afterSleep(setup);
    else if (act === 'retry') setup.jobs.retry(id, ['failed', 'cancelled', 'mismatch']);
    else setup.jobs[act](id);
  } catch (error) {
    expect(error).toBeInstanceOf(FailureError);
    expect((error as FailureError).failure).toMatchObject({ kind: 'job-state', id });
  }
}

test('a job’s counts add up to its items, and it ends, whatever is done to it and whenever', async () => {
  const acts = fc.array(fc.constantFrom<Act>('pause', 'resume', 'cancel', 'retry', 'turn', 'turn', 'time', 'later'), {
    maxLength: 25,
  });
  const outcomes = fc.array(fc.constantFrom(...finalStates), { minLength: 1, maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 20 }),
      acts,
      outcomes,
      fc.array(fc.constantFrom(null, ...failures), { maxLength: 6 }),
      async (items, todo, states, ends) => {
        const wanted = settling((position) => states[position % states.length] ?? 'done');
        const run: JobRun = (work) => {
          const failure = ends.pop() ?? null;
          return failure === null ? wanted(work) : Promise.reject(new FailureError(failure));
        };
        const setup = createTestJobs(run);
        const id = begun(setup, items);
        for (const act of todo) {
          await perform(setup, id, act);
          expectSound(setup.jobs.get(id), items);
        }
        await until(() => setup.jobs.running === 0);
        setup.clock.advance(1000);
        for (const job of setup.reported) expectSound(job, items);
        await finish(setup, id);
        setup.clock.advance(1000);
        expect(setup.reported.at(-1)).toEqual(setup.jobs.get(id));
        expect(setup.defects).toEqual([]);
        expect(setup.jobs.sleeping).toBe(0);
        await setup.close();
        expect(setup.clock.pending).toBe(0);
        setup.folder.remove();
      },
    ),
    { numRuns: 30 },
  );
});

test('a job retried and paused before its previous run ended is paused with waiting items, not done', async () => {
  const setup = createTestJobs(settling(() => 'mismatch'));
  const id = begun(setup, 1);
  setup.jobs.pause(id);
  setup.jobs.retry(id, ['mismatch']);
  setup.jobs.pause(id);
  await until(() => setup.jobs.running === 0 && setup.jobs.get(id).counts.waiting === 1);
  expect(setup.jobs.get(id)).toMatchObject({ state: 'paused', counts: { waiting: 1 } });
});

function expectSound(job: Job, items: number): void {
  expect(job.items).toBe(items);
  expect(sumOf(job)).toBe(items);
  if (job.state === 'done') expect(job.counts.waiting).toBe(0);
  if (job.state !== 'waiting') expect(job.resumesAt).toBeNull();
  if (job.resumesAt !== null) expect(job.failure).toMatchObject({ kind: 'slow-down' });
}

/** Continues until nothing can continue: nothing may be lost on the way. */
async function finish(setup: ReturnType<typeof createTestJobs>, id: number): Promise<void> {
  for (
    let state = setup.jobs.get(id).state;
    state !== 'done' && state !== 'cancelled';
    state = setup.jobs.get(id).state
  ) {
    if (state === 'paused') setup.jobs.resume(id);
    if (setup.jobs.sleeping > 0) afterSleep(setup);
    await until(() => setup.jobs.running === 0);
  }
  await until(() => setup.jobs.get(id).counts.waiting === 0);
}
