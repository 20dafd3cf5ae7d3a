import {
  isAsleep,
  isAtRest,
  isFinalJob,
  type Job,
  type JobItem,
  type TriableState,
  triableState,
} from '../../../../shared/domain/job.ts';
import { eventually, type FaultHost } from '../fault-host.ts';
import type { Ending } from './act.ts';

/** Waits until a job is over, or waits for a person or for the time its service asked for. */
export async function endOfJob(vitrine: FaultHost, id: number): Promise<Ending> {
  const job = await eventually(`job ${id}`, async () => {
    const { jobs } = await vitrine.call('jobs.list', {});
    const found = jobs.find((one) => one.id === id);
    return found !== undefined && hasStopped(found) ? found : null;
  });
  const items = await itemsOf(vitrine, id);
  const states = items.map(({ state }) => state).join(', ');
  return {
    state: job.state === 'done' ? states : `${isAsleep(job) ? 'asleep' : job.state}: ${states}`,
    failure: job.failure ?? items.find(({ failure }) => failure !== null)?.failure ?? null,
  };
}

/** As a person would: resumes a halted job, or one that sleeps, and tries failed items again. */
export async function goOn(vitrine: FaultHost, id: number): Promise<Ending> {
  const { jobs } = await vitrine.call('jobs.list', {});
  const job = jobs.find((one) => one.id === id);
  if (job !== undefined && !isFinalJob(job)) await vitrine.call('jobs.resume', { id });
  else await tryAgain(vitrine, id);
  return endOfJob(vitrine, id);
}

async function tryAgain(vitrine: FaultHost, id: number): Promise<void> {
  const states = (await itemsOf(vitrine, id))
    .map(({ state }) => triableState.safeParse(state))
    .flatMap(({ data }): TriableState[] => (data === undefined ? [] : [data]));
  if (states.length > 0) await vitrine.call('jobs.retry', { id, states: [...new Set(states)] });
}

async function itemsOf(vitrine: FaultHost, id: number): Promise<JobItem[]> {
  const { items } = await vitrine.call('jobs.items', {
    id,
    filter: { states: [], find: '' },
    sort: { column: 'position', descending: false },
    offset: 0,
    limit: 100,
  });
  return items;
}

const hasStopped = (job: Job): boolean => isAtRest(job) && job.active.length === 0;
