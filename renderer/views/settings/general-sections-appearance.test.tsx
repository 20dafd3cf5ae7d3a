import '../../test/page-surroundings.ts';
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { open } from '../../test/open-page.fixture.tsx';
import { host } from '../../test/quiet-host.ts';

async function openAppearance(staysInTray: boolean) {
  const page = await open({
    'host.describe': () => ({ ...host, capabilities: { ...host.capabilities, staysInTray } }),
  });
  await page.user.click(screen.getByRole('button', { name: 'Settings' }));
  await page.user.click(screen.getByRole('button', { name: 'Appearance' }));
  return page;
}

test('the action on closing the window can be chosen', async () => {
  const { user, bridge } = await openAppearance(true);
  expect(
    await screen.findByRole('radio', { name: 'Ask if work would stop, otherwise quit', checked: true }),
  ).toBeDefined();
  await user.click(screen.getByRole('radio', { name: 'Keep running in the tray' }));
  await user.click(screen.getByRole('radio', { name: 'Quit' }));
  expect(bridge.inputsOf('settings.change')).toEqual([{ whenClosed: 'tray' }, { whenClosed: 'quit' }]);
});

test('a host without a window to close offers no choice', async () => {
  await openAppearance(false);
  expect(screen.getByRole('radiogroup', { name: 'Theme' })).toBeDefined();
  expect(screen.queryByRole('radiogroup', { name: 'When the window is closed' })).toBeNull();
});
