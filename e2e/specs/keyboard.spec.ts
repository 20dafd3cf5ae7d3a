import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { eicarMd5, eicarSha256 } from '../eicar.ts';
import { expect, test } from '../fixtures.ts';
import { BulkPage } from '../pages/bulk-page.ts';
import { testWith7z } from '../zip-check.ts';

test('the main path works with no pointer: paste, download, export', async ({ desk, lookup }) => {
  const { keyboard } = desk.page;
  await expect(lookup.field).toBeFocused();
  await keyboard.type(eicarMd5);
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

test('a bulk download works with no pointer, and the focus is never lost', async ({ desk, lookup }) => {
  const { page } = desk;
  const bulk = new BulkPage(page);
  const { keyboard } = page;
  await expect(lookup.field).toBeFocused();
  await keyboard.press('Control+2');
  await expect(bulk.field).toBeFocused();
  await keyboard.type(`${eicarMd5}\n943252db2370a73b98bb2d261322baa7`);
  await expect(page.getByRole('button', { name: 'Download 2 samples' })).toBeEnabled();
  await keyboard.press('Control+Enter');
  await expect(bulk.ended('1 of 2 not fetched')).toBeVisible();
  await tabTo(page, bulk.outcome('2 all'));
  await keyboard.press('ArrowRight');
  await keyboard.press('ArrowRight');
  await expect(bulk.outcome('1 done')).toBeFocused();
  await keyboard.press('Enter');
  await expect(bulk.rows()).toHaveCount(2);
  const row = bulk.rows().nth(1);
  await tabTo(page, row);
  await keyboard.press('x');
  await expect(page.getByText('1 selected')).toBeVisible();
  await keyboard.press('e');
  await expect(bulk.dialog.getByRole('button', { name: 'Not now' })).toBeFocused();
  await keyboard.press('Escape');
  await expect(row).toBeFocused();
  await keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Keys' })).toContainText('Start the download');
  await keyboard.press('Escape');
  await expect(row).toBeFocused();
  await keyboard.press('Control+5');
  await expect(page.getByRole('region', { name: /^Job \d/ }).locator(':focus')).toHaveCount(1);
  await keyboard.press('Control+2');
  await expect(bulk.rows()).toHaveCount(2);
});

async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let step = 0; step < 20 && !(await target.evaluate((element) => element === document.activeElement)); step += 1) await page.keyboard.press('Tab');
  await expect(target).toBeFocused();
}

test('Ctrl K reaches the command field from anywhere, and a hash typed there is looked up', async ({ desk, lookup, settings }) => {
  await settings.open('Appearance');
  await desk.page.keyboard.press('Control+k');
  await desk.page.keyboard.type(eicarMd5);
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
