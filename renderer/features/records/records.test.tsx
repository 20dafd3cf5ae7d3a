import '../../components/data-grid/layout.fixture.ts';
import { bulkJob } from '../../components/jobs/job.fixture.ts';
import '../../test/page-surroundings.ts';
import { act, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { Job } from '../../../shared/domain/job.ts';
import { open } from '../../test/open-page.fixture.tsx';
import { rowOf } from '../library/library-row.fixture.ts';
import { factsOf } from '../library/sample-facts.fixture.ts';

const fetched: Job = {
  ...bulkJob,
  state: 'done',
  ended: '2026-11-18T14:40:00.000Z',
  items: 3,
  counts: { ...bulkJob.counts, waiting: 0, done: 2, unknown: 1 },
  active: [],
  failure: null,
};
const reading: Job = {
  ...bulkJob,
  id: 223,
  task: { kind: 'library-change', what: 'records', add: [], remove: [], addsNote: false },
  items: 2,
  counts: { ...bulkJob.counts, waiting: 2 },
  active: [],
  failure: null,
};
const items = [1, 2].map((position) => ({
  position,
  hash: rowOf(position).hash,
  md5: null,
  sha256: rowOf(position).hash,
  state: 'done' as const,
  sizeBytes: 10,
  name: null,
  failure: null,
}));

async function openJob(job: Job, recorded: { is: boolean }, total = items.length) {
  const page = await open({
    'jobs.list': () => ({ jobs: [job] }),
    'jobs.items': () => ({ items, total }),
    'library.facts': () => ({
      samples: [1, 2].map((one) => factsOf(rowOf(one, { isRecorded: recorded.is }))),
      next: null,
    }),
    'library.readRecords': () => reading,
  });
  await page.user.keyboard('{Control>}8{/Control}');
  await screen.findByText(/^1 of \d+ not downloaded$/, { selector: 'strong' });
  return page;
}

const ask = (): Promise<HTMLElement> =>
  screen.findByRole('button', { name: 'Fetch metadata from Lab (this computer)' });

test('a finished bulk download counts samples without a record, and fetches the records on request', async () => {
  const recorded = { is: false };
  const { user, bridge } = await openJob(fetched, recorded);
  expect(await screen.findByText('2 samples have no metadata')).toBeDefined();
  await user.click(await ask());
  expect(bridge.inputsOf('library.readRecords')).toEqual([
    {
      selection: { kind: 'job', id: fetched.id, filter: { states: ['done', 'already-here'], find: '' } },
      workspaceId: 'lab',
    },
  ]);
  expect(await screen.findByText('0 of 2 done')).toBeDefined();
  recorded.is = true;
  act(() =>
    bridge.emit('job.changed', { ...reading, state: 'done', counts: { ...bulkJob.counts, waiting: 0, done: 2 } }),
  );
  await waitFor(() => expect(screen.queryByText('2 samples have no metadata')).toBeNull());
});

test('no message is shown when every sample has its record', async () => {
  const { bridge } = await openJob(fetched, { is: true });
  await waitFor(() => expect(bridge.inputsOf('library.facts')).not.toEqual([]));
  expect(screen.queryByText(/no metadata/)).toBeNull();
});

test('a sample count over the limit is reported as possibly having some without a record', async () => {
  await openJob(fetched, { is: false }, 5001);
  expect(await screen.findByText('Some samples may have no metadata')).toBeDefined();
  expect(await ask()).toBeDefined();
});
