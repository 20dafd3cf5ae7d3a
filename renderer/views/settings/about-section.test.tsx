import '../../test/page-surroundings.ts';
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { host } from '../../test/memory-bridge.ts';
import { open } from '../../test/open-page.fixture.tsx';

async function openAbout(openFolders = false) {
  const page = await open({ 'host.describe': () => ({ ...host, version: '1.2.3', capabilities: { ...host.capabilities, openFolders } }) });
  await page.user.click(screen.getByRole('button', { name: 'Settings' }));
  await page.user.click(screen.getByRole('button', { name: 'About' }));
  return page;
}

test('the version is told, and the licences of what it is made with are read when asked for', async () => {
  const { user } = await openAbout();
  expect(await screen.findByText('Vitrine 1.2.3')).toBeDefined();
  expect(screen.queryByRole('list', { name: 'Licences' })).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Show the licences' }));
  const licences = within(await screen.findByRole('list', { name: 'Licences' }));
  const react = within(licences.getByText('react', { exact: true }).closest('details') ?? document.body);
  expect(react.getByText('MIT')).toBeDefined();
  expect(react.getByLabelText('Licence of react').textContent).toContain('Permission is hereby granted');
  expect(licences.getByLabelText('Licence of @virustotal/yara-x').textContent).toBe('The package brings no text of its licence.');
  await user.click(screen.getByRole('button', { name: 'Hide the licences' }));
  expect(screen.queryByRole('list', { name: 'Licences' })).toBeNull();
});

test('the log is opened where the host can', async () => {
  const { user, bridge } = await openAbout(true);
  await user.click(await screen.findByRole('button', { name: 'Open the log' }));
  expect(bridge.inputsOf('host.openLog')).toEqual([{}]);
});
