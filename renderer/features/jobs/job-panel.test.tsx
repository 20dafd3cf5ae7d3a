import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import type { Job } from '../../../shared/domain/job.ts';
import { bulkJob } from '../../components/jobs/job.fixture.ts';
import type { JobActs } from './job-actions.tsx';
import { JobPanel } from './job-panel.tsx';

const changing: Job = {
  ...bulkJob,
  workspaceId: null,
  items: 340_120,
  counts: { ...bulkJob.counts, waiting: 300_000, done: 40_000, 'already-here': 120 },
  task: {
    kind: 'library-change',
    what: 'change',
    add: ['family:emotet'],
    remove: ['todo'],
    tlp: 'amber',
    addsNote: true,
  },
};

function shown(job: Job): JobActs {
  const acts: JobActs = {
    failure: null,
    pause: vi.fn(),
    resume: vi.fn(),
    cancel: vi.fn(),
    retry: vi.fn(),
    forget: vi.fn(),
  };
  render(<JobPanel job={job} acts={acts} />);
  return acts;
}

test('a change of many samples shows its action and progress, and lists none', () => {
  shown(changing);
  expect(screen.getByText('Adds tags').parentElement?.textContent).toBe('Adds tagsfamily:emotet');
  expect(screen.getByText('Removes tags').parentElement?.textContent).toBe('Removes tagstodo');
  expect(screen.getByText('TLP:AMBER')).toBeTruthy();
  expect(screen.getByText('Appends to the notes')).toBeTruthy();
  expect(screen.getByText('40,120 of 340,120')).toBeTruthy();
  expect(screen.queryByRole('grid')).toBeNull();
  expect(screen.queryByRole('button')).toBeNull();
});

test('a change whose samples are not counted yet is prepared, and nothing of it is done', () => {
  shown({ ...changing, items: 0, counts: bulkJob.counts });
  expect(screen.getByText('Preparing')).toBeTruthy();
  expect(screen.getByRole('progressbar').getAttribute('aria-valuenow')).toBeNull();
});

test('a cancelled change shows how many are done, and continues with the rest', async () => {
  const acts = shown({
    ...changing,
    state: 'cancelled',
    counts: { ...changing.counts, waiting: 0, cancelled: 300_000 },
  });
  expect(screen.getByText('Cancelled with 40,120 of 340,120 done')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: /^Continue with 300,000 samples/ }));
  expect(acts.retry).toHaveBeenCalledWith(['cancelled']);
});

test('a removal is not called a change', () => {
  const forgetting: Job = {
    ...changing,
    task: { kind: 'library-change', what: 'all', add: [], remove: [], addsNote: false },
    state: 'done',
    counts: { ...bulkJob.counts, waiting: 0, done: 340_120 },
  };
  shown(forgetting);
  expect(screen.getByText('Forgets the samples and all local data about them')).toBeTruthy();
  expect(screen.getByText('340,120 samples forgotten')).toBeTruthy();
});

test('a fetch of metadata is not called a change, nor its samples without a record failed', () => {
  const reading: Job = {
    ...changing,
    task: { kind: 'library-change', what: 'records', add: [], remove: [], addsNote: false },
    state: 'done',
    items: 9,
    counts: { ...bulkJob.counts, waiting: 0, done: 6, 'already-here': 1, unknown: 2 },
  };
  shown(reading);
  expect(screen.getByText(/^Fetches missing metadata: /)).toBeTruthy();
  expect(screen.getByText('2 of 9 still without metadata')).toBeTruthy();
});
