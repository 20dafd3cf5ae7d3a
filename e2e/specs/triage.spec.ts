import { createHash } from 'node:crypto';
import { eicarMd5 } from '../eicar.ts';
import { expect, test } from '../fixtures.ts';

const unknown = (number: number): string => createHash('md5').update(`nobody has ${number}`).digest('hex');

test('a report becomes a table of its hashes, and a selected one is downloaded and tagged', async ({
  vitrine,
  lookup,
}) => {
  const { page } = vitrine;
  const shown = await page.getByRole('table').getByRole('row').allInnerTexts();
  const known = shown.flatMap((row) => /[0-9a-f]{32}/.exec(row) ?? []);
  const hashes = [...known, ...Array.from({ length: 20 }, (_, number) => unknown(number))];
  await test.step('every hash has its row, and nothing is downloaded', async () => {
    await lookup.ask([...hashes, eicarMd5, eicarMd5.slice(1), '0'.repeat(32)].join(' '));
    await expect(page.getByRole('heading', { name: `${hashes.length} of ${hashes.length} answered` })).toBeVisible();
    await expect(page.getByRole('button', { name: `${known.length} repository` })).toBeVisible();
    await expect(page.getByRole('button', { name: '20 unknown' })).toBeVisible();
    await expect(page.getByText('A look-up fetches records and downloads no files.')).toBeVisible();
    await expect(page.getByRole('region', { name: 'Not looked up' }).getByText(/31 hex digits/)).toBeVisible();
  });
  await test.step('a row opens its sample, and Escape leads back to it', async () => {
    const row = page.getByRole('row', { name: /eicar\.com/ });
    await row.click();
    await row.press('Enter');
    await expect(lookup.sample('eicar.com')).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(row).toBeFocused();
  });
  await test.step('the bar of actions is one row high at every width', async () => {
    const bar = page.locator('footer[data-row-actions]');
    await page.keyboard.press('Control+a');
    const size = page.viewportSize();
    for (const width of size === null ? [] : [1024, 1100, 1200, 1280, 1600]) {
      await page.setViewportSize({ width, height: 800 });
      expect((await bar.boundingBox())?.height, `at ${width}`).toBe(40);
    }
    if (size !== null) await page.setViewportSize(size);
    await page.keyboard.press('Escape');
  });
  await test.step('a selected row is downloaded, and its state follows', async () => {
    await page.keyboard.press('x');
    await expect(page.getByText('1 to download, 68 bytes')).toBeVisible();
    await page.keyboard.press('d');
    await expect(page.getByRole('row', { name: /eicar\.com/ })).toContainText('In the vault');
  });
  await test.step('a tag goes to the selected sample, and is undone', async () => {
    await page.keyboard.press('t');
    await page.keyboard.type('triage:seen');
    await page.keyboard.press('Enter');
    const row = page.getByRole('row', { name: /eicar\.com/ });
    await expect(row).toContainText('triage:seen');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: /^Undo/ }).click();
    await expect(row).not.toContainText('triage:seen');
  });
  await test.step('a hash that was left out joins the table', async () => {
    await page.getByRole('button', { name: 'Look up anyway' }).click();
    await expect(
      page.getByRole('heading', { name: `${hashes.length + 1} of ${hashes.length + 1} answered` }),
    ).toBeVisible();
  });
  await test.step('a chip shows only its rows', async () => {
    await page.getByRole('button', { name: '21 unknown' }).click();
    await expect(page.getByRole('grid')).toHaveAttribute('aria-rowcount', '22');
  });
  await test.step('Activity leads back to the table', async () => {
    await lookup.ask('');
    await page.getByRole('button', { name: 'Activity', exact: true }).click();
    await page.getByRole('row', { name: /Look-up of many/ }).click();
    await page.getByRole('button', { name: 'Show table' }).click();
    await expect(
      page.getByRole('heading', { name: `${hashes.length + 1} of ${hashes.length + 1} answered` }),
    ).toBeVisible();
  });
});
