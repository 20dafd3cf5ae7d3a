import '../../test/page-surroundings.ts';
import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { type Settings, settings } from '../../../shared/domain/settings.ts';
import { open } from '../../test/open-page.fixture.tsx';
import { noPlan, usedSettings } from '../../test/quiet-host.ts';

async function openScans() {
  let values: Settings = usedSettings;
  const page = await open({
    'settings.read': () => ({ values, damaged: [] }),
    'settings.change': (change) => ({ values: (values = settings.parse({ ...values, ...change })) }),
    'scans.plan': () => ({
      ...noPlan,
      local: {
        engine: values.scanEngine === 'wasm' ? 'wasm' : 'native',
        nativeFailure: null,
        chosen: values.scanEngine,
      },
    }),
  });
  await page.user.click(screen.getByRole('button', { name: 'Settings' }));
  await page.user.click(screen.getByRole('button', { name: 'Scans' }));
  return page;
}

test('the engine is chosen, and its effect on this computer is shown', async () => {
  const { user, bridge } = await openScans();
  expect(await screen.findByText('Local scans use the native engine.')).toBeDefined();
  await user.click(screen.getByRole('radio', { name: /^Portable/ }));
  expect(await screen.findByText('Local scans use the portable engine.')).toBeDefined();
  expect(bridge.inputsOf('settings.change')).toEqual([{ scanEngine: 'wasm' }]);
});

test('seconds and size have their limits', async () => {
  const { user, bridge } = await openScans();
  const seconds = await screen.findByRole('textbox', { name: 'Time limit per file, in seconds' });
  await user.clear(seconds);
  await user.type(seconds, '601');
  expect(screen.getByText('A whole number from 1 to 600')).toBeDefined();
  await user.clear(seconds);
  await user.type(seconds, '60');
  const size = screen.getByRole('textbox', { name: 'Maximum file size, in MiB' });
  await user.clear(size);
  await user.type(size, '1024{Enter}');
  await waitFor(() =>
    expect(bridge.inputsOf('settings.change')).toEqual([{ scanSeconds: 60 }, { scanMebibytes: 1024 }]),
  );
});
