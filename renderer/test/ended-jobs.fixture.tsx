import { bulkJob } from '../components/jobs/job.fixture.ts';
import './page-surroundings.ts';
import '../components/data-grid/layout.fixture.ts';
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, vi } from 'vitest';
import type { OperationInput } from '../../shared/contract.ts';
import { type ItemState, itemStates, type Job, type JobItem } from '../../shared/domain/job.ts';
import { type GivenAnswers } from './memory-bridge.ts';
import { open } from './open-page.fixture.tsx';

export const clipboard = { text: '' };
beforeEach(() => void (clipboard.text = ''));
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

const states: readonly ItemState[] = ['failed', 'forbidden', 'unknown', 'done', 'done', 'already-here'];
export const hashAt = (position: number): string => position.toString(16).padStart(32, 'a');
export const itemAt = (index: number, state: ItemState): JobItem => ({
  position: index + 1,
  hash: hashAt(index + 1),
  md5: hashAt(index + 1),
  name: null,
  state,
  sha256: state === 'done' || state === 'already-here' ? (index + 1).toString(16).padStart(64, 'b') : null,
  sizeBytes: state === 'done' ? 1208320 : null,
  failure:
    state === 'failed'
      ? {
          kind: 'connection-lost',
          service: 'repository',
          address: 'https://a.example',
          receivedBytes: 1,
          expectedBytes: 2,
        }
      : null,
});
export const items = states.map((state, index) => itemAt(index, state));
export const countsOf = (some: readonly JobItem[]): Job['counts'] => ({
  ...bulkJob.counts,
  waiting: 0,
  ...Object.fromEntries(itemStates.map((state) => [state, some.filter((item) => item.state === state).length])),
});
export const ended: Job = {
  ...bulkJob,
  state: 'done',
  ended: '2026-11-18T14:32:51.000Z',
  items: items.length,
  counts: countsOf(items),
};

/** Items as the host gives them: by state, what went wrong first. */
export function answerItems(all: readonly JobItem[]) {
  return ({ filter, offset, limit, sort }: OperationInput<'jobs.items'>) => {
    const meant = all.filter(
      ({ state, hash }) => (filter.states.length === 0 || filter.states.includes(state)) && hash.includes(filter.find),
    );
    const ordered =
      sort.column === 'state'
        ? meant.toSorted((one, other) => itemStates.indexOf(one.state) - itemStates.indexOf(other.state))
        : meant;
    return { items: ordered.slice(offset, offset + limit), total: meant.length };
  };
}

export async function openActivity(jobs: readonly Job[] = [ended], answers: GivenAnswers = {}) {
  const page = await open({ 'jobs.list': () => ({ jobs: [...jobs] }), 'jobs.items': answerItems(items), ...answers });
  vi.spyOn(navigator.clipboard, 'writeText').mockImplementation(async (text) => void (clipboard.text = text));
  await page.user.keyboard('{Control>}8{/Control}');
  if (jobs.length > 0) await screen.findByRole('region', { name: `Job ${jobs[0]?.id}` });
  return page;
}

export const table = (id = 218) => within(screen.getByRole('grid', { name: `Items of job ${id}` }));
export const outcomes = (): string[] =>
  table()
    .getAllByRole('row')
    .slice(1)
    .map((row) => within(row).getAllByRole('gridcell')[3]?.textContent ?? '');
export const enterTable = async (user: Awaited<ReturnType<typeof open>>['user']): Promise<void> =>
  user.click(await table().findByText(hashAt(1)));
/** A menu that closes gives the focus back; until then keys go nowhere. */
export const menuIsGone = (): Promise<void> =>
  waitFor(() => expect(document.activeElement?.closest('[role=grid]')).not.toBeNull());
