import '../../test/page-surroundings.ts';
import { screen, waitFor } from '@testing-library/react';
import { expect, onTestFinished, test } from 'vitest';
import { settings } from '../../../shared/domain/settings.ts';
import { showTimesIn } from '../../components/format.ts';
import { open } from '../../test/open-page.fixture.tsx';
import { host, usedSettings } from '../../test/quiet-host.ts';

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

test('times are shown as chosen, from the status bar on, and the choice is kept', async () => {
  let values = usedSettings;
  const { user, bridge } = await open({
    'settings.read': () => ({ values, damaged: [] }),
    'settings.change': (change) => ({ values: (values = settings.parse({ ...values, ...change })) }),
  });
  onTestFinished(() => showTimesIn('utc'));
  await user.click(screen.getByRole('button', { name: 'Settings' }));
  expect(await screen.findByRole('radio', { name: /^UTC, such as \d{4}-\d{2}-\d{2} \d{2}:\d{2}Z$/ })).toBeDefined();
  expect(screen.getByRole('timer').textContent).toMatch(/Z$/);
  await user.click(screen.getByRole('radio', { name: /^Local time, such as .*[+-]\d{2}:\d{2}$/ }));
  await waitFor(() => expect(screen.getByRole('timer').textContent).toMatch(/[+-]\d{2}:\d{2}$/));
  expect(bridge.inputsOf('settings.change')).toEqual([{ times: 'local' }]);
});
