import { minuteOf } from '../../shared/domain/clock.ts';
import {
  isFinalJob,
  type Job,
  type JobItem,
  type JobKind,
  settledItems,
  sleepsUntil,
} from '../../shared/domain/job.ts';
import { fail, FailureError } from '../../shared/failure.ts';
import { sentenceFor } from '../../shared/failure-sentences.ts';
import { newsOf } from './client.ts';
import type { CommandRun } from './command.ts';
import { exitCodes, ExitError } from './exit.ts';

const verbs: Readonly<Record<JobKind, string>> = {
  'bulk-download': 'Downloading',
  triage: 'Looking up',
  export: 'Exporting',
  upload: 'Uploading',
  scan: 'Scanning',
  hunt: 'Hunting',
  'vault-check': 'Checking',
  'library-add': 'Adding',
  'library-change': 'Changing',
  'case-export': 'Exporting the case',
  bundle: 'Sealing the bundle',
  'bundle-import': 'Importing the bundle',
  backup: 'Backing up',
};

/**
 * Follows a job to its end, with its progress on standard error. Ctrl-C pauses it, and shows how to resume it.
 *
 * @throws FailureError what halted the job, which stays where it is, or what failed at its very end
 * @throws ExitError after Ctrl-C, and where someone else paused or cancelled it
 */
export async function endOf(run: CommandRun, begun: Job, howToGoOn: (id: number) => string = inActivity): Promise<Job> {
  const client = await run.client();
  const news = await newsOf(client, 'job.changed', ({ id }) => id === begun.id);
  let shownSleep: string | null = null;
  try {
    for (let job = await asItIs(run, begun); ; job = await news.next(run.signal)) {
      const until = sleepsUntil(job);
      if (until !== null && until !== shownSleep) run.terminal.complain(whyAsleep(job, until));
      shownSleep = until;
      run.terminal.progress(isOver(job) ? null : progressOf(job));
      if (isOver(job)) return ended(run, job, howToGoOn);
    }
  } catch (error) {
    if (run.signal.aborted) await paused(run, begun, howToGoOn);
    throw error;
  } finally {
    news.stop();
    run.terminal.progress(null);
  }
}

const verbOf = ({ task }: Job): string =>
  task.kind === 'library-change' && task.what === 'records' ? 'Fetching metadata' : verbs[task.kind];

const isOver = (job: Job): boolean => isFinalJob(job) || job.state === 'paused';

/** It may have ended before anybody listened. */
async function asItIs(run: CommandRun, begun: Job): Promise<Job> {
  const { jobs } = await run.ask('jobs.list', {});
  return jobs.find(({ id }) => id === begun.id) ?? begun;
}

function ended({ terminal }: CommandRun, job: Job, howToGoOn: (id: number) => string): Job {
  if (job.state === 'done') return job.failure === null ? job : fail(job.failure);
  terminal.complain(
    job.state === 'paused' ? `Job ${job.id} is paused. ${howToGoOn(job.id)}` : `Job ${job.id} was cancelled.`,
  );
  if (job.state === 'paused' && job.failure !== null) throw new FailureError(job.failure);
  throw new ExitError(exitCodes.interrupted);
}

const inActivity = (): string => 'Resume it in Activity.';

async function paused(
  { terminal, ...run }: CommandRun,
  { id }: Job,
  howToGoOn: (id: number) => string,
): Promise<never> {
  const client = await run.client();
  const result = await client.call('jobs.pause', { id });
  terminal.complain(result.ok ? `Job ${id} is paused. ${howToGoOn(id)}` : `Job ${id} has already ended.`);
  throw new ExitError(exitCodes.interrupted);
}

/** Once for each sleep: a script has no progress line. */
function whyAsleep({ id, failure }: Job, until: string): string {
  const why = failure === null ? '' : `${sentenceFor(failure).what}. `;
  return `${why}Job ${id} resumes automatically at ${minuteOf(until)}Z.`;
}

function progressOf(job: Job): string {
  if (job.step === 'compiling') return `Compiling rules (job ${job.id})`;
  const share =
    job.expectedBytes === null || job.expectedBytes === 0
      ? ''
      : `, ${Math.min(99, Math.floor((100 * job.bytes) / job.expectedBytes))} %`;
  const items = `${settledItems(job).toLocaleString('en')} of ${job.items.toLocaleString('en')}`;
  const until = sleepsUntil(job);
  const doing = until === null ? verbOf(job) : `Waiting until ${minuteOf(until)}Z`;
  return `${doing}: ${items}${share} (job ${job.id})`;
}

/** The items of a job in their order, a thousand at a time. */
export async function* itemsOf({ ask }: Pick<CommandRun, 'ask'>, id: number): AsyncGenerator<JobItem, void, void> {
  for (let offset = 0; ;) {
    const { items, total } = await ask('jobs.items', {
      id,
      filter: { states: [], find: '' },
      sort: { column: 'position', descending: false },
      offset,
      limit: 1000,
    });
    yield* items;
    offset += items.length;
    if (items.length === 0 || offset >= total) return;
  }
}

/**
 * A job in its current state.
 *
 * @throws FailureError `job-missing`
 */
export async function jobNumbered({ ask }: Pick<CommandRun, 'ask'>, id: number): Promise<Job> {
  const { jobs } = await ask('jobs.list', {});
  return jobs.find((job) => job.id === id) ?? fail({ kind: 'job-missing', id });
}
