import { bulkJob } from '../../components/jobs/job.fixture.ts';
import '../../test/page-surroundings.ts';
import '../../components/data-grid/layout.fixture.ts';
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { Job } from '../../../shared/domain/job.ts';
import { open } from '../../test/open-page.fixture.tsx';

const done: Job = {
  ...bulkJob,
  state: 'done',
  ended: '2026-11-18T14:40:00.000Z',
  counts: { ...bulkJob.counts, waiting: 0, done: bulkJob.items },
  active: [],
  failure: null,
};
const item = (position: number) => ({
  position,
  hash: String(position).repeat(32),
  md5: null,
  sha256: null,
  state: 'done' as const,
  sizeBytes: 10,
  name: null,
  failure: null,
});

async function openActivity(job: Job) {
  const page = await open({
    'jobs.list': () => ({ jobs: [job] }),
    'jobs.items': () => ({ items: [item(1), item(2)], total: 2 }),
  });
  await page.user.keyboard('{Control>}8{/Control}');
  return { ...page, button: await screen.findByRole('button', { name: 'Export…' }) };
}

test('all shown items of a finished job become a case through one request to the job', async () => {
  const { user, bridge, button } = await openActivity(done);
  await user.click(button);
  await user.click(await screen.findByRole('menuitem', { name: /^Case/ }));
  expect(await screen.findByRole('heading', { name: 'Export a case of 2 samples?' })).toBeDefined();
  await user.click(await screen.findByRole('button', { name: 'Export as download' }));
  await screen.findByRole('link', { name: 'Save case' });
  expect(bridge.inputsOf('cases.prepare')).toMatchObject([
    { selection: { kind: 'job', id: done.id, filter: { states: [], find: '' } } },
  ]);
});

test('ticked items alone become the case, by their known hash', async () => {
  const { user, bridge, button } = await openActivity(done);
  await user.click(await screen.findByText('2'.repeat(12), { exact: false }));
  await user.keyboard('x');
  await user.click(button);
  await user.click(await screen.findByRole('menuitem', { name: /^Case/ }));
  expect(await screen.findByRole('heading', { name: 'Export a case of 1 sample?' })).toBeDefined();
  await user.click(await screen.findByRole('button', { name: 'Export as download' }));
  await screen.findByRole('link', { name: 'Save case' });
  expect(bridge.inputsOf('cases.prepare')).toMatchObject([{ selection: { kind: 'named', hashes: ['2'.repeat(32)] } }]);
});

test('a running job offers no case', async () => {
  const { user, button } = await openActivity({ ...done, state: 'running', ended: null });
  await user.click(button);
  const choice = await screen.findByRole('menuitem', { name: /^Case/ });
  expect(choice.getAttribute('aria-disabled')).toBe('true');
});
