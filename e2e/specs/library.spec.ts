import { type Vitrine, expect, test } from '../fixtures.ts';
import { BulkPage } from '../pages/bulk-page.ts';
import { LibraryPage } from '../pages/library-page.ts';
import { LookupPage } from '../pages/lookup-page.ts';
import { glasswing } from '../sample-files.ts';

/**
 * Every sample file of the lab by a bulk download, which gives no names; two of them were looked up before and have
 * their names and tags.
 */
async function fillLibrary(vitrine: Vitrine): Promise<LibraryPage> {
  const lookup = new LookupPage(vitrine.page);
  await expect(vitrine.page.getByRole('row', { name: /eicar/ })).toBeVisible();
  const md5s = await vitrine.page.getByRole('table').getByRole('row').locator('code').allTextContents();
  for (const [at, name] of ['eicar.com', 'invoice_2291.exe'].entries()) {
    await lookup.ask(md5s[at] ?? '');
    await expect(lookup.sample(name)).toBeVisible();
  }
  const bulk = new BulkPage(vitrine.page);
  await bulk.open();
  await bulk.paste(md5s.join('\n'));
  await bulk.start();
  await expect(bulk.ended(/samples downloaded and verified/)).toBeVisible();
  const library = new LibraryPage(vitrine.page);
  await library.open();
  await expect(library.row('invoice_2291.exe')).toBeVisible();
  return library;
}

const withSampleFiles = test.extend({ beginsWith: 'sample-files' });

/** The library that `fillLibrary` makes, in a program that began with it. */
async function openLibrary({ page }: Vitrine): Promise<LibraryPage> {
  const library = new LibraryPage(page);
  await library.open();
  await expect(library.row('invoice_2291.exe')).toBeVisible();
  return library;
}

test('an empty library offers next steps, shows new samples live, and sorts by column header', async ({
  vitrine,
  lookup,
}) => {
  const library = new LibraryPage(vitrine.page);
  await library.open();
  await vitrine.page.getByRole('button', { name: 'Look up a sample' }).click();
  await expect(lookup.field).toBeVisible();
  await fillLibrary(vitrine);
  await expect(library.row('invoice_2291.exe')).toContainText('In vault');
  await expect(library.line('14 samples')).toBeVisible();
  const names = library.head('Name');
  await names.click();
  await expect(names).toHaveAttribute('aria-sort', /^(?:as|des)cending$/);
  const first = await names.getAttribute('aria-sort');
  await names.click();
  await expect(names).toHaveAttribute('aria-sort', first === 'ascending' ? 'descending' : 'ascending');
});

withSampleFiles(
  'the bar of actions is one row high at every width, whatever is selected',
  async ({ vitrine }, testInfo) => {
    test.skip(testInfo.project.name === 'desktop', 'the size of its window is its own');
    const { page } = vitrine;
    const library = await openLibrary(vitrine);
    const bar = page.locator('footer[data-row-actions]');
    const grid = page.getByRole('grid');
    await library.row('invoice_2291.exe').click();
    await expect(page.getByRole('complementary', { name: 'Selected sample' })).toBeVisible();
    for (const width of [1024, 1100, 1200, 1280, 1600]) {
      await page.setViewportSize({ width, height: 800 });
      const heights = async () => [(await bar.boundingBox())?.height, (await grid.boundingBox())?.height];
      const before = await heights();
      expect(before[0]).toBe(37);
      await page.keyboard.press('x');
      await page.keyboard.press('Shift+ArrowDown');
      await expect(bar.getByText('2 selected')).toBeVisible();
      await expect(bar.getByRole('button', { name: 'Compare' })).toBeVisible();
      expect(await heights(), `at ${width}`).toEqual(before);
      await page.keyboard.press('Escape');
      await page.keyboard.press('ArrowUp');
    }
  },
);

withSampleFiles(
  'a query is typed with what is offered, finds as it is typed, and says where it is wrong',
  { tag: '@long' },
  async ({ vitrine }) => {
    const library = await openLibrary(vitrine);
    await library.row('invoice_2291.exe').click();
    await vitrine.page.keyboard.press('/');
    await vitrine.page.keyboard.type('tag:fam');
    await expect(library.choices.first()).toContainText('family:');
    await vitrine.page.keyboard.press('ArrowDown');
    await vitrine.page.keyboard.press('Enter');
    await expect(library.query).toHaveValue(/^tag:family:\S+ $/);
    await expect(vitrine.page.getByText(/^\d+ of \d+ samples$/)).toBeVisible();
    await library.search('size:>1TB invoice');
    await expect(vitrine.page.getByText('size:>1TB alone matches no sample.', { exact: false })).toBeVisible();
    await vitrine.page.getByRole('button', { name: /^Without size:>1TB/ }).click();
    await expect(library.row('invoice_2291.exe')).toBeVisible();
    await library.search('sise:>1MB');
    await expect(library.query).toHaveAccessibleDescription(/Unknown field “sise:”/);
    await expect(library.row('invoice_2291.exe')).toBeVisible();
  },
);

withSampleFiles(
  'samples are tagged, marked, noted and forgotten by keys alone, and a tag is taken back',
  { tag: '@long' },
  async ({ vitrine }) => {
    const library = await openLibrary(vitrine);
    await library.search(`sha256:${glasswing.slice(0, 12)}`);
    await expect(library.table.getByRole('row')).toHaveCount(2);
    await library.query.press('ArrowDown');
    await vitrine.page.keyboard.press('t');
    await vitrine.page.keyboard.type('case:2026-114,');
    await expect(library.inspector).toContainText('case:2026-114');
    await vitrine.page.keyboard.press('Escape');
    await vitrine.page.getByRole('button', { name: 'Undo' }).click();
    await expect(library.inspector).not.toContainText('case:2026-114');
    await library.row('invoice_2291.exe').focus();
    await vitrine.page.keyboard.press('l');
    await vitrine.page.getByRole('menuitem', { name: 'RED' }).click();
    await expect(library.row('invoice_2291.exe')).toContainText('RED');
    await vitrine.page.getByRole('button', { name: 'Note…', exact: true }).click();
    await library.dialog.getByRole('textbox', { name: 'Note' }).fill('seen in a mail');
    await library.dialog.getByRole('button', { name: 'Add note' }).click();
    await expect(library.inspector.getByText('seen in a mail')).toBeVisible();
    await library.search('note:mail tlp:red');
    // It leads to what this search finds: the row that is there still is of the one before.
    await library.query.press('ArrowDown');
    await expect(library.row('invoice_2291.exe')).toBeFocused();
    await vitrine.page.keyboard.press('Delete');
    const question = vitrine.page.getByRole('alertdialog', { name: 'Forget “invoice_2291.exe”?' });
    await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
    await question.getByRole('button', { name: 'Forget 1 sample' }).click();
    await expect(library.inspector.getByText('Not in the vault')).toBeVisible();
  },
);

withSampleFiles(
  'ticked samples are compared by keys alone, differences first, and the focus returns to the list',
  { tag: '@long' },
  async ({ vitrine }) => {
    const { page } = vitrine;
    const library = await openLibrary(vitrine);
    await library.row('eicar.com').click();
    await page.keyboard.press('x');
    await library.row('invoice_2291.exe').focus();
    await page.keyboard.press('x');
    await page.keyboard.press('o');
    const comparison = page.getByRole('dialog', { name: 'Compare 2 samples' });
    await expect(comparison.getByRole('row', { name: /^Name differs eicar\.com invoice_2291\.exe/ })).toBeVisible();
    await expect(comparison.getByRole('button', { name: 'Close' })).toBeFocused();
    await comparison.getByText('Differences only').click();
    await expect(comparison.getByRole('row', { name: /^Vault In vault In vault/ })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(comparison).toBeHidden();
    await expect(library.row('invoice_2291.exe')).toBeFocused();
  },
);

withSampleFiles(
  'the focus stays at its row, whatever a key opened there, and is there again after a look at the sample',
  { tag: '@long' },
  async ({ vitrine }) => {
    const library = await openLibrary(vitrine);
    const row = library.row('invoice_2291.exe');
    await row.click();
    await test.step('names and bytes fit beside the inspector in a window of 1280', async () => {
      await expect(library.inspector).toBeVisible();
      await expect(library.head('Bytes')).toBeVisible();
      const name = await library.head('Name').boundingBox();
      expect(name?.width).toBeGreaterThanOrEqual(120);
    });
    for (const key of ['l', 'c']) {
      await vitrine.page.keyboard.press(key);
      await expect(vitrine.page.getByRole('menuitem').first()).toBeFocused();
      await vitrine.page.keyboard.press('Escape');
      await expect(row).toBeFocused();
    }
    await vitrine.page.keyboard.press('l');
    await vitrine.page.getByRole('menuitem', { name: 'RED' }).click();
    await expect(row).toBeFocused();
    await vitrine.page.getByRole('button', { name: 'Undo' }).click();
    await expect(row).not.toContainText('RED');
    await expect(row).toBeFocused();
    await vitrine.page.keyboard.press('Enter');
    await expect(library.title).toBeHidden();
    await vitrine.page.keyboard.press('Escape');
    await expect(row).toBeFocused();
  },
);

withSampleFiles(
  'a search is saved, counted while the library changes, and found again with the columns after a reload',
  { tag: '@long' },
  async ({ vitrine }) => {
    const library = await openLibrary(vitrine);
    await library.search('name:invoice');
    await vitrine.page.getByRole('button', { name: 'Columns' }).click();
    await library.dialog.getByText('First seen').click();
    await library.dialog.getByRole('button', { name: 'Close' }).click();
    await vitrine.page.getByRole('button', { name: 'Save view' }).click();
    await library.dialog.getByRole('textbox', { name: 'Name' }).fill('Invoices');
    await library.dialog.getByRole('button', { name: 'Save view' }).click();
    await expect(library.views.getByRole('button', { name: 'Invoices, 1 sample' })).toBeVisible();
    await vitrine.page.reload();
    await vitrine.page.setViewportSize({ width: 1800, height: 800 });
    await library.open();
    await expect(library.head('First seen')).toBeVisible();
    await library.views.getByRole('button', { name: /^Invoices/ }).click();
    await expect(library.query).toHaveValue('name:invoice');
    await expect(library.table.getByRole('row')).toHaveCount(2);
    await expect(library.head('First seen')).toBeVisible();
    await library.views.getByRole('button', { name: 'More actions for Invoices' }).focus();
    await vitrine.page.keyboard.press('Enter');
    await vitrine.page.getByRole('menuitem', { name: /^Remove/ }).click();
    await expect(library.views).toBeHidden();
    await expect(
      vitrine.page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name: /^Library/ }),
    ).toBeFocused();
  },
);
