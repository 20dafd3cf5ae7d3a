import type { Locator } from '@playwright/test';
import { expect, test } from '../fixtures.ts';
import { BulkPage } from '../pages/bulk-page.ts';
import { LibraryPage } from '../pages/library-page.ts';
import { UploadPage } from '../pages/upload-page.ts';
import { pickFiles } from '../picked-files.ts';

const withSamples = test.extend({ beginsWith: 'sample-files' });

withSamples(
  'the context menu of a library row has the actions of the bar, with their letters, for that row',
  async ({ vitrine: { page } }) => {
    const library = new LibraryPage(page);
    await library.open();
    const row = library.row('invoice_2291');
    await row.click({ button: 'right' });
    const menu = page.getByRole('menu');
    await expect(menu).toHaveAccessibleName('invoice_2291.exe');
    expect(await linesOf(menu)).toEqual(await buttonsOf(page.getByRole('group', { name: 'Actions' })));
    await expect(menu.getByRole('menuitem').first()).toBeFocused();

    await page.keyboard.press('Escape');
    await expect(menu).toHaveCount(0);
    await expect(row).toBeFocused();
    await page.keyboard.press('Shift+F10');
    await menu.getByRole('menuitem', { name: /^Tag/ }).press('Enter');
    await expect(page.getByRole('combobox', { name: 'Local tags' })).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(row).toBeFocused();

    await page.keyboard.press('x');
    await page.keyboard.press('ContextMenu');
    await expect(menu).toHaveAccessibleName('1 selected');
    await menu.getByRole('menuitem', { name: /^Copy/ }).press('Enter');
    await expect(page.getByRole('menu', { name: 'Copy' })).toBeVisible();
  },
);

test('the context menu of a staged file shows why an action is not possible', async ({ vitrine: { page } }) => {
  const upload = new UploadPage(page);
  await upload.open();
  await pickFiles(page.locator('[data-picker=files]').first(), { name: 'given.bin', bytes: 'harmless' });
  const row = page.getByRole('row', { name: /given\.bin/ });
  await row.getByText('given.bin').click();
  await page.keyboard.press('x');
  await expect(page.getByText('No file is ticked', { exact: true })).toBeVisible();
  await row.click({ button: 'right' });
  const tag = page.getByRole('menu').getByRole('menuitem', { name: /Add tag/ });
  await expect(tag).toBeDisabled();
  await expect(tag).toContainText('No file is ticked');
});

test('the items of a job have a context menu', async ({ vitrine: { page } }) => {
  const bulk = new BulkPage(page);
  await bulk.open();
  await page.getByRole('button', { name: 'Paste sample hashes from the lab' }).click();
  await bulk.start();
  await expect(bulk.outcomes).toContainText('14 done');
  await page.getByRole('row').nth(2).click({ button: 'right' });
  await expect(
    page.getByRole('menu', { name: '14 items listed' }).getByRole('menuitem', { name: /^Copy/ }),
  ).toBeVisible();
});

const linesOf = (menu: Locator): Promise<string[]> =>
  menu.getByRole('menuitem').evaluateAll((items) => items.map((item) => item.textContent ?? ''));

const buttonsOf = (bar: Locator): Promise<string[]> =>
  bar.locator('button').evaluateAll((buttons) => buttons.map((button) => button.textContent ?? ''));
