import { bulkJob } from '../components/jobs/job.fixture.ts';
import './page-surroundings.ts';
import '../components/data-grid/layout.fixture.ts';
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { fail } from '../../shared/failure.ts';
import { open } from './open-page.fixture.tsx';
import { ended, enterTable, openActivity, outcomes } from './ended-jobs.fixture.tsx';

describe('the activity view', () => {
  test('shows the next step when there is no job', async () => {
    const { user } = await openActivity([]);
    await user.click(await screen.findByRole('button', { name: 'Start bulk download' }));
    expect(screen.getByRole('button', { name: 'Bulk download' }).getAttribute('aria-current')).toBe('page');
  });

  test('lists running jobs first, then the newest, and is walked by the arrows', async () => {
    const { user } = await openActivity([
      { ...bulkJob, id: 5 },
      { ...ended, id: 9 },
      { ...ended, id: 7, workspaceId: 'gone' },
    ]);
    const list = within(screen.getByRole('grid', { name: 'Jobs' }));
    expect(list.getAllByRole('row').map((row) => row.textContent?.match(/Bulk download \d/)?.[0])).toEqual([
      'Bulk download 5',
      'Bulk download 9',
      'Bulk download 7',
    ]);
    await user.click(list.getByText('Bulk download 9'));
    await user.keyboard('{ArrowDown}');
    const shown = await screen.findByRole('region', { name: 'Job 7' });
    expect(within(shown).getByText('a removed workspace')).toBeDefined();
  });

  test('keeps the selected job while a newer one begins, and drops a forgotten one', async () => {
    const { user, bridge } = await openActivity();
    bridge.emit('job.changed', { ...bulkJob, id: 300 });
    expect(await screen.findByText('Bulk download 300')).toBeDefined();
    expect(screen.getByRole('region', { name: 'Job 218' })).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'Forget…' }));
    await user.click(await screen.findByRole('button', { name: 'Forget job' }));
    expect(bridge.inputsOf('jobs.forget')).toEqual([{ id: 218 }]);
    bridge.emit('job.forgotten', { id: 218 });
    expect(await screen.findByRole('region', { name: 'Job 300' })).toBeDefined();
  });

  test('keeps the filter of the items when another view was opened', async () => {
    const { user } = await openActivity();
    await user.click(screen.getByRole('button', { name: /^1 failed/ }));
    await user.keyboard('{Control>}2{/Control}');
    await user.keyboard('{Control>}8{/Control}');
    await waitFor(() => expect(outcomes()).toEqual(['Failed']));
    await user.type(screen.getByRole('textbox', { name: 'Find a hash or name' }), 'fff');
    await user.click(await screen.findByRole('button', { name: 'Show all items' }));
    await waitFor(() => expect(outcomes()).toHaveLength(6));
  });

  test('keeps the focus in the view when a button disappears', async () => {
    const { user, bridge } = await openActivity([bulkJob]);
    screen.getByRole('button', { name: 'Pause' }).focus();
    await user.keyboard('{Enter}');
    bridge.emit('job.changed', { ...bulkJob, state: 'paused' });
    expect(await screen.findByRole('button', { name: 'Resume' })).toBe(document.activeElement);
    bridge.emit('job.changed', { ...bulkJob, state: 'paused', failure: { kind: 'secrets-locked' } });
    await waitFor(() => expect(document.activeElement?.textContent).toContain('done'));
  });

  test('reports a halted job in any view, with a link to it', async () => {
    const { user } = await open({
      'jobs.list': () => ({ jobs: [{ ...bulkJob, state: 'paused', failure: { kind: 'secrets-locked' } }] }),
    });
    expect(await screen.findByRole('button', { name: 'Bulk download, halted' })).toBeDefined();
    await user.click(screen.getByRole('button', { name: '1 job halted' }));
    expect((await screen.findByRole('alert')).textContent).toContain('Fix the problem, then choose Resume');
  });

  test('shows the destination of an export', async () => {
    await openActivity([
      {
        ...ended,
        task: { kind: 'export', form: 'one-zip', folder: '/exports', result: '20261118T142936Z_6.zip' },
        workspaceId: null,
      },
    ]);
    expect(screen.getByText('/exports/20261118T142936Z_6.zip')).toBeDefined();
    expect(screen.getByText('3 of 6 not exported', { selector: 'strong' })).toBeDefined();
  });

  test('reports a list that cannot be read', async () => {
    await openActivity([], {
      'jobs.list': () => fail({ kind: 'data-damaged', path: '/data', code: 'SQLITE_CORRUPT' }),
    });
    expect((await screen.findByRole('alert')).textContent).toContain('The database is damaged');
  });
});

test('the number of samples of an export is requested from the job', async () => {
  const { bridge, user } = await openActivity();
  await enterTable(user);
  await user.keyboard('e');
  await user.click(await screen.findByRole('menuitem', { name: /^Password ZIP/ }));
  await waitFor(() =>
    expect(bridge.inputsOf('jobs.items').at(-1)).toMatchObject({
      filter: { states: ['done', 'already-here'], find: '' },
      limit: 1,
    }),
  );
});

test('picked items without a sample are reported before any export', async () => {
  const { user } = await openActivity();
  await enterTable(user);
  await user.keyboard('xe');
  await user.click(await screen.findByRole('menuitem', { name: /^Password ZIP/ }));
  expect(await screen.findByText('None of these samples is in the vault')).toBeDefined();
});
