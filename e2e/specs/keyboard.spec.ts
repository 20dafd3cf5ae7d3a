import { join } from 'node:path';
import { eicarMd5, eicarSha256 } from '../eicar.ts';
import { expect, test } from '../fixtures.ts';
import { testWith7z } from '../zip-check.ts';

test('the main path works with no pointer: paste, download, export', async ({ desk, lookup }) => {
  const { keyboard } = desk.page;
  await expect(lookup.field).toBeFocused();
  await keyboard.insertText(eicarMd5);
  await keyboard.press('Enter');
  await expect(lookup.sample('eicar.com')).toBeFocused();
  await keyboard.press('d');
  await expect(lookup.inVault).toBeVisible();
  await keyboard.press('e');
  await expect(desk.page.getByRole('dialog')).toBeVisible();
  const send = desk.page.getByRole('button', { name: 'Export to the folder' });
  for (let step = 0; step < 20 && !(await send.evaluate((button) => button === document.activeElement)); step += 1) await keyboard.press('Tab');
  await keyboard.press('Enter');
  await expect(desk.page.getByText(/^Exported /)).toBeVisible();
  await testWith7z(join(desk.exportFolder, `${eicarSha256}.zip`), 'infected');
});

test('Ctrl K reaches the command field from anywhere, and a hash typed there is looked up', async ({ desk, lookup, settings }) => {
  await settings.open('Appearance');
  await desk.page.keyboard.press('Control+k');
  await desk.page.keyboard.insertText(eicarMd5);
  await desk.page.keyboard.press('Enter');
  await expect(lookup.sample('eicar.com')).toBeVisible();
});

test('a question mark shows the keys, and Escape puts them away', async ({ desk, lookup }) => {
  await lookup.ask(eicarMd5);
  await expect(lookup.sample('eicar.com')).toBeFocused();
  await desk.page.keyboard.press('?');
  await expect(desk.page.getByRole('dialog', { name: 'Keys' })).toBeVisible();
  await desk.page.keyboard.press('Escape');
  await expect(desk.page.getByRole('dialog')).toHaveCount(0);
});

test('single letters can be switched off', async ({ desk, lookup, settings }) => {
  await settings.open('Keyboard');
  await desk.page.getByRole('checkbox', { name: /^Single letters do things/ }).click({ force: true });
  await lookup.open();
  await lookup.ask(eicarMd5);
  await expect(lookup.sample('eicar.com')).toBeFocused();
  await desk.page.keyboard.press('d');
  await expect(desk.page.getByText('Not in the vault')).toBeVisible();
});
