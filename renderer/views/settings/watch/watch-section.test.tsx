import '../../../test/page-surroundings.ts';
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { Job } from '../../../../shared/domain/job.ts';
import type { FolderListing } from '../../../../shared/domain/host.ts';
import type { WatchedFile, WatchState } from '../../../../shared/domain/watch.ts';
import { fail } from '../../../../shared/failure.ts';
import { scanJob } from '../../../components/jobs/job.fixture.ts';
import { type GivenAnswers } from '../../../test/memory-bridge.ts';
import { open } from '../../../test/open-page.fixture.tsx';
import { host, idleWatch, lab } from '../../../test/quiet-host.ts';

const came = (path: string, facts: Partial<WatchedFile>): WatchedFile => ({
  path,
  sizeBytes: 1024,
  sha256: 'a'.repeat(64),
  state: 'drafted',
  hits: null,
  found: '2026-11-22T10:00:00.000Z',
  failure: null,
  ...facts,
});
const chosen: WatchState = { ...idleWatch, folder: '/home/desk/incoming', workspaceId: 'lab' };
const on: WatchState = {
  ...chosen,
  isOn: true,
  leftAlone: 3,
  found: 412,
  files: [
    came('mail/dropper.bin', { hits: 2 }),
    came('clean.bin', { hits: 0 }),
    came('large.bin', { failure: { kind: 'scan-too-large', name: 'large.bin', sizeBytes: 9, limitBytes: 8 } }),
    came('empty.bin', {
      sizeBytes: 0,
      sha256: null,
      state: 'left-out',
      failure: { kind: 'file-empty', name: 'empty.bin' },
    }),
    came('setup.exe.part', { sha256: null, state: 'waiting' }),
    came('shut.bin', {
      sha256: null,
      state: 'waiting',
      failure: { kind: 'file-unreadable', name: 'shut.bin', code: 'EACCES' },
    }),
    came('here.bin', { failure: { kind: 'no-active-rules' } }),
  ],
};

const places: FolderListing = {
  folder: null,
  parent: null,
  folders: [{ id: '1'.repeat(32), name: '/home/desk', place: 'home' }],
  isCut: false,
};
const home: FolderListing = { ...places, folder: { id: '1'.repeat(32), path: '/home/desk' }, folders: [] };
const picking: GivenAnswers = {
  'host.describe': () => ({ ...host, capabilities: { ...host.capabilities, chooseFolder: true } }),
};

async function openWatch(answers: GivenAnswers = {}) {
  const page = await open(answers);
  await page.user.click(screen.getByRole('button', { name: 'Settings' }));
  await page.user.click(screen.getByRole('button', { name: 'Watched folder' }));
  await screen.findByText('Folder');
  return page;
}

test('the watched folder is chosen first, with a note that nothing is sent', async () => {
  const { user, bridge } = await openWatch({
    ...picking,
    'watch.chooseFolder': () => ({ isChosen: true, state: chosen }),
  });
  expect(screen.getByText(/Nothing is sent, and no service is contacted/)).toBeDefined();
  expect(screen.queryByRole('checkbox', { name: 'Watch this folder' })).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Choose folder…' }));
  expect(await screen.findByText('/home/desk/incoming')).toBeDefined();
  expect(screen.getByText('Off. New files are not scanned.')).toBeDefined();
  expect(bridge.inputsOf('watch.chooseFolder')).toEqual([{}]);
});

test('a host without a folder picker lists folders, and the chosen one is watched', async () => {
  let state = idleWatch;
  let refuses = true;
  const { user, bridge } = await openWatch({
    'watch.state': () => state,
    'host.folders': ({ folder }) => (folder === null ? places : home),
    'watch.chooseFolder': () => {
      if (refuses) fail({ kind: 'watch-refused', path: '/home/desk', reason: 'around-data' });
      state = chosen;
      return { isChosen: true, state };
    },
  });
  await user.click(screen.getByRole('button', { name: 'Choose folder…' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Choose a folder to watch' }));
  expect(dialog.getByText('Home')).toBeDefined();
  await user.click(dialog.getByRole('option', { name: /desk/ }));
  await dialog.findByText('No folders in here');
  await user.click(dialog.getByRole('button', { name: 'Choose this folder' }));
  expect((await dialog.findByRole('alert')).textContent).toContain('The data folder is inside it. /home/desk');
  refuses = false;
  await user.click(dialog.getByRole('button', { name: 'Choose this folder' }));
  expect(await screen.findByText('/home/desk/incoming')).toBeDefined();
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(bridge.inputsOf('watch.chooseFolder')).toEqual([{ folder: '1'.repeat(32) }, { folder: '1'.repeat(32) }]);
});

test('a host with a folder picker shows nothing when the person chose none', async () => {
  const { user, bridge } = await openWatch(picking);
  await user.click(screen.getByRole('button', { name: 'Choose folder…' }));
  await waitFor(() => expect(bridge.inputsOf('watch.chooseFolder')).toEqual([{}]));
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('a refused folder shows the reason', async () => {
  const { user } = await openWatch({
    ...picking,
    'watch.chooseFolder': () => fail({ kind: 'watch-refused', path: '/data/vault', reason: 'inside-data' }),
  });
  await user.click(screen.getByRole('button', { name: 'Choose folder…' }));
  expect((await screen.findByRole('alert')).textContent).toContain('It is inside the data folder. /data/vault');
});

test('the watched folder is turned on for a workspace, and off again', async () => {
  let state = chosen;
  const { user, bridge } = await openWatch({
    'watch.state': () => state,
    'watch.turn': ({ isOn, workspaceId }) => (state = { ...chosen, isOn, workspaceId, leftAlone: 1 }),
  });
  await user.click(screen.getByRole('checkbox', { name: 'Watch this folder' }));
  expect(await screen.findByText('On. Ignoring 1 existing file.')).toBeDefined();
  expect(screen.getByText('No new files yet.')).toBeDefined();
  await user.click(screen.getByRole('checkbox', { name: 'Watch this folder' }));
  expect(await screen.findByText(/^Off/)).toBeDefined();
  expect(bridge.inputsOf('watch.turn')).toEqual([
    { isOn: true, workspaceId: 'lab' },
    { isOn: false, workspaceId: 'lab' },
  ]);
});

test('the draft of another workspace can receive the files', async () => {
  const { user, bridge } = await openWatch({
    'watch.state': () => on,
    'workspaces.list': () => ({
      workspaces: [lab, { ...lab, id: 'w-1', name: 'Team', builtIn: false }],
      current: 'lab',
      damaged: [],
    }),
  });
  await user.click(screen.getByRole('button', { name: /^Workspace for the upload draft: Lab/ }));
  await user.click(await screen.findByRole('menuitemradio', { name: 'Team' }));
  await waitFor(() => expect(bridge.inputsOf('watch.turn')).toEqual([{ isOn: true, workspaceId: 'w-1' }]));
});

test('received files are listed with their outcome and its reason', async () => {
  await openWatch({ 'watch.state': () => on });
  const region = await screen.findByRole('region', { name: 'New files' });
  expect(within(region).getByText('Newest 7 of 412 files')).toBeDefined();
  const rows = within(region)
    .getAllByRole('row')
    .slice(1)
    .map((row) =>
      within(row)
        .getAllByRole('cell')
        .map(({ textContent }) => textContent),
    );
  expect(rows.map(([size, state, hits]) => [size, state, hits])).toEqual([
    ['1.00 KiB', 'In draft', '2'],
    ['1.00 KiB', 'In draft', '0'],
    ['1.00 KiB', 'Not scanned“large.bin” is too large for a local scan', ''],
    ['0 bytes', 'Skipped“empty.bin” is empty', ''],
    ['1.00 KiB', 'Still being written', ''],
    ['1.00 KiB', 'Will retryCannot read “shut.bin”', ''],
    ['1.00 KiB', 'Not scannedThis workspace has no active rules', ''],
  ]);
  expect(within(region).getByText('mail/dropper.bin')).toBeDefined();
});

test('the list is cleared, and Upload is one press away', async () => {
  let state = on;
  const { user } = await openWatch({
    'watch.state': () => state,
    'watch.clear': () => (state = { ...on, found: 0, files: [] }),
  });
  await user.click(await screen.findByRole('button', { name: 'Clear list' }));
  expect(await screen.findByText('No new files yet.')).toBeDefined();
  cleanup();
  const other = await openWatch({ 'watch.state': () => on });
  await other.user.click(await screen.findByRole('button', { name: 'Open Upload' }));
  expect(await screen.findByRole('heading', { level: 1, name: 'Upload' })).toBeDefined();
});

test('a missing folder is reported, and host updates are shown', async () => {
  let state = on;
  const { bridge } = await openWatch({ 'watch.state': () => state });
  state = { ...on, failure: { kind: 'watch-refused', path: '/home/desk/incoming', reason: 'not-a-folder' } };
  bridge.emit('watch.changed', {});
  expect((await screen.findByRole('alert')).textContent).toContain('Cannot watch this folder');
});

test('received files are reported in any view with a link to their hits, without their scan', async () => {
  const { user, bridge } = await open({ 'watch.state': () => on });
  await waitFor(() => expect(bridge.inputsOf('watch.state')).not.toEqual([]));
  const scan: Job = {
    ...scanJob,
    task: { kind: 'scan', engines: 'local', local: 'wasm', package: null, name: null, isWatched: true },
  };
  bridge.emit('job.changed', { ...scan, state: 'running' });
  bridge.emit('job.changed', scan);
  bridge.emit('watch.found', { files: 3, hits: 1, scan: 221 });
  expect(await screen.findByText('1 of 3 new files in the watched folder has hits')).toBeDefined();
  expect(screen.queryByText(/^Job 221/)).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Show hits' }));
  expect(await screen.findByRole('heading', { level: 1, name: 'Scan' })).toBeDefined();
  await waitFor(() => expect(bridge.inputsOf('scans.file')).toEqual([{ jobId: 221, position: 1 }]));
});

test('hits of several scans lead to Activity, and files without any to the draft', async () => {
  const { user, bridge } = await open({ 'watch.state': () => on });
  await waitFor(() => expect(bridge.inputsOf('watch.state')).not.toEqual([]));
  bridge.emit('watch.found', { files: 1, hits: 0, scan: null });
  expect(await screen.findByText('1 new file in the watched folder')).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Open Upload' }));
  expect(await screen.findByRole('heading', { level: 1, name: 'Upload' })).toBeDefined();
  bridge.emit('watch.found', { files: 5000, hits: 3, scan: null });
  expect(await screen.findByText('3 of 5,000 new files in the watched folder have hits')).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Open Activity' }));
  expect(await screen.findByRole('heading', { level: 1, name: 'Activity' })).toBeDefined();
});

test('a halted scan of received files is reported, with a link to it', async () => {
  const { user, bridge } = await open({ 'watch.state': () => on });
  const scan: Job = {
    ...scanJob,
    task: { kind: 'scan', engines: 'local', local: 'wasm', package: null, name: null, isWatched: true },
  };
  bridge.emit('job.changed', { ...scan, state: 'running' });
  bridge.emit('job.changed', { ...scan, state: 'paused', failure: { kind: 'no-rules' } });
  const news =
    (await screen.findByText(/^Job 221 halted/)).closest<HTMLElement>('[data-toast]') ?? expect.fail('no toast');
  await user.click(within(news).getByRole('button', { name: 'Show' }));
  expect(await screen.findByRole('heading', { level: 1, name: 'Activity' })).toBeDefined();
});

test('files for another workspace lead to their list', async () => {
  const { user, bridge } = await open({ 'watch.state': () => ({ ...on, workspaceId: 'w-1' }) });
  await waitFor(() => expect(bridge.inputsOf('watch.state')).not.toEqual([]));
  bridge.emit('watch.found', { files: 1, hits: 0, scan: null });
  expect(await screen.findByText('1 new file in the watched folder')).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Show' }));
  expect(await screen.findByRole('heading', { level: 2, name: 'Watched folder' })).toBeDefined();
});

test('the palette turns the watched folder on and off once a folder is chosen', async () => {
  const { user, bridge } = await open({ 'watch.state': () => chosen });
  await waitFor(() => expect(bridge.inputsOf('watch.state')).not.toEqual([]));
  await user.keyboard('{Control>}k{/Control}turn on watched{Enter}');
  await waitFor(() => expect(bridge.inputsOf('watch.turn')).toEqual([{ isOn: true, workspaceId: 'lab' }]));
  expect(await screen.findByRole('heading', { level: 2, name: 'Watched folder' })).toBeDefined();
});

test('the box keeps the focus while the folder is turned on, and ignores clicks meanwhile', async () => {
  let answer = (): void => {};
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const turned = async (): Promise<WatchState> => {
    await held;
    return on;
  };
  const { user, bridge } = await openWatch({ 'watch.state': () => chosen, 'watch.turn': turned });
  const box = await screen.findByRole<HTMLInputElement>('checkbox', { name: 'Watch this folder' });
  await user.click(box);
  await user.keyboard(' ');
  expect([document.activeElement, box.disabled]).toEqual([box, false]);
  expect(bridge.inputsOf('watch.turn')).toEqual([{ isOn: true, workspaceId: 'lab' }]);
  answer();
  await waitFor(() => expect(box.checked).toBe(true));
});
