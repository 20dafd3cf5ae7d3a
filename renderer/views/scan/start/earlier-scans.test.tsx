import { bulkJob, huntJob, scanJob } from '../../../components/jobs/job.fixture.ts';
import '../../../test/page-surroundings.ts';
import '../../../components/data-grid/layout.fixture.ts';
import { act, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { Job } from '../../../../shared/domain/job.ts';
import { fail } from '../../../../shared/failure.ts';
import { emptySummary } from '../../../test/quiet-host.ts';
import { openScanView } from '../open-scan.fixture.tsx';
import { readOut } from '../../../test/read-out.ts';

const endedHunt: Job = { ...huntJob, id: 300, state: 'done', counts: { ...huntJob.counts, waiting: 0, done: 8214 } };
const jobs: readonly Job[] = [
  scanJob,
  endedHunt,
  { ...huntJob, id: 301 },
  bulkJob,
  { ...scanJob, id: 302, workspaceId: 'team' },
];
const answers = {
  'jobs.list': () => ({ jobs: [...jobs] }),
  'scans.summary': ({ jobId }: { jobId: number }) =>
    jobId === 300 ? { ...emptySummary, added: 3, withHits: 9 } : { ...emptySummary, withHits: 1, trouble: 2 },
};
const list = () => within(screen.getByRole('grid', { name: 'Earlier scans and hunts' }));
const lines = (): (string | null)[] => list().getAllByRole('row').map(readOut);

test('scans and hunts of the workspace are listed with their findings, the newest first', async () => {
  await openScanView(answers);
  await waitFor(() =>
    expect(lines()).toEqual([
      'Hunt, 8,214 sampleswith 5 rulesRunning, 0 of 8,2142026-11-18 14:29Z',
      'Hunt, 8,214 sampleswith 5 rules3 new hits2026-11-18 14:29Z',
      'update_helper.dll1 with hits, 2 not scanned2026-11-18 14:29Z',
    ]),
  );
});

test('an earlier scan is opened by Enter, and the link back is in the header', async () => {
  const { user } = await openScanView(answers);
  await waitFor(() => expect(lines()).toHaveLength(3));
  act(() => list().getAllByRole('row')[0]?.focus());
  await user.keyboard('{ArrowDown}{Enter}');
  expect(await screen.findByText('Hunt, 8,214 samples')).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'New scan' }));
  await waitFor(() => expect(lines()).toHaveLength(3));
});

test('findings are read at the end, also of a job that was viewed while it ran', async () => {
  const found = { withHits: 0 };
  const { user, bridge } = await openScanView({
    'jobs.list': () => ({ jobs: [{ ...huntJob, id: 300 }] }),
    'scans.summary': () => ({ ...emptySummary, ...found }),
  });
  await waitFor(() => expect(lines()).toHaveLength(1));
  await user.dblClick(list().getAllByRole('row')[0] ?? document.body);
  await screen.findByRole('button', { name: 'New scan' });
  await waitFor(() => expect(bridge.inputsOf('scans.summary')).not.toEqual([]));
  await user.click(screen.getByRole('button', { name: 'New scan' }));
  found.withHits = 2;
  act(() => bridge.emit('job.changed', endedHunt));
  await waitFor(() => expect(lines()[0]).toContain('2 with hits'));
});

test('findings are counted again when a rule was muted', async () => {
  const found = { withHits: 2 };
  const { bridge } = await openScanView({
    'jobs.list': () => ({ jobs: [endedHunt] }),
    'scans.summary': () => ({ ...emptySummary, ...found }),
  });
  await waitFor(() => expect(lines()[0]).toContain('2 with hits'));
  found.withHits = 1;
  act(() => bridge.emit('mutes.changed', { workspaceId: 'lab' }));
  await waitFor(() => expect(lines()[0]).toContain('1 with hits'));
});

test('an earlier scan is removed after a prompt, and a failure is shown in it', async () => {
  const { user, bridge } = await openScanView({
    ...answers,
    'jobs.forget': () => fail({ kind: 'job-state', id: 221, state: 'running' }),
  });
  await user.click(await screen.findByText('update_helper.dll'));
  await user.click(screen.getByRole('button', { name: 'Forget…' }));
  await user.click(await screen.findByRole('button', { name: 'Forget job' }));
  await waitFor(() => expect(bridge.inputsOf('jobs.forget')).toEqual([{ id: 221 }]));
  expect(await screen.findByRole('alert')).toBeDefined();
  act(() => bridge.emit('job.forgotten', { id: 221 }));
  await waitFor(() => expect(lines()).toHaveLength(2));
});

test('EarlierScans shows what will be listed before the first scan', async () => {
  await openScanView();
  expect(await screen.findByText('No scans or hunts in this workspace yet.')).toBeDefined();
});
