import '../../test/page-surroundings.ts';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { WorkspaceView } from '../../../shared/domain/workspace.ts';
import { open } from '../../test/open-page.fixture.tsx';
import { lab } from '../../test/quiet-host.ts';

async function openSettings() {
  const page = await open();
  await page.user.click(screen.getByRole('button', { name: 'Settings' }));
  await screen.findByRole('heading', { level: 2, name: 'Appearance' });
  return page;
}

const field = () => screen.getByRole('textbox', { name: 'Find a setting' });
const fold = () => screen.getByText('Advanced').closest('details');

test('a setting is found by another word, by keys alone, and its fold opens with the focus in it', async () => {
  const { user } = await openSettings();
  await user.click(screen.getByRole('button', { name: 'Tokens' }));
  await user.keyboard('/');
  expect(field()).toBe(document.activeElement);
  await user.keyboard('ram');
  expect(screen.getByText('1 setting')).toBeDefined();
  await user.keyboard('{Enter}');
  expect(await screen.findByRole('heading', { level: 2, name: 'Scans' })).toBeDefined();
  const memory = await screen.findByRole('textbox', { name: 'Memory limit per engine process, in MiB' });
  await waitFor(() => expect(memory).toBe(document.activeElement));
  expect(fold()?.open).toBe(true);
});

test('the rarely used settings of a section are folded until they are asked for', async () => {
  const { user } = await openSettings();
  await user.click(screen.getByRole('button', { name: 'Downloads' }));
  await screen.findByRole('textbox', { name: 'Parallel requests' });
  expect(fold()?.open).toBe(false);
});

test('several found settings are chosen with the arrows, and Escape ends the search', async () => {
  const { user } = await openSettings();
  await user.type(field(), 'backup{ArrowDown}');
  expect(screen.getByRole('button', { name: /^Backup/ })).toBe(document.activeElement);
  await user.keyboard('{Escape}');
  expect(field()).toBe(document.activeElement);
  expect(screen.getByRole('heading', { level: 2, name: 'Appearance' })).toBeDefined();
  await user.type(field(), 'xyzzy');
  expect(screen.getByText(/^No setting found/)).toBeDefined();
  await user.keyboard('{Escape}');
  expect(field()).toHaveProperty('value', '');
});

test('a section is opened during the search, too', async () => {
  const { user } = await openSettings();
  await user.type(field(), 'proxy');
  await user.click(
    within(screen.getByRole('navigation', { name: 'Sections' })).getByRole('button', { name: 'Tokens' }),
  );
  expect(await screen.findByRole('heading', { level: 2, name: 'Tokens' })).toBeDefined();
  expect(field()).toHaveProperty('value', '');
});

test('a setting of the form of a workspace leads to the form, with its fold open', async () => {
  const { user } = await openSettings();
  await user.type(field(), 'proxy{Enter}');
  expect(await screen.findByText('Proxy: set for each workspace. Choose Edit, or add a workspace.')).toBeDefined();
  expect(document.activeElement?.textContent).toMatch(/^Proxy: set for each workspace/);
  await user.click(screen.getByRole('button', { name: 'Add workspace' }));
  await waitFor(() => expect(screen.getByRole('radio', { name: /^Automatic/ })).toBe(document.activeElement));
});

const team: WorkspaceView = {
  ...lab,
  id: 'team',
  name: 'Team',
  builtIn: false,
};

test('a setting of a workspace form opens the form of the current one, with the focus in its field', async () => {
  let current = 'lab';
  const { user, bridge } = await open({
    'workspaces.list': () => ({ workspaces: [lab, team], current, damaged: [] }),
  });
  current = 'team';
  bridge.emit('workspaces.changed', {});
  await screen.findByRole('button', { name: 'Workspace: Team' });
  await user.click(screen.getByRole('button', { name: 'Settings' }));
  await screen.findByRole('heading', { level: 2, name: 'Appearance' });
  await user.type(field(), 'proxy{Enter}');
  await waitFor(() => expect(screen.getByRole('radio', { name: /^Automatic/ })).toBe(document.activeElement));
  expect(field()).toHaveProperty('value', '');
  // The form is left for good: it does not open once more by itself.
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(await screen.findByRole('button', { name: 'Add workspace' })).toBeDefined();
  await waitFor(() => expect(screen.getByRole('button', { name: 'Edit' })).toBe(document.activeElement));
});

test('the palette leads to the same places', async () => {
  const { user } = await open();
  await user.keyboard('{Control>}k{/Control}');
  await user.paste('url length');
  await user.click(await screen.findByRole('option', { name: /Maximum URL length/ }));
  const length = await screen.findByRole('textbox', { name: 'Maximum URL length, in bytes' });
  await waitFor(() => expect(length).toBe(document.activeElement));
  expect(fold()?.open).toBe(true);
});
