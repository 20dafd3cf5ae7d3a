import '../../test/page-surroundings.ts';
import '../../components/data-grid/layout.fixture.ts';
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { bulkJob } from '../../components/jobs/job.fixture.ts';
import { LibraryHost } from './library-host.fixture.ts';
import { all, expectRows, openLibrary, rows, some } from './open-library.fixture.tsx';

const job = {
  ...bulkJob,
  id: 12,
  workspaceId: null,
  task: { kind: 'library-change', what: 'all', add: [], remove: [], addsNote: false },
} as const;

/** A library where all that is found is so much that a job does what is asked. */
async function openLarge() {
  const page = await openLibrary(new LibraryHost(some), {
    'jobs.list': () => ({ jobs: [{ ...job, task: { ...job.task, add: [], remove: [] } }] }),
    'library.change': () => ({ changed: 0, leftOut: 0, job: job.id }),
    'library.forget': () => ({ forgotten: 0, job: job.id }),
  });
  await expectRows(all);
  rows()[0]?.focus();
  await page.user.keyboard('{Control>}a{/Control}');
  return page;
}

test('the action of a job is reported with a link to it, and without an Undo', async () => {
  const { user } = await openLarge();
  await user.keyboard('l');
  await user.click(await screen.findByRole('menuitem', { name: /RED/ }));
  await screen.findByText('Started job 12 for all samples found now. Follow it in Activity');
  expect(screen.queryByRole('button', { name: /^Undo/ })).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Show' }));
  expect(await screen.findByRole('heading', { name: 'Activity' })).toBeTruthy();
});

test('forgetting the results of a search names the samples and the job that does it', async () => {
  const { user } = await openLarge();
  await user.keyboard('{Delete}');
  const question = await screen.findByRole('alertdialog');
  expect(within(question).getByText('Applies to the 4 samples found now, not to samples added later.')).toBeTruthy();
  await user.click(within(question).getByRole('button', { name: 'Forget 4 samples' }));
  expect(await screen.findByText('Started job 12 for all samples found now. Follow it in Activity')).toBeTruthy();
});
