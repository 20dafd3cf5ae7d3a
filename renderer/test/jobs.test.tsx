import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import type { Job, JobItem } from '../../shared/domain/job.ts';
import { fail } from '../../shared/failure.ts';
import { longAfter } from '../../shared/testing/long-after.ts';
import '../components/data-grid/layout.fixture.ts';
import { bulkJob, scanJob } from '../components/jobs/job.fixture.ts';
import {
  answerItems,
  clipboard,
  countsOf,
  ended,
  enterTable,
  hashAt,
  itemAt,
  items,
  menuIsGone,
  openActivity,
  outcomes,
  table,
} from './ended-jobs.fixture.tsx';
import './page-surroundings.ts';
import { host, md5, usedSettings } from './quiet-host.ts';

describe('a job', () => {
  test('that is finished is a sentence, with every item and its reason, failures first', async () => {
    await openActivity();
    expect(screen.getByText('3 of 6 not downloaded', { selector: 'strong' })).toBeDefined();
    await waitFor(() => expect(outcomes()).toEqual(['Forbidden', 'Failed', 'Unknown', 'Done', 'Done', 'Already here']));
    expect(table().getByText('The connection was lost during the transfer')).toBeDefined();
    expect(screen.getByRole('progressbar').getAttribute('aria-valuetext')).toBe('6 of 6 done');
  });

  test('is filtered by its counts and by a part of a hash', async () => {
    const { user, bridge } = await openActivity();
    await waitFor(() => expect(outcomes()).toHaveLength(6));
    await user.click(screen.getByRole('button', { name: /^1 failed/ }));
    await user.click(screen.getByRole('button', { name: /^1 unknown/ }));
    await waitFor(() => expect(outcomes()).toEqual(['Failed', 'Unknown']));
    expect(screen.getByRole('button', { name: /^1 failed/ }).getAttribute('aria-pressed')).toBe('true');
    await enterTable(user);
    await user.keyboard('/');
    expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Find a hash or name' }));
    await user.keyboard('A1');
    await waitFor(() => expect(outcomes()).toEqual(['Failed']));
    expect(bridge.inputsOf('jobs.items').at(-1)).toMatchObject({
      filter: { states: ['failed', 'unknown'], find: 'a1' },
    });
    await user.keyboard('{Escape}');
    await waitFor(() => expect(outcomes()).toEqual(['Failed', 'Unknown']));
  });

  test.each<[Partial<Job>, string]>([
    [{ state: 'running', step: 'compiling' }, 'No item yet: compiling rules'],
    [{ state: 'running', items: 0, counts: countsOf([]) }, 'No item yet: preparing'],
    [{ state: 'running' }, 'No item yet: 2 waiting'],
    [{ state: 'waiting' }, 'No item yet: waiting'],
    [{ state: 'done', ended: bulkJob.created }, 'No items'],
  ])('without an item is not over unless it is: %j', async (change, words) => {
    await openActivity([{ ...bulkJob, ...change }], { 'jobs.items': () => ({ items: [], total: 0 }) });
    expect(await screen.findByText(words)).toBeDefined();
  });

  test('retries on R the items that a retry may change', async () => {
    const { user, bridge } = await openActivity();
    await enterTable(user);
    await user.keyboard('r');
    await waitFor(() =>
      expect(bridge.inputsOf('jobs.retry')).toEqual([
        { id: 218, states: ['failed', 'refused', 'vanished', 'cancelled'] },
      ]),
    );
  });

  test('is retried for any chosen outcome', async () => {
    const { user, bridge } = await openActivity();
    await user.click(screen.getByRole('button', { name: /^1 forbidden/ }));
    await user.click(screen.getByRole('button', { name: 'Retry 1' }));
    expect(bridge.inputsOf('jobs.retry')).toEqual([{ id: 218, states: ['forbidden'] }]);
  });

  test('ignores its letters when they are switched off', async () => {
    const { user, bridge } = await openActivity([ended], {
      'settings.read': () => ({ values: { ...usedSettings, singleLetterKeys: false }, damaged: [] }),
    });
    await enterTable(user);
    await user.keyboard('rx');
    expect(bridge.inputsOf('jobs.retry')).toEqual([]);
    expect(screen.queryByText('1 selected')).toBeNull();
  });

  test('copies the ticked items, or all that are shown', async () => {
    const { user } = await openActivity();
    await enterTable(user);
    await user.keyboard('x{ArrowDown}xc');
    await user.click(await screen.findByRole('menuitem', { name: 'Hashes as given' }));
    await waitFor(() => expect(clipboard.text).toBe(`${hashAt(1)}\n${hashAt(3)}\n`));
    await menuIsGone();
    await user.click(table().getByText(hashAt(1)));
    await user.keyboard('{Escape}c');
    await user.click(await screen.findByRole('menuitem', { name: /^SHA-256 hashes/ }));
    await waitFor(() => expect(clipboard.text.split('\n')).toHaveLength(4));
    await menuIsGone();
    await user.keyboard('c');
    await user.click(await screen.findByRole('menuitem', { name: 'Table as CSV' }));
    await waitFor(() => expect(clipboard.text.split('\r\n')).toHaveLength(8));
  });

  test('saves its list to the folder or as a download, whichever the host supports', async () => {
    const { user, bridge } = await openActivity([ended], {
      'host.describe': () => ({ ...host, exportFolder: '/exports' }),
    });
    await user.click(screen.getByRole('button', { name: 'Export…' }));
    await user.click(await screen.findByRole('menuitem', { name: 'CSV list, as download' }));
    const link = await screen.findByRole('link', { name: 'Save list' });
    expect([link.getAttribute('href'), link === document.activeElement]).toEqual([`/export/${'e'.repeat(64)}`, true]);
    expect(bridge.inputsOf('jobs.exportItems')).toEqual([
      { id: 218, filter: { states: [], find: '' }, format: 'csv', to: 'browser' },
    ]);
  });

  test('opens the sample of a row in the look-up', async () => {
    const { user, bridge } = await openActivity([ended], {
      'jobs.items': answerItems([{ ...items[3], position: 1, hash: md5, md5 } as JobItem]),
    });
    await user.click(await table().findByText(md5));
    await user.keyboard('{Enter}');
    expect(await screen.findByRole('heading', { name: 'update_helper.dll' })).toBeDefined();
    expect(bridge.inputsOf('samples.lookup')).toEqual([{ workspaceId: 'lab', hash: md5, firstComments: 8 }]);
  });

  for (const { tags, cases } of longAfter(1, [5000, 100_000]))
    test.each(cases)('of %i items draws a window and reads the visible ones', { tags }, async (length) => {
      const many = Array.from({ length }, (_, index) => itemAt(index, 'done'));
      const { user, bridge } = await openActivity([{ ...ended, items: many.length, counts: countsOf(many) }], {
        'jobs.items': answerItems(many),
      });
      await enterTable(user);
      expect(table().getAllByRole('row').length).toBeLessThan(60);
      await user.keyboard('{Control>}a{/Control}{End}');
      expect(await table().findByText(hashAt(length))).toBeDefined();
      expect(screen.getByText(`${length.toLocaleString('en')} selected`)).toBeDefined();
      expect(bridge.inputsOf('jobs.items').length).toBeLessThan(8);
    });
});

describe('a running job', () => {
  const running: Job = {
    ...bulkJob,
    items: 4,
    counts: { ...bulkJob.counts, waiting: 1, done: 3 },
    bytes: 3 * 2 ** 20,
    expectedBytes: 4 * 2 ** 20,
    bytesPerSecond: 2 ** 20,
    secondsLeft: 44,
    active: [{ position: 2, hash: hashAt(2), phase: 'receiving', receivedBytes: 1024, totalBytes: 4096 }],
  };
  const some = [itemAt(0, 'done'), itemAt(1, 'waiting'), itemAt(2, 'done'), itemAt(3, 'done')];

  test('shows its progress and active items, and can be paused and cancelled', async () => {
    const { user, bridge } = await openActivity([running], { 'jobs.items': answerItems(some) });
    expect(screen.getByText('3 of 4', { selector: 'strong' })).toBeDefined();
    expect(screen.getByText('3.00 of 4.00 MiB')).toBeDefined();
    expect(screen.getByText('0:44 left', { selector: 'strong' })).toBeDefined();
    expect(await table().findByText('1.00 of 4.00 KiB')).toBeDefined();
    expect(table().getByText('Receiving')).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'Pause' }));
    await user.click(screen.getByRole('button', { name: 'Cancel' }));
    expect(
      bridge.asked.map(({ name }) => name).filter((name) => name === 'jobs.pause' || name === 'jobs.cancel'),
    ).toEqual(['jobs.pause', 'jobs.cancel']);
  });

  test('shows its items as they change, and keeps them on the screen meanwhile', async () => {
    let now = some;
    const { bridge } = await openActivity([running], { 'jobs.items': (input) => answerItems(now)(input) });
    await waitFor(() => expect(outcomes()[0]).toBe('Receiving'));
    now = [itemAt(0, 'done'), itemAt(1, 'unknown'), itemAt(2, 'done'), itemAt(3, 'done')];
    bridge.emit('job.changed', { ...running, state: 'done', counts: countsOf(now), active: [] });
    await waitFor(() => expect(outcomes()[0]).toBe('Unknown'));
    expect(await screen.findByText('1 of 4 not downloaded', { selector: 'strong' })).toBeDefined();
  });

  test('appears in the frame with its share, its time and a link to it', async () => {
    const { user } = await openActivity([
      { ...running, id: 9 },
      { ...ended, id: 8 },
    ]);
    await user.keyboard('{Control>}2{/Control}');
    expect(screen.getByRole('button', { name: 'Bulk download, 75 %' })).toBeDefined();
    await user.click(screen.getByRole('button', { name: /1 job\s*75 %, 0:44 left/ }));
    expect(await screen.findByRole('region', { name: 'Job 9' })).toBeDefined();
  });

  test('reports the repository’s responses, and no failure of another origin as the repository’s', async () => {
    const { bridge } = await openActivity([running]);
    const status = within(screen.getByRole('contentinfo', { name: 'Status' }));
    bridge.emit('job.changed', { ...running, state: 'paused', failure: { kind: 'disk-full', path: '/vault' } });
    bridge.emit('job.changed', { ...running, counts: { ...bulkJob.counts, waiting: 9, done: 0 } });
    expect(status.getByText('Repository not contacted yet')).toBeDefined();
    bridge.emit('job.changed', { ...running, counts: { ...bulkJob.counts, waiting: 8, done: 1 } });
    expect(await status.findByText('Repository responding')).toBeDefined();
    bridge.emit('job.changed', {
      ...running,
      state: 'paused',
      failure: { kind: 'token-refused', service: 'repository', address: 'https://a.example', status: 401 },
    });
    expect(await status.findByText('Token rejected (401)')).toBeDefined();
    bridge.emit('job.changed', {
      ...running,
      task: { kind: 'upload' },
      counts: { ...bulkJob.counts, waiting: 8, refused: 1 },
    });
    expect(await status.findByText('Repository responding')).toBeDefined();
  });

  test('shows the time of the repository’s response before this page, until a newer request', async () => {
    const { bridge } = await openActivity([
      { ...ended, ended: '2026-11-18T14:30:36.000Z', counts: { ...bulkJob.counts, waiting: 0, done: 2 } },
    ]);
    const status = within(screen.getByRole('contentinfo', { name: 'Status' }));
    expect(await status.findByText('Repository responded 2026-11-18 14:30Z')).toBeDefined();
    bridge.emit('job.changed', { ...running, counts: { ...bulkJob.counts, waiting: 8, done: 1 } });
    expect(await status.findByText('Repository responding')).toBeDefined();
  });

  test('is reported when it ends out of view, and not where it is shown', async () => {
    const { user, bridge } = await openActivity([running], { 'jobs.items': answerItems(some) });
    bridge.emit('job.changed', { ...running, state: 'cancelled' });
    bridge.emit('job.changed', {
      ...running,
      id: 219,
      state: 'done',
      items: 1,
      counts: { ...bulkJob.counts, waiting: 0, done: 1 },
    });
    expect(await screen.findByText('Job 219 ended: 1 sample downloaded and verified')).toBeDefined();
    expect(screen.queryByText(/Job 218 ended/)).toBeNull();
    await user.keyboard('{Control>}2{/Control}');
    bridge.emit('job.changed', {
      ...running,
      id: 220,
      state: 'paused',
      failure: { kind: 'disk-full', path: '/vault' },
    });
    expect(await screen.findByText('Job 220 halted: The disk is full')).toBeDefined();
  });
});

describe('a halted job', () => {
  const halted: Job = {
    ...bulkJob,
    state: 'paused',
    failure: { kind: 'token-refused', service: 'repository', address: 'https://a.example', status: 401 },
  };

  test('shows the reason above its items, with its way to resume and a link to the fix', async () => {
    const { user, bridge } = await openActivity([halted]);
    const notice = within(screen.getByRole('alert'));
    expect(notice.getByText('Token rejected (401)')).toBeDefined();
    await user.click(notice.getByRole('button', { name: 'Resume' }));
    expect(bridge.inputsOf('jobs.resume')).toEqual([{ id: 218 }]);
    await user.click(notice.getByRole('button', { name: 'Open workspaces' }));
    expect(await screen.findByRole('heading', { name: 'Workspaces' })).toBeDefined();
  });

  const asleep = (status: number, retryAfterSeconds: number | null): Job => ({
    ...bulkJob,
    state: 'waiting',
    resumesAt: '2030-01-01T09:25:00.000Z',
    failure: { kind: 'slow-down', service: 'repository', address: 'https://a.example', status, retryAfterSeconds },
  });

  test('that sleeps shows when it resumes, and resumes at once when a person wants it', async () => {
    const { user, bridge } = await openActivity([asleep(503, 3600)]);
    const notice = within(screen.getByRole('alert'));
    expect(notice.getByText('The repository is temporarily unavailable (503)')).toBeDefined();
    expect(
      notice.getByText(/The job resumes automatically at 2030-01-01 09:25Z, as the service requested\.$/),
    ).toBeDefined();
    expect(screen.getByText('1 waiting')).toBeDefined();
    expect(screen.getByText(/^\d+ of \d+, waiting until 2030-01-01 09:25Z$/)).toBeDefined();
    expect(screen.getByRole('button', { name: 'Pause' })).toBeDefined();
    await user.click(notice.getByRole('button', { name: 'Resume now' }));
    expect(bridge.inputsOf('jobs.resume')).toEqual([{ id: 218 }]);
  });

  test.each([0, 60, null])(
    'that sleeps for longer than the requested %s seconds does not blame the service',
    async (named) => {
      await openActivity([asleep(429, named)]);
      expect(screen.getByText(/The job resumes automatically at 2030-01-01 09:25Z\.$/)).toBeDefined();
    },
  );

  test('that cannot resume reports that next to the Resume request', async () => {
    const { user } = await openActivity([{ ...halted, failure: null }], {
      'jobs.resume': () => fail({ kind: 'job-state', id: 218, state: 'done' }),
    });
    await user.click(screen.getByRole('button', { name: 'Resume' }));
    expect((await screen.findByRole('alert')).textContent).toContain('Not possible for job 218');
  });

  test('lists notices of no single item as text, however many there are', async () => {
    await openActivity([
      {
        ...halted,
        failure: null,
        notices: [{ kind: 'archive-entry-unasked', name: 'a\u202etxt.exe' }],
        noticeCount: 3,
      },
    ]);
    const notices = within(screen.getByRole('group'));
    expect(notices.getByText(/a\\u202etxt\.exe/)).toBeDefined();
    expect(notices.getByText('and 2 more')).toBeDefined();
  });

  test.each<[string, Job['notices'], number?]>([
    [
      '2 files were not scanned',
      [
        { kind: 'file-gone', name: 'a.bin' },
        { kind: 'file-changed', name: 'b.bin' },
      ],
    ],
    [
      '2 rules were skipped',
      [
        { kind: 'scan-rule-left-out', rule: 'a', reason: 'endless' },
        { kind: 'scan-rule-left-out', rule: 'b', reason: 'endless' },
      ],
    ],
    ['25 notices about the whole job', [{ kind: 'file-gone', name: 'a.bin' }], 25],
    [
      '2 notices about the whole job',
      [
        { kind: 'file-gone', name: 'a.bin' },
        { kind: 'scan-rule-left-out', rule: 'b', reason: 'endless' },
      ],
    ],
  ])('summarizes its notices in the title: %s', async (title, notices, noticeCount = notices.length) => {
    await openActivity([{ ...scanJob, notices, noticeCount }]);
    expect(screen.getByText(title)).toBeDefined();
  });
});
