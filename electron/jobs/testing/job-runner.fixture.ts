import { setImmediate as nextTurn } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import type { ItemState, Job, JobTask } from '../../../shared/domain/job.ts';
import type { Database } from '../../storage/database/database.ts';
import { SqliteJobStore } from '../../storage/jobs/job-store.ts';
import { makeTestFolder, openTestDatabase, type TestFolder } from '../../storage/testing/database.fixture.ts';
import { type JobRun, JobRunner, type JobRunnerOptions, type JobWork } from '../job-runner.ts';
import { ManualClock } from '../manual-clock.fixture.ts';

export interface TestJobs {
  folder: TestFolder;
  jobs: JobRunner;
  store: SqliteJobStore;
  db: Database;
  clock: ManualClock;
  reported: Job[];
  forgotten: number[];
  defects: unknown[];
  /** How many hold the computer awake. */
  awake(): number;
  /** Ends as the program does when it is closed. */
  close(): Promise<void>;
  /** Ends as the program does when it crashes: the runner is not asked. */
  crash(): void;
}

export const bulk: JobTask = { kind: 'bulk-download' };
export const exporting: JobTask = { kind: 'export', form: 'one-zip', folder: '/exports', result: null };

/** A job runner over a real database, with a stopped clock. */
export function createTestJobs(
  run: JobRun,
  options: Partial<JobRunnerOptions> & { folder?: TestFolder; resumesUnfinished?: boolean } = {},
): TestJobs {
  const { folder = newFolder(), resumesUnfinished = true, ...others } = options;
  const { db } = openTestDatabase(folder.path);
  const store = new SqliteJobStore(db);
  const clock = new ManualClock();
  const [reported, forgotten, defects]: [Job[], number[], unknown[]] = [[], [], []];
  let holders = 0;
  let isOpen = true;
  const jobs = new JobRunner({
    store,
    runs: {
      'bulk-download': run,
      triage: run,
      export: run,
      upload: run,
      scan: run,
      hunt: run,
      'vault-check': run,
      'library-add': run,
      'library-change': run,
      'case-export': run,
      bundle: run,
      'bundle-import': run,
      backup: run,
    },
    report: (job) => void reported.push(job),
    forgotten: (id) => void forgotten.push(id),
    keepAwake: () => {
      holders += 1;
      return () => void (holders -= 1);
    },
    logDefect: (_id, _operation, error) => void defects.push(error),
    clock,
    ...others,
  });
  const crash = (): void => {
    if (isOpen) db.close();
    isOpen = false;
  };
  const close = async (): Promise<void> => {
    if (isOpen) await jobs.close();
    crash();
  };
  onTestFinished(close);
  jobs.start({ resumesUnfinished });
  return { folder, jobs, store, db, clock, reported, forgotten, defects, awake: () => holders, close, crash };
}

function newFolder(): TestFolder {
  const folder = makeTestFolder();
  onTestFinished(() => folder.remove());
  return folder;
}

/** A different SHA-256 for each number. */
export const hashOf = (number: number): string => number.toString(16).padStart(64, '0');

/** A draft of so many items, begun. */
export function begun(
  { jobs }: TestJobs,
  count: number,
  { task = bulk, workspaceId = 'lab' }: { task?: JobTask; workspaceId?: string } = {},
): number {
  const id = jobs.create(task, workspaceId);
  jobs.add(
    id,
    Array.from({ length: count }, (_, index) => ({ hash: hashOf(index + 1), md5: null })),
  );
  jobs.begin(id);
  return id;
}

/** What happens on this process's own event loop has happened. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await nextTurn();
}

export const over = (setup: TestJobs, id: number, state: Job['state']): Promise<void> =>
  until(() => setup.jobs.get(id).state === state && setup.jobs.running === 0);

/** Settles every item as asked, a few at a time, and gives way in between. */
export function settling(stateOf: (position: number) => Exclude<ItemState, 'waiting'> = () => 'done'): JobRun {
  return async (work) => {
    for (;;) {
      const items = work.take(3);
      if (items.length === 0) return;
      work.settle(items.map(({ position }) => ({ position, state: stateOf(position) })));
      await nextTurn();
      work.signal.throwIfAborted();
    }
  };
}

/** Runs that settle nothing until they are let go, then everything. */
export class HeldRuns {
  readonly works: JobWork[] = [];
  readonly #gates: (() => void)[] = [];

  readonly run: JobRun = async (work) => {
    this.works.push(work);
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#gates.push(resolve);
    await promise;
    await settling()(work);
  };

  /** Lets what was begun so far continue. */
  release(): void {
    for (const open of this.#gates.splice(0)) open();
  }
}

export const sumOf = (job: Job): number => Object.values(job.counts).reduce((sum, count) => sum + count, 0);
