import '../../test/page-surroundings.ts';
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { everyKeyTable } from '../../keyboard/keys.ts';
import { open } from '../../test/open-page.fixture.tsx';

async function openKeyboard() {
  const page = await open();
  await page.user.click(screen.getByRole('button', { name: 'Settings' }));
  await page.user.click(screen.getByRole('button', { name: 'Keyboard' }));
  return page;
}

test('the list has every key of every view, found by its action', async () => {
  const { user } = await openKeyboard();
  for (const { title } of everyKeyTable) expect(screen.getByRole('heading', { name: title })).toBeDefined();
  await user.click(screen.getByRole('textbox', { name: 'Find a shortcut' }));
  await user.keyboard('expand sidebar');
  expect(screen.getAllByRole('term').map(({ textContent }) => textContent)).toEqual([
    'Collapse or expand sidebar (wide windows)',
  ]);
  await user.keyboard(' and nothing else');
  expect(screen.getByText('No shortcut found')).toBeDefined();
  await user.keyboard('{Escape}');
  expect(screen.getByRole('heading', { name: 'Everywhere' })).toBeDefined();
});

test('single letters are switched off and on', async () => {
  const { user, bridge } = await openKeyboard();
  await user.click(screen.getByRole('checkbox', { name: /^Single-key shortcuts/ }));
  expect(bridge.inputsOf('settings.change')).toEqual([{ singleLetterKeys: false }]);
});
