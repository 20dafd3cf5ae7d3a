import { act, cleanup, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { navigationViews, type ShellCommand } from '../../shared/domain/host.ts';
import { defaultSettings } from '../../shared/domain/settings.ts';
import { bulkJob } from '../components/jobs/job.fixture.ts';
import { type MemoryBridge } from './memory-bridge.ts';
import { open, openPage } from './open-page.fixture.tsx';
import './page-surroundings.ts';
import { host, lab, md5 } from './quiet-host.ts';

const choose = (bridge: MemoryBridge, command: ShellCommand): void => act(() => bridge.emit('shell.command', command));
const view = (name: string) => screen.findByRole('heading', { level: 1, name });

test('the menus lead to every view, and to the settings', async () => {
  const { bridge } = await open();
  for (const { name, title } of navigationViews) {
    choose(bridge, { kind: 'open-view', view: name });
    expect(await view(title)).toBeDefined();
  }
  choose(bridge, { kind: 'open-view', view: 'settings' });
  expect(await view('Settings')).toBeDefined();
});

test('a notification of a job leads to the job', async () => {
  const { bridge } = await open({ 'jobs.list': () => ({ jobs: [{ ...bulkJob, id: 219 }, bulkJob] }) });
  choose(bridge, { kind: 'open-job', id: bulkJob.id });
  expect(await view('Activity')).toBeDefined();
  await waitFor(() =>
    expect(bridge.inputsOf('jobs.items')).toContainEqual(expect.objectContaining({ id: bulkJob.id })),
  );
  expect(bridge.inputsOf('jobs.items')).not.toContainEqual(expect.objectContaining({ id: 219 }));
});

test('a notification of another workspace leads there', async () => {
  const team = { ...lab, id: 'team', name: 'Team', builtIn: false };
  const { bridge } = await open({
    'workspaces.list': () => ({ workspaces: [lab, team], current: 'lab', damaged: [] }),
  });
  choose(bridge, { kind: 'open-updates', workspaceId: 'lab' });
  expect(await view('Publications')).toBeDefined();
  choose(bridge, { kind: 'open-comments', workspaceId: 'team' });
  expect(await view('Comments')).toBeDefined();
  await waitFor(() => expect(bridge.inputsOf('workspaces.switch')).toEqual([{ id: 'team' }]));
});

test('the shell menus open the palette, the keys, the sidebar, the licences and the storage', async () => {
  const { bridge, user } = await open();
  choose(bridge, { kind: 'fold-sidebar' });
  expect(await screen.findByRole('button', { name: 'Expand sidebar' })).toBeDefined();
  choose(bridge, { kind: 'open-about' });
  expect(await screen.findByRole('heading', { level: 2, name: 'About' })).toBeDefined();
  choose(bridge, { kind: 'save-diagnostics' });
  await waitFor(() => expect(bridge.inputsOf('diagnostics.save')).toEqual([{}]));
  choose(bridge, { kind: 'open-storage' });
  expect(await screen.findByRole('heading', { level: 2, name: 'Storage' })).toBeDefined();
  choose(bridge, { kind: 'open-palette' });
  expect(await screen.findByRole('listbox')).toBeDefined();
  await user.keyboard('{Escape}{Escape}');
  choose(bridge, { kind: 'show-keys' });
  expect(await screen.findByRole('dialog')).toBeDefined();
});

test('an open dialog takes precedence over shell commands', async () => {
  const { bridge } = await open();
  choose(bridge, { kind: 'show-keys' });
  await screen.findByRole('dialog');
  choose(bridge, { kind: 'open-view', view: 'activity' });
  expect(screen.queryByRole('heading', { level: 1, name: 'Activity', hidden: true })).toBeNull();
});

test('a link fills the field of the look-up from any view, and sends nothing', async () => {
  const { bridge } = await open();
  choose(bridge, { kind: 'open-view', view: 'publications' });
  await view('Publications');
  act(() => bridge.emit('lookup.prefill', { md5 }));
  expect(await view('Look up')).toBeDefined();
  expect(screen.getByRole('textbox', { name: 'Hash, or text with hashes' })).toHaveProperty('value', md5);
  expect(bridge.inputsOf('samples.lookup')).toEqual([]);
});

test('a link that starts a new installation is not hidden by the welcome', async () => {
  const settled = Promise.withResolvers<void>();
  const { bridge } = await openPage({
    'settings.read': async () => (await settled.promise, { values: defaultSettings, damaged: [] }),
  });
  act(() => bridge.emit('lookup.prefill', { md5 }));
  await act(async () => settled.resolve());
  expect(await view('Look up')).toBeDefined();
  expect(screen.queryByText('Step 1 of 3')).toBeNull();
  expect(bridge.inputsOf('settings.change')).toEqual([]);
});

test('notifications can be switched off when the host has them, and are not offered otherwise', async () => {
  const { bridge, user } = await open({
    'host.describe': () => ({ ...host, capabilities: { ...host.capabilities, notifications: true } }),
  });
  choose(bridge, { kind: 'open-view', view: 'settings' });
  await user.click(await screen.findByRole('checkbox', { name: /^Show notifications/ }));
  expect(bridge.inputsOf('settings.change')).toEqual([{ notifications: false }]);
  cleanup();
  const web = await open();
  choose(web.bridge, { kind: 'open-view', view: 'settings' });
  await view('Settings');
  expect(screen.queryByRole('checkbox', { name: /^Notify/ })).toBeNull();
});
