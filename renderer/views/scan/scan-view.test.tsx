import { huntJob, scanJob } from '../../components/jobs/job.fixture.ts';
import '../../test/page-surroundings.ts';
import '../../components/data-grid/layout.fixture.ts';
import { act, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { Job } from '../../../shared/domain/job.ts';
import type { ScannedFile } from '../../../shared/domain/scan.ts';
import { fail } from '../../../shared/failure.ts';
import { open } from '../../test/open-page.fixture.tsx';
import { lab, sha256 } from '../../test/quiet-host.ts';
import { openScanView } from './open-scan.fixture.tsx';

const file: ScannedFile = {
  position: 1,
  name: 'update_helper.dll',
  md5: null,
  sha256,
  sizeBytes: 1_208_320,
  inVault: true,
  tlp: 'amber',
  paths: [],
  tags: [],
  results: [],
  muted: [],
  added: [],
  lost: [],
  known: null,
};
const head = (): HTMLElement =>
  screen.getByRole('heading', { level: 1, name: 'Scan' }).closest('header') ?? document.body;
const openJob = async (job: Job, answers: Parameters<typeof open>[0] = {}) => {
  const page = await openScanView({ 'jobs.list': () => ({ jobs: [job] }), ...answers });
  const list = within(await screen.findByRole('grid', { name: 'Earlier scans and hunts' }));
  await page.user.dblClick(list.getAllByRole('row')[0] ?? document.body);
  await screen.findByRole('button', { name: 'New scan' });
  return page;
};

test('the header names the one file with its TLP and its size', async () => {
  await openJob(scanJob, { 'scans.file': () => file });
  await waitFor(() => expect(head().textContent).toContain('TLP:AMBER'));
  expect(head().textContent).toContain('update_helper.dll');
  expect(within(head()).getByRole('status').textContent).toBe('1,208,320 bytes, ended 2026-11-18 14:29Z');
});

test('the header of a running hunt shows its progress and the time left', async () => {
  const running: Job = { ...huntJob, counts: { ...huntJob.counts, waiting: 8000, done: 214 }, secondsLeft: 360 };
  const { bridge } = await openJob(running);
  expect(within(head()).getByRole('status').textContent).toBe(
    'Running: 214 of 8,214, 6:00 left, 5 rules from 2026.11.10',
  );
  act(() =>
    bridge.emit('job.changed', {
      ...running,
      state: 'done',
      counts: { ...huntJob.counts, waiting: 0, done: 8214 },
      ended: '2026-11-18T14:40:00.000Z',
    }),
  );
  await waitFor(() =>
    expect(within(head()).getByRole('status').textContent).toBe(
      '8,214 samples scanned, ended 2026-11-18 14:40Z, 5 rules from 2026.11.10',
    ),
  );
});

test('an action in the header that fails gives the reason in its results', async () => {
  const { user } = await openJob(
    { ...huntJob, counts: { ...huntJob.counts, waiting: 8000, done: 214 } },
    { 'jobs.cancel': () => fail({ kind: 'worker-ended', task: 'ending a job', code: '1' }) },
  );
  await user.click(within(head()).getByRole('button', { name: 'Cancel' }));
  expect((await screen.findByRole('alert')).textContent).toContain('stopped while ending a job');
});

test('the sidebar counts running scans and hunts', async () => {
  const { bridge } = await open({ 'jobs.list': () => ({ jobs: [huntJob, scanJob] }) });
  expect((await screen.findByRole('button', { name: 'Scan, 1 running' })).textContent).toContain('1');
  act(() => bridge.emit('job.changed', { ...huntJob, state: 'paused', failure: { kind: 'host-gone' } }));
  expect(await screen.findByRole('button', { name: 'Scan, halted' })).toBeDefined();
});

test('results open from the activity, and not those of another workspace', async () => {
  const team: Job = { ...scanJob, id: 400, workspaceId: 'team' };
  const { user } = await open({
    'jobs.list': () => ({ jobs: [scanJob, team] }),
    'workspaces.list': () => ({
      workspaces: [lab, { ...lab, id: 'team', name: 'Team', builtIn: false }],
      current: 'lab',
      damaged: [],
    }),
  });
  await user.keyboard('{Control>}8{/Control}');
  await screen.findByRole('region', { name: 'Job 400' });
  expect(screen.queryByRole('button', { name: 'Show results' })).toBeNull();
  await user.click(screen.getByText('Scan 221'));
  await user.click(await screen.findByRole('button', { name: 'Show results' }));
  expect(await screen.findByRole('button', { name: 'New scan' })).toBeDefined();
});

test('a forgotten scan leads back to the start', async () => {
  const { bridge } = await openJob(scanJob);
  act(() => bridge.emit('job.forgotten', { id: scanJob.id }));
  expect(await screen.findByRole('region', { name: 'What to scan' })).toBeDefined();
});

test('a question mark shows the keys of the results, once', async () => {
  const { user } = await openJob(scanJob, { 'scans.file': () => file });
  await user.keyboard('?');
  const keys = within(await screen.findByRole('dialog'));
  expect(keys.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent)).toEqual([
    'Everywhere',
    'Scan results',
  ]);
});
