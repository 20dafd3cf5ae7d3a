import { scanJob } from '../../../components/jobs/job.fixture.ts';
import '../../../test/page-surroundings.ts';
import '../../../components/data-grid/layout.fixture.ts';
import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Job } from '../../../../shared/domain/job.ts';
import { fail } from '../../../../shared/failure.ts';
import { type GivenAnswers } from '../../../test/memory-bridge.ts';
import { putIn } from '../../../test/put-in.ts';
import { host } from '../../../test/quiet-host.ts';
import {
  fileGroupOf,
  fileOf,
  hitOf,
  openResults,
  resultOf,
  ruleGroupOf,
  scanOf,
  sha256Of,
} from './open-results.fixture.tsx';

const copied: string[] = [];
beforeEach(() => {
  copied.length = 0;
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const file = fileOf(
  1,
  [resultOf('local', [hitOf('one', [0x10, 0x20]), hitOf('two')]), resultOf('service', [hitOf('one'), hitOf('two')])],
  { sizeBytes: 0 },
);

function openJob(job: Job, more: GivenAnswers = {}) {
  const page = openResults(job, {
    'scans.file': ({ position }) => ({ ...file, position, sha256: sha256Of(position) }),
    'scans.groups': () => ({ groups: [fileGroupOf(1, { hits: 1 }), fileGroupOf(2)], total: 2 }),
    ...more,
  });
  vi.spyOn(navigator.clipboard, 'writeText').mockImplementation(async (words) => void copied.push(words));
  return page;
}
const isShown = (): Promise<HTMLElement> => screen.findByRole('grid', { name: 'Rules that hit this file' });

test('C copies the shown item: the rule, the offset, the hash, or the matches of the rule', async () => {
  const { user } = openJob(scanJob);
  await isShown();
  const copy = async (what: string): Promise<string | undefined> => {
    await user.click(screen.getByRole('button', { name: 'Copy' }));
    await user.click(await screen.findByRole('menuitem', { name: what }));
    await waitFor(() => expect(copied).toHaveLength(1));
    return copied.pop();
  };
  expect(await copy('Rule name')).toBe('one');
  expect(await copy('Offset')).toBe('0x10');
  expect(await copy('SHA-256')).toBe(sha256Of(1));
  expect(await copy('Matches as CSV')).toBe(
    `sha256,file,rule,string,offset,length,data\r\n${sha256Of(1)},sample_1.dll,one,$key,16,4,8034085c\r\n` +
      `${sha256Of(1)},sample_1.dll,one,$key,32,4,8034085c\r\n`,
  );
  expect(JSON.parse((await copy('Matches as JSON')) ?? '')).toMatchObject({
    rule: 'one',
    matches: [{ string: '$key', offset: 16, length: 4, data: '8034085c' }, { offset: 32 }],
  });
});

test('M mutes the shown rule, also in this sample alone', async () => {
  const { user, bridge } = openJob(scanJob);
  await isShown();
  await user.click(screen.getByRole('button', { name: 'Mute rule…' }));
  const dialog = await screen.findByRole('dialog', { name: 'Mute one?' });
  await putIn(user, within(dialog).getByRole('textbox', { name: 'Reason' }), 'our own tool');
  await user.click(within(dialog).getByRole('radio', { name: 'In this sample' }));
  expect(within(dialog).queryByRole('textbox', { name: /SHA-256/ })).toBeNull();
  await user.click(within(dialog).getByRole('button', { name: 'Mute' }));
  await waitFor(() =>
    expect(bridge.inputsOf('mutes.add')).toEqual([
      { workspaceId: 'lab', rule: 'one', sample: sha256Of(1), reason: 'our own tool', expires: null },
    ]),
  );
  bridge.emit('mutes.changed', { workspaceId: 'lab' });
  await waitFor(() => expect(bridge.inputsOf('scans.file').length).toBeGreaterThan(1));
});

test('a muted hit shows the reason, and can be unmuted', async () => {
  const muted = {
    ...file,
    results: [resultOf('local', [hitOf('one')]), resultOf('service', [hitOf('one')])],
    muted: [{ rule: 'one', reason: 'too noisy', expires: null }],
  };
  const mute = {
    id: 7,
    workspaceId: 'lab',
    rule: 'one',
    sample: null,
    reason: 'too noisy',
    expires: null,
    created: '2026-11-01T10:00:00.000Z',
    ruleNow: 'same' as const,
    hasExpired: false,
  };
  const { user, bridge } = openJob(scanJob, {
    'scans.file': () => muted,
    'mutes.list': () => ({ mutes: [{ ...mute, id: 6, sample: 'f'.repeat(64) }, mute] }),
  });
  expect(await screen.findByText('until unmuted: too noisy')).toBeDefined();
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Mute rule…' }).disabled).toBe(true);
  await user.click(await screen.findByRole('button', { name: 'Unmute one' }));
  await waitFor(() => expect(bridge.inputsOf('mutes.remove')).toEqual([{ id: 7 }]));
});

test('the rule opens among those of the active package', async () => {
  const { user } = openJob(scanJob);
  await isShown();
  await user.click(screen.getByRole('button', { name: 'Show rule one' }));
  expect(await screen.findByText('rules: one')).toBeDefined();
});

test('the shown sample is tagged, and Undo reverts only that change', async () => {
  const { user, bridge } = openJob(scanJob, { 'samples.tag': () => ({ changed: 1 }) });
  await isShown();
  await user.click(screen.getByRole('button', { name: 'Tag…' }));
  const dialog = await screen.findByRole('dialog', { name: 'Tag samples' });
  await user.type(within(dialog).getByRole('combobox', { name: 'Tags' }), 'campaign:x{Enter}');
  await user.click(within(dialog).getByRole('button', { name: 'Save tags' }));
  await user.click(await screen.findByRole('button', { name: 'Undo' }));
  const samples = { kind: 'named', sha256s: [sha256Of(1)] };
  await waitFor(() =>
    expect(bridge.inputsOf('samples.tag')).toEqual([
      { samples, add: ['campaign:x'], remove: [] },
      { samples, add: [], remove: ['campaign:x'] },
    ]),
  );
});

test('tagging applies to the sample shown when the dialog opened, whatever is shown meanwhile', async () => {
  const running = scanOf(2, { state: 'running', ended: null });
  const listed = { groups: [fileGroupOf(1)] };
  const { user, bridge } = openJob(running, {
    'jobs.list': () => ({ jobs: [running] }),
    'scans.groups': () => ({ groups: listed.groups, total: listed.groups.length }),
    'scans.file': ({ position }) => ({
      ...file,
      position,
      name: `sample_${position}.dll`,
      sha256: sha256Of(position),
      tags: [`of:${position}`],
    }),
  });
  await isShown();
  await user.click(screen.getByRole('button', { name: 'Tag…' }));
  const dialog = await screen.findByRole('dialog', { name: 'Tag samples' });
  listed.groups = [fileGroupOf(2, { hits: 1, rules: ['one'] }), fileGroupOf(1)];
  act(() => bridge.emit('scans.changed', { workspaceId: 'lab' }));
  await screen.findByRole('region', { name: 'File sample_2.dll', hidden: true });
  await user.type(within(dialog).getByRole('combobox', { name: 'Tags' }), 'seen{Enter}');
  await user.click(within(dialog).getByRole('button', { name: 'Save tags' }));
  await waitFor(() =>
    expect(bridge.inputsOf('samples.tag')).toEqual([
      { samples: { kind: 'named', sha256s: [sha256Of(1)] }, add: ['seen'], remove: [] },
    ]),
  );
});

test('tags saved late leave a dialog opened since then open, with its input', async () => {
  const saved = Promise.withResolvers<{ changed: number }>();
  const { user } = openJob(scanJob, { 'samples.tag': () => saved.promise });
  await isShown();
  const tag = async (name: string): Promise<void> => {
    await user.click(screen.getByRole('button', { name: 'Tag…' }));
    await user.type(
      within(await screen.findByRole('dialog', { name: 'Tag samples' })).getByRole('combobox', { name: 'Tags' }),
      `${name}{Enter}`,
    );
  };
  await tag('first');
  await user.click(screen.getByRole('button', { name: 'Save tags' }));
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  await tag('second');
  await act(async () => saved.resolve({ changed: 1 }));
  expect(await screen.findByText('1 sample tagged')).toBeDefined();
  expect(within(screen.getByRole('dialog', { name: 'Tag samples' })).getByText('second')).toBeDefined();
});

test('tags refused after their dialog was left are reported, and can be saved again', async () => {
  const refused = Promise.withResolvers<void>();
  let works = false;
  const { user, bridge } = openJob(scanJob, {
    'samples.tag': async () => {
      if (works) return { changed: 1 };
      await refused.promise;
      return fail({ kind: 'host-gone' });
    },
  });
  await isShown();
  await user.click(screen.getByRole('button', { name: 'Tag…' }));
  await user.type(within(await screen.findByRole('dialog')).getByRole('combobox', { name: 'Tags' }), 'seen{Enter}');
  await user.click(screen.getByRole('button', { name: 'Save tags' }));
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await act(async () => refused.resolve());
  expect(await screen.findByText(/^Tags not saved: /)).toBeDefined();
  works = true;
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('1 sample tagged')).toBeDefined();
  const samples = { kind: 'named', sha256s: [sha256Of(1)] };
  expect(bridge.inputsOf('samples.tag')).toEqual([
    { samples, add: ['seen'], remove: [] },
    { samples, add: ['seen'], remove: [] },
  ]);
});

test('all listed samples are tagged at once; Undo is offered only when none of them had the tag', async () => {
  const answers = { changed: 2 };
  const { user, bridge } = openJob(scanOf(2), { 'samples.tag': () => answers });
  await isShown();
  const tagAll = async (): Promise<void> => {
    await user.click(screen.getByRole('button', { name: 'Tag…' }));
    const dialog = await screen.findByRole('dialog', { name: 'Tag samples' });
    await user.click(await within(dialog).findByRole('radio', { name: 'All 2 listed samples' }));
    await user.type(within(dialog).getByRole('combobox', { name: 'Tags' }), 'seen{Enter}');
    await user.click(within(dialog).getByRole('button', { name: 'Add tags' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  };
  await tagAll();
  expect(bridge.inputsOf('samples.tag')).toMatchObject([
    { samples: { kind: 'scan', jobId: 221, filter: { show: 'all', rule: null } }, add: ['seen'] },
  ]);
  await user.click(await screen.findByRole('button', { name: 'Undo' }));
  await waitFor(() => expect(bridge.inputsOf('samples.tag').at(-1)).toMatchObject({ add: [], remove: ['seen'] }));
  answers.changed = 1;
  await tagAll();
  expect(await screen.findByText('1 sample tagged, 1 unchanged')).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
});

test('the listed samples are exported to a destination the host supports', async () => {
  const { user, bridge } = openJob(scanOf(2), {
    'host.describe': () => ({ ...host, exportFolder: '/exports' }),
    'scans.export': () => ({ kind: 'folder', path: '/exports/scan-221.json', fileName: 'scan-221.json', sizeBytes: 9 }),
  });
  await isShown();
  await waitFor(() => expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Export…' }).disabled).toBe(false));
  await user.click(screen.getByRole('button', { name: 'Export…' }));
  await user.click(await screen.findByRole('menuitem', { name: 'JSON list, to export folder' }));
  expect(await screen.findByText('Saved scan-221.json to /exports')).toBeDefined();
  expect(bridge.inputsOf('scans.export')).toEqual([
    { jobId: 221, filter: { find: '', show: 'all', rule: null, family: null }, format: 'json', to: 'folder' },
  ]);
});

test('a sample of the vault is scanned again with the same options, and the new job is shown', async () => {
  const { user, bridge } = openJob(scanJob, { 'scans.start': () => ({ ...scanJob, id: 230 }) });
  await isShown();
  await user.click(screen.getByRole('button', { name: 'Scan again' }));
  expect(await screen.findByText('scan 230')).toBeDefined();
  expect(bridge.inputsOf('scans.start')).toEqual([
    { workspaceId: 'lab', engines: 'both', files: [], samples: [sha256Of(1)], tlp: null },
  ]);
});

test('a file outside the vault is not scanned again, and the view gives the reason', async () => {
  const { user, bridge } = openJob(scanJob, { 'scans.file': () => ({ ...file, inVault: false }) });
  await isShown();
  await user.click(screen.getByRole('button', { name: 'Scan again' }));
  expect(await screen.findByText('The file is no longer available')).toBeDefined();
  expect(bridge.inputsOf('scans.start')).toEqual([]);
});

test('a pending scan start is indicated, and none is started twice', async () => {
  const held = { let: (): void => undefined };
  const answer = new Promise<Job>((resolve) => (held.let = () => resolve({ ...scanJob, id: 230 })));
  const { user, bridge } = openJob(scanJob, { 'scans.start': () => answer });
  await isShown();
  const button = (): HTMLButtonElement => screen.getByRole('button', { name: 'Scan again' });
  await user.click(button());
  expect(button().disabled).toBe(true);
  await user.click(button());
  act(() => held.let());
  expect(await screen.findByText('scan 230')).toBeDefined();
  expect(bridge.inputsOf('scans.start')).toHaveLength(1);
});

test('a new scan of all files names those no longer in the vault', async () => {
  const { user } = openJob(scanOf(2), { 'scans.start': () => fail({ kind: 'not-in-vault', sha256: sha256Of(2) }) });
  await isShown();
  const scanAgain = async (which: string): Promise<HTMLElement> => {
    await user.click(screen.getByRole('button', { name: 'Scan again' }));
    await user.click(await screen.findByRole('menuitem', { name: which }));
    return screen.findByRole('dialog', { name: 'Scan again' });
  };
  expect((await scanAgain('All listed files')).textContent).toContain(sha256Of(2));
  await user.click(screen.getByRole('button', { name: 'Close' }));
  expect((await scanAgain('This file')).textContent).toContain('The file is no longer available');
});

test('all listed files are scanned again; a failure to start gives the reason', async () => {
  const { user, bridge } = openJob(scanOf(2), { 'scans.start': () => fail({ kind: 'no-package' }) });
  await isShown();
  await user.click(screen.getByRole('button', { name: 'Scan again' }));
  await user.click(await screen.findByRole('menuitem', { name: 'All listed files' }));
  expect(await screen.findByRole('alert')).toBeDefined();
  expect(bridge.inputsOf('scans.start')).toMatchObject([{ samples: [sha256Of(1), sha256Of(2)] }]);
});

test('a running job can be paused and cancelled in its results', async () => {
  const { user, bridge } = openJob(
    scanOf(2, { state: 'running', ended: null, counts: { ...scanJob.counts, done: 1, waiting: 1 } }),
  );
  await user.click(await screen.findByRole('button', { name: 'Pause' }));
  expect(bridge.inputsOf('jobs.pause')).toEqual([{ id: 221 }]);
  expect(screen.getByRole('progressbar', { name: /./ }).getAttribute('aria-valuenow')).toBe('1');
  expect(screen.queryByRole('button', { name: 'Scan again' })).toBeNull();
});

test('Mute and Copy act on the rule of the list when results are listed by rule', async () => {
  const { user, bridge } = openJob(scanOf(2), {
    'scans.groups': ({ by }) =>
      by === 'rule' ? { groups: [ruleGroupOf('wide')], total: 1 } : { groups: [fileGroupOf(1)], total: 1 },
  });
  await user.click(await screen.findByRole('radio', { name: 'Rules' }));
  await screen.findByRole('region', { name: 'Group wide' });
  await user.click(screen.getByRole('button', { name: 'Mute rule…' }));
  const dialog = await screen.findByRole('dialog', { name: 'Mute wide?' });
  await putIn(user, within(dialog).getByRole('textbox', { name: 'Reason' }), 'noise');
  await user.click(within(dialog).getByRole('button', { name: 'Mute' }));
  await waitFor(() => expect(bridge.inputsOf('mutes.add')).toMatchObject([{ rule: 'wide', sample: null }]));
});
