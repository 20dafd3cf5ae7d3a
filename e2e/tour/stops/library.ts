import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, type Locator, type Page } from '@playwright/test';
import { LibraryPage } from '../../pages/library-page.ts';
import { sha256Of, testWith7z } from '../../zip-check.ts';
import { toastsGone } from '../pictures.ts';
import { allSaid, factsOf, said } from '../reading.ts';
import type { TourStop } from '../tour-stop.ts';

const views = [
  ['Ashveil, this week', 'tag:family:ashveil seen:<7d'],
  ['No tags yet', '-tag:*'],
  ['Hit by rules', 'hits:>0'],
  ['Case 2026-114', 'tag:case:2026-114'],
] as const;
const search = 'seen:<7d vault:yes size:<8MiB -tag:testfile';
const ticked = ['invoice_2291.exe', 'invoice_4471.scr', 'libsync.so.2'];

async function saveView(library: LibraryPage, name: string, query: string): Promise<void> {
  await library.search(query);
  await library.page.getByRole('button', { name: 'Save view' }).click();
  await library.dialog.getByRole('textbox', { name: 'Name' }).fill(name);
  await library.dialog.getByRole('button', { name: 'Save view' }).click();
  await expect(library.views.getByRole('button', { name: new RegExp(`^${name},`) })).toBeVisible();
}

/** Waits until what is found is all that is shown: a click before would be meant for the list before. */
async function searchAll(view: LibraryPage): Promise<void> {
  const line = found(view.page);
  const before = await said(line);
  await view.search(search);
  await expect(line).not.toHaveText(before);
  await view.head('Name').click();
  await expect(view.head('Name')).toHaveAttribute('aria-sort', 'ascending');
}

/** "27 of 28 samples". */
const found = (page: Page): Locator => page.getByRole('main').getByText(/^\d+ of \d+ samples$/);

const tick = (library: LibraryPage, name: string): Promise<void> => library.row(name).locator('[data-tick]').click();

/** Every sample in sight has its strip. */
const stripsDrawn = (library: LibraryPage, name: string): Promise<void> =>
  expect(library.row(name).getByRole('img', { name: /^entropy/ })).toBeVisible();

export const library: TourStop = {
  name: 'library',
  title: 'The library',
  did:
    'Save searches as views, search by field, sort by name and tick three samples. ' +
    'The current one is previewed beside the list.',
  themes: ['light', 'dark'],
  walk: async ({ page }) => {
    const view = new LibraryPage(page);
    await view.open();
    for (const [name, query] of views) await saveView(view, name, query);
    await searchAll(view);
    for (const name of ticked) {
      await tick(view, name);
      await stripsDrawn(view, name);
    }
    await view.row('invoice_4471.scr').getByRole('rowheader').click();
    await expect(view.inspector.getByText('In the vault')).toBeVisible();
    await expect(view.inspector.getByText(/match|condition/).first()).toBeVisible();
    return {
      answers: [
        `${search}: ${await said(found(page))}`,
        `Saved views: ${(await allSaid(view.views.getByRole('button', { name: /sample/ }))).join('; ')}`,
        await said(page.getByText(/selected/).first()),
        ...(await factsOf(view.inspector)),
      ],
    };
  },
};

export const compared: TourStop = {
  name: 'compare',
  title: 'Compare samples',
  did: 'Press O: the three samples side by side, differences first. Escape returns to the list.',
  themes: ['light', 'dark'],
  walk: async ({ page }) => {
    await page.keyboard.press('o');
    const dialog = page.getByRole('dialog', { name: 'Compare 3 samples' });
    await expect(dialog.getByRole('rowheader').first()).toBeVisible();
    return {
      answers: [
        await said(dialog.getByText(/facts? (?:is|are) the same/)),
        `Different: ${(await allSaid(dialog.getByRole('rowheader'))).join(', ')}`,
      ],
    };
  },
};

export const copied: TourStop = {
  name: 'copy',
  title: 'Copy as Markdown',
  did: 'Press C and copy the three samples as Markdown. The clipboard now contains this text.',
  themes: ['light'],
  walk: async ({ page }) => {
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toBeHidden();
    await page.keyboard.press('c');
    await page.getByRole('menuitem', { name: /as Markdown/ }).click();
    const reported = page.getByText(/^Copied \d/);
    const words = await said(reported);
    const text = await page.evaluate(() => navigator.clipboard.readText());
    await toastsGone(page);
    await page.keyboard.press('c');
    await expect(page.getByRole('menu')).toBeVisible();
    return { answers: [words], text };
  },
};

export const exporting: TourStop = {
  name: 'export',
  title: 'Export as a password-protected ZIP',
  did: 'Press E: the dialog lists what is exported, in which format, and with which password.',
  themes: ['light'],
  walk: async ({ page }) => {
    await page.keyboard.press('Escape');
    await page.keyboard.press('e');
    await page.getByRole('menuitem', { name: /^Password ZIP/ }).press('Enter');
    const dialog = page.getByRole('dialog');
    await expect(dialog.getByRole('button', { name: 'Export to folder' })).toBeEnabled();
    return {
      answers: [
        await said(dialog.getByRole('heading')),
        ...(await allSaid(dialog.getByRole('radio', { checked: true }).locator('xpath=ancestor::label'))),
      ],
    };
  },
};

export const exported: TourStop = {
  name: 'export-job',
  title: 'Open the export elsewhere',
  did: 'Export, then open the ZIP with another program.',
  themes: ['light'],
  walk: async ({ page, vitrine }) => {
    const hashes = (await factsOf(new LibraryPage(page).inspector)).flatMap(
      (fact) => /^SHA-256: ([0-9a-f]{64})/.exec(fact)?.[1] ?? [],
    );
    await page.getByRole('dialog').getByRole('button', { name: 'Export to folder' }).click();
    await page
      .getByRole('navigation', { name: 'Views' })
      .getByRole('button', { name: /^Activity/ })
      .click();
    const ending = page
      .getByRole('main')
      .getByText(/^\d+ samples exported$/)
      .last();
    await expect(ending).toBeVisible();
    return { answers: [await said(ending), ...(await opened(vitrine.exportFolder, hashes))] };
  },
};

/** What 7z takes out of the one ZIP, under the hashes that the program showed. */
async function opened(folder: string, hashes: readonly string[]): Promise<string[]> {
  const names = await readdir(folder);
  expect(names).toEqual([expect.stringMatching(/\.zip$/)]);
  const zip = join(folder, names[0] ?? '');
  await testWith7z(zip, 'infected');
  expect(hashes).toHaveLength(1);
  for (const sha256 of hashes) expect(await sha256Of(zip, sha256, 'infected')).toBe(sha256);
  return [
    '7z opens it with the password and finds it whole',
    ...hashes.map((sha256) => `What 7z takes out of it as ${sha256} has that SHA-256`),
  ];
}
