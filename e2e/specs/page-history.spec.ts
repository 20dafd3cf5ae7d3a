import { createHash } from 'node:crypto';
import { eicarMd5 } from '../eicar.ts';
import { expect, test } from '../fixtures.ts';
import { LibraryPage } from '../pages/library-page.ts';

const unknown = (kind: string): string => createHash(kind).update('nobody has it').digest('hex');

test.use({ beginsWith: 'sample-files' });

test('Back and Forward of the browser lead through look-ups, the library and a sample, with the same address', async ({
  vitrine: { page },
  lookup,
}, testInfo) => {
  test.skip(testInfo.project.name === 'desktop', 'the window of the desktop has no buttons for it');
  const library = new LibraryPage(page);
  const samplePage = page.getByRole('heading', { level: 1, name: 'Sample' });
  const address = page.url();
  expect(address).not.toContain('#');
  await lookup.ask(eicarMd5);
  await expect(lookup.sample('eicar.com')).toBeVisible();
  await library.open();
  await library.row('invoice_2291').dblclick();
  await expect(samplePage).toBeVisible();
  expect(page.url()).toBe(address);

  await page.goBack();
  await expect(library.table).toBeVisible();
  await page.goBack();
  await expect(lookup.sample('eicar.com')).toBeVisible();
  await page.goForward();
  await expect(library.table).toBeVisible();
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
  await page.goBack();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(library.table).toBeVisible();
  await page.goForward();
  await expect(samplePage).toBeVisible();
  expect(page.url()).toBe(address);
});

test('Back leads to the table of many hashes, which the look-up and Activity show after a reload too', async ({
  vitrine: { page },
  lookup,
}, testInfo) => {
  test.skip(testInfo.project.name === 'desktop', 'the window of the desktop has no buttons for it');
  const answered = page.getByRole('heading', { name: '3 of 3 answered' });
  await lookup.ask(`${eicarMd5} and ${unknown('md5')}, then ${unknown('sha1')}`);
  await expect(answered).toBeVisible();
  await lookup.ask(eicarMd5);
  await expect(lookup.sample('eicar.com')).toBeVisible();
  await page.goBack();
  await expect(answered).toBeVisible();
  await page.goForward();
  await expect(lookup.sample('eicar.com')).toBeVisible();

  await page.reload();
  await page.getByRole('button', { name: 'Show last table: 3 hashes' }).click();
  await expect(answered).toBeVisible();
  await page.getByRole('button', { name: 'Activity', exact: true }).click();
  await page.getByRole('button', { name: 'Show table' }).click();
  await expect(answered).toBeVisible();
  await lookup.ask(eicarMd5);
  await expect(lookup.sample('eicar.com')).toBeVisible();
  await page.goBack();
  await expect(answered).toBeVisible();
  await expect(page.getByRole('row', { name: /eicar\.com/ })).toBeVisible();
});
