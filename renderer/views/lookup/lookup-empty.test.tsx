import '../../test/page-surroundings.ts';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { bulkJob } from '../../components/jobs/job.fixture.ts';
import { open } from '../../test/open-page.fixture.tsx';
import { md5 } from '../../test/quiet-host.ts';

test('a sample file of the lab is looked up from the list shown before the first look-up', async () => {
  const { user, bridge } = await open({
    'lab.sampleFiles': () => ({ sampleFiles: [{ md5, name: 'update_helper.dll', sizeBytes: 2 }] }),
  });
  await user.click(await within(await screen.findByRole('table')).findByRole('button', { name: 'update_helper.dll' }));
  await waitFor(() => expect(bridge.inputsOf('samples.lookup')).toMatchObject([{ hash: md5 }]));
  expect(await screen.findByRole('heading', { name: 'update_helper.dll' })).toBeDefined();
});

test('a repository without records is named before a hash is looked up', async () => {
  await open({
    'servers.actions': () => ({
      mayUse: true,
      actions: [
        { service: 'repository', action: 'getfile', state: 'absent', seen: null },
        { service: 'repository', action: 'getfiles', state: 'answers', seen: null },
      ],
    }),
  });
  expect(await screen.findByText('This repository has no records to look up')).toBeDefined();
  expect(screen.getByText('Search it from the library instead.')).toBeDefined();
});

test('the empty look-up leads back to the last table of this workspace, and sends nothing', async () => {
  const triage = { ...bulkJob, task: { kind: 'triage' as const }, items: 3 };
  const { user, bridge } = await open({
    'jobs.list': () => ({
      jobs: [
        bulkJob,
        { ...triage, id: 229, items: 100, state: 'paused' as const },
        { ...triage, id: 231 },
        { ...triage, id: 240, workspaceId: 'team' },
      ],
    }),
  });
  await user.click(await screen.findByRole('button', { name: 'Show last table: 3 hashes' }));
  await screen.findByRole('grid', { name: 'Hashes of the text' });
  await waitFor(() => expect(bridge.inputsOf('triage.counts')).toContainEqual({ id: 231 }));
  expect([...bridge.inputsOf('triage.create'), ...bridge.inputsOf('triage.start')]).toEqual([]);
});
