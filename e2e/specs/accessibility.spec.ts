import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { eicarMd5 } from '../eicar.ts';
import { expect, test } from '../fixtures.ts';
import { BulkPage } from '../pages/bulk-page.ts';

const unknownMd5 = '943252db2370a73b98bb2d261322baa7';

async function expectNothingFound(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']).analyze();
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`)).toEqual([]);
}

for (const colorScheme of ['light', 'dark'] as const) {
  test(`axe finds nothing in any view, ${colorScheme}`, async ({ desk, lookup, settings }) => {
    await desk.page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await expect(desk.page.getByRole('row', { name: /eicar/ })).toBeVisible();
    await expectNothingFound(desk.page);
    await lookup.ask('0'.repeat(32));
    await expect(lookup.alert).toBeVisible();
    await expectNothingFound(desk.page);
    await lookup.ask(eicarMd5);
    await expect(lookup.sample('eicar.com')).toBeVisible();
    await expectNothingFound(desk.page);
    await lookup.download();
    await desk.page.getByRole('button', { name: /^Export ZIP/ }).click();
    await expect(desk.page.getByRole('dialog')).toBeVisible();
    await expectNothingFound(desk.page);
    await desk.page.keyboard.press('Escape');
    for (const section of ['Appearance', 'Downloads', 'Export', 'Tokens', 'Keyboard', 'Data and version', 'Workspaces'] as const) {
      await settings.open(section);
      await expectNothingFound(desk.page);
    }
    await desk.page.getByRole('button', { name: 'Add a workspace' }).click();
    await expectNothingFound(desk.page);
  });
}

for (const colorScheme of ['light', 'dark'] as const) {
  test(`axe finds nothing in a bulk download, its exports and the activity, ${colorScheme}`, async ({ desk }) => {
    const { page } = desk;
    const bulk = new BulkPage(page);
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await bulk.open();
    await expectNothingFound(page);
    await bulk.paste(`${eicarMd5}\n${eicarMd5.slice(1)}\n${unknownMd5}`);
    await expect(page.getByRole('button', { name: 'Download 2 samples' })).toBeEnabled();
    await expectNothingFound(page);
    await bulk.start();
    await expect(bulk.ended('1 of 2 not fetched')).toBeVisible();
    await expectNothingFound(page);
    await bulk.outcome('1 done').click();
    await bulk.rows().nth(1).click();
    await page.keyboard.press('x');
    await expect(page.getByText('1 selected')).toBeVisible();
    await expectNothingFound(page);
    await page.keyboard.press('e');
    await expect(bulk.dialog).toBeVisible();
    await expectNothingFound(page);
    await bulk.dialog.getByText('Raw files').click();
    await bulk.dialog.getByRole('button', { name: 'Go on with raw files' }).click();
    await expect(bulk.dialog.getByRole('textbox')).toBeVisible();
    await expectNothingFound(page);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+5');
    await expect(page.getByRole('region', { name: /^Job \d/ })).toBeVisible();
    await expectNothingFound(page);
  });
}

for (const width of [900, 1280, 2560]) {
  test(`the page itself never scrolls, at ${width} pixels wide`, async ({ desk, lookup }) => {
    await desk.page.setViewportSize({ width, height: 800 });
    await lookup.ask(eicarMd5);
    await expect(lookup.sample('eicar.com')).toBeVisible();
    const overflow = await desk.page.evaluate(() => {
      const { scrollWidth, clientWidth, scrollHeight, clientHeight } = document.documentElement;
      return { across: scrollWidth - clientWidth, down: scrollHeight - clientHeight };
    });
    expect(overflow).toEqual({ across: 0, down: 0 });
  });
}

test('no request leaves for anywhere but the host', async ({ desk, lookup, settings }) => {
  const origin = new URL(desk.page.url()).origin;
  const foreign: string[] = [];
  desk.page.on('request', (request) => {
    if (!request.url().startsWith(origin) && !request.url().startsWith('data:')) foreign.push(request.url());
  });
  // The link works once: only when the page has its session does it outlive being loaded again.
  await desk.page.getByRole('button', { name: 'Workspace: Lab (this computer)' }).waitFor();
  await desk.page.reload();
  await lookup.ask(eicarMd5);
  await expect(lookup.sample('eicar.com')).toBeVisible();
  await settings.open('Tokens');
  expect(foreign).toEqual([]);
});
