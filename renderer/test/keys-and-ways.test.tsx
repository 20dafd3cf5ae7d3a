import './page-surroundings.ts';
import '../components/data-grid/layout.fixture.ts';
import { act, cleanup, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { fail } from '../../shared/failure.ts';
import { recentLookups } from '../features/lookup/lookup-store.tsx';
import { known } from '../features/sample/open-sample.fixture.tsx';
import { UnsavedNotes } from '../memory/unsaved-texts.ts';
import { open } from './open-page.fixture.tsx';
import { md5, sha1, sha256 } from './quiet-host.ts';
import { openedRow, triageHost } from './triage-host.fixture.ts';

afterEach(async () => {
  cleanup();
  await recentLookups.keepOnly([]);
});

test('a slow answer names the service it waits for, and Escape cancels it', async () => {
  const { lookUp, user, bridge } = await open({ 'samples.lookup': () => new Promise(() => {}) });
  await lookUp(md5);
  expect(await screen.findByText('Waiting for Lab (this computer)')).toBeDefined();
  await user.keyboard('{Escape}');
  expect(await screen.findByRole('heading', { name: 'No hash looked up' })).toBeDefined();
  expect(bridge.inputsOf('samples.lookup')).toHaveLength(1);
});

test('the hashes of a text are one tab stop, walked by the keys of a list', async () => {
  const { lookUp, user } = await open(triageHost());
  await lookUp(`${md5} ${sha1} ${sha256}`);
  await openedRow(md5);
  await user.keyboard('{ArrowDown}j{ArrowUp}');
  expect(document.activeElement?.textContent).toContain(sha1.slice(0, 12));
  await user.keyboard('{End}');
  expect(document.activeElement?.textContent).toContain(sha256.slice(0, 12));
});

test('Escape leads from a record back to the hashes it was chosen from', async () => {
  const { lookUp, user } = await open(triageHost());
  await lookUp(`${md5} ${sha1}`);
  await openedRow(md5);
  await user.keyboard('{Enter}');
  await screen.findByRole('heading', { name: 'update_helper.dll' });
  await user.keyboard('{Escape}');
  await openedRow(md5);
  expect(document.activeElement?.getAttribute('role')).toBe('row');
});

test('the keys of the view work after a choice that ends in a failure', async () => {
  const { lookUp, user, bridge } = await open({
    ...triageHost(),
    'samples.lookup': () => fail({ kind: 'unknown-hash', service: 'repository', hash: md5 }),
  });
  await lookUp(`${md5} ${sha1}`);
  await openedRow(md5);
  await user.keyboard('{Enter}');
  await screen.findByRole('alert');
  await user.keyboard('r');
  await waitFor(() => expect(bridge.inputsOf('samples.lookup')).toHaveLength(2));
});

test('the keys of the view work when the focused element is gone', async () => {
  const { lookUp, user, bridge } = await open();
  await lookUp(md5);
  await screen.findByRole('heading', { name: 'update_helper.dll' });
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  expect(document.activeElement).toBe(document.body);
  await user.keyboard('d');
  await waitFor(() => expect(bridge.inputsOf('downloads.start')).toHaveLength(1));
});

test('a key that leads to a view moves the focus there from anywhere', async () => {
  const { user } = await open();
  const scan = screen.getByRole('button', { name: 'Scan' });
  await user.click(scan);
  await screen.findByRole('heading', { level: 1, name: 'Scan' });
  expect(document.activeElement).toBe(scan);
  await user.keyboard('{Control>}5{/Control}');
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1, name: 'Comments' })));
});

test('a download with a refused token leads to the token settings', async () => {
  const { lookUp, user } = await open({
    'downloads.start': () =>
      fail({ kind: 'token-refused', service: 'repository', address: 'https://samples.example', status: 401 }),
  });
  await lookUp(md5);
  await user.click(await screen.findByRole('button', { name: 'Download' }));
  await user.click(await screen.findByRole('button', { name: 'Open workspaces' }));
  expect(screen.getByRole('heading', { name: 'Workspaces' })).toBeDefined();
});

test('a download that ends out of view is reported', async () => {
  const { bridge } = await open();
  bridge.emit('download.progress', {
    id: 'd'.repeat(32),
    workspaceId: 'lab',
    md5,
    name: 'setup.msi',
    state: 'done',
    receivedBytes: 2,
    totalBytes: 2,
    bytesPerSecond: 0,
    sha1,
    sha256,
    failure: null,
  });
  expect(await screen.findByText('Downloaded setup.msi: verified and saved to the vault')).toBeDefined();
});

test('a download that fails where its sample is shown is reported only there, also on a library page', async () => {
  const sample = { ...known, row: { ...known.row, vault: 'none' as const } };
  const { user, bridge } = await open({
    'library.sample': () => sample,
    'library.list': () => ({ rows: [sample.row], total: 1, elapsedMs: 1 }),
  });
  await user.keyboard('{Control>}k{/Control}update');
  await user.click(await screen.findByRole('option', { name: /^update_helper\.dll/ }));
  await screen.findByRole('heading', { level: 1, name: 'Sample' });
  const failed = {
    id: 'd'.repeat(32),
    workspaceId: 'lab',
    md5,
    name: null,
    state: 'failed',
    receivedBytes: 2,
    totalBytes: 2,
    bytesPerSecond: 0,
    sha1: null,
    sha256: null,
    failure: { kind: 'wrong-bytes', md5, actualMd5: 'f'.repeat(32), sizeBytes: 2 },
  } as const;
  act(() => bridge.emit('download.progress', failed));
  expect(await screen.findByRole('button', { name: 'Try again' })).toBeDefined();
  expect(screen.queryByText(/was not downloaded$/)).toBeNull();
  act(() => bridge.emit('download.progress', { ...failed, workspaceId: 'w-1' }));
  expect(await screen.findByText(/was not downloaded$/)).toBeDefined();
});

test('a note left by an earlier page is sent at the start, without opening its sample', async () => {
  await new UnsavedNotes().keep(sha256, { text: 'half a sentence', basedOn: [''] });
  const { bridge } = await open({ 'library.sample': () => ({ ...known, note: null }), 'library.note': () => ({}) });
  await waitFor(() => expect(bridge.inputsOf('library.note')).toEqual([{ sha256, text: 'half a sentence' }]));
  await waitFor(async () => expect(await new UnsavedNotes().samples()).toEqual([]));
});

test('a hash pasted into the command field is looked up from any view', async () => {
  const { user, bridge } = await open();
  await user.click(screen.getByRole('button', { name: 'Settings' }));
  await user.click(screen.getByRole('combobox', { name: 'Paste a hash, find a sample or run a command' }));
  await user.paste(`MD5: ${md5}\n`);
  expect(await screen.findByRole('heading', { name: 'update_helper.dll' })).toBeDefined();
  expect(bridge.inputsOf('samples.lookup')).toHaveLength(1);
});

test('saving a workspace with problems focuses the first of them', async () => {
  const { user, bridge } = await open();
  await user.click(screen.getByRole('button', { name: 'Settings' }));
  await user.click(screen.getByRole('button', { name: 'Workspaces' }));
  await user.click(screen.getByRole('button', { name: 'Add workspace' }));
  await user.type(screen.getByRole('textbox', { name: 'Name' }), 'Team');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  expect(screen.getAllByRole('textbox', { name: 'Address' })[0]).toBe(document.activeElement);
  expect(screen.getByText('Enter the address of a repository, a rule editor, or both')).toBeDefined();
  expect(bridge.inputsOf('workspaces.add')).toEqual([]);
});
