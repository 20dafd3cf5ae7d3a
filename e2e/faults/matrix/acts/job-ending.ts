import type { Job, JobItem, TriableState } from '../../../../shared/domain/job.ts';
import { triableState } from '../../../../shared/domain/job.ts';
import { eventually, type FaultHost } from '../fault-host.ts';
import type { Ending } from './act.ts';

/** Waits until a job is over, or waits for a person. */
export async function endOfJob(vitrine: FaultHost, id: number): Promise<Ending> {
  const job = await eventually(`job ${id}`, async () => {
    const { jobs } = await vitrine.call('jobs.list', {});
    const found = jobs.find((one) => one.id === id);
    return found !== undefined && hasStopped(found) ? found : null;
  });
  const items = await itemsOf(vitrine, id);
  const states = items.map(({ state }) => state).join(', ');
  return {
    state: job.state === 'done' ? states : `${job.state}: ${states}`,
    failure: job.failure ?? items.find(({ failure }) => failure !== null)?.failure ?? null,
  };
}

/** As a person would: resumes a halted job, and tries failed items again. */
export async function goOn(vitrine: FaultHost, id: number): Promise<Ending> {
  const { jobs } = await vitrine.call('jobs.list', {});
  if (jobs.find((job) => job.id === id)?.state === 'paused') await vitrine.call('jobs.resume', { id });
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

const hasStopped = ({ state, active }: Job): boolean =>
  (state === 'done' || state === 'paused' || state === 'cancelled') && active.length === 0;
