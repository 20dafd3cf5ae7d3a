import { expect, type Locator, type Page } from '@playwright/test';
import { LookupPage } from '../../pages/lookup-page.ts';
import { SamplePage } from '../../pages/sample-page.ts';
import { glasswing } from '../../specimens.ts';
import { allSaid, said } from '../reading.ts';
import type { TourStop } from '../tour-stop.ts';

const note = [
  '# Glasswing, wave of 17 November',
  '',
  '- same stub as in **February**, new icon',
  '- `$mark` still at `0x200`',
  '',
  'Sinkholed: https://updates.glasswing.example/a',
  '',
  '> Ask Jonas for the mail.',
].join('\n');

export const samplePage: TourStop = {
  name: 'sample',
  title: 'All about one sample',
  did: 'Opened a sample out of the library, wrote a note in Markdown, saved it and read it.',
  themes: ['light'],
  walk: async ({ page }) => {
    const sample = new SamplePage(page);
    await sample.openFromLibrary(glasswing.slice(0, 12));
    await sample.writeNote(note);
    await sample.note.getByRole('button', { name: 'Read' }).click();
    await expect(sample.note.getByRole('heading', { name: /^Glasswing/ })).toBeVisible();
    await new LookupPage(page).sample('invoice_2291.exe').scrollIntoViewIfNeeded();
    return {
      answers: [
        `Note: ${await said(sample.note.getByText('Sinkholed'))}`,
        ...(await allSaid(page.getByRole('list', { name: 'Went to' }).getByRole('listitem'))).map(withoutTime),
      ],
    };
  },
};

const withoutTime = (words: string): string =>
  words
    .replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d(?::\d\d)?Z/g, '')
    .replaceAll(/ {2,}/g, ' ')
    .trim();

export const palette: TourStop = {
  name: 'palette',
  title: 'Anything, by its name',
  did: 'Pressed Ctrl K and typed four letters: what can be done here, rooms, settings, samples and rules in one list.',
  themes: ['light'],
  walk: async ({ page }) => {
    await page.keyboard.press('Control+k');
    await page.keyboard.type('scan');
    const list = page.getByRole('listbox', { name: 'Commands' });
    for (const name of ['Samples', 'Rules']) await expect(list.getByRole('group', { name })).toBeVisible();
    // Those that are searched stand in the order in which they came.
    return { answers: (await Promise.all((await list.getByRole('group').all()).map(choicesOf))).toSorted() };
  },
};

/** "Go to: Scan Ctrl 6, Settings: Scans". */
const choicesOf = async (group: Locator): Promise<string> =>
  `${await said(group.locator('> :not([role=option])'))}: ${(await allSaid(group.getByRole('option'))).join(', ')}`;

async function openSettings(page: Page, section: string | RegExp): Promise<void> {
  await page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name: 'Settings' }).click();
  await page.getByRole('navigation', { name: 'Sections' }).getByRole('button', { name: section }).click();
}

export const storage: TourStop = {
  name: 'storage',
  title: 'What is kept, and whether it is whole',
  did: 'Had every sample of the vault compared with its hashes.',
  themes: ['light'],
  walk: async ({ page }) => {
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await openSettings(page, 'Storage');
    await page.getByRole('button', { name: 'Check vault' }).click();
    const result = page.getByText(/samples intact/);
    await expect(result).toBeVisible();
    return { answers: [(await said(result)).replace(/^.*: /, '')] };
  },
};

export const journal: TourStop = {
  name: 'journal',
  title: 'The journal is intact',
  did: 'Had the journal verified: every row is chained to the one before.',
  themes: ['light'],
  walk: async ({ page }) => {
    await openSettings(page, /^(?:About|Data and version)$/);
    await page.getByRole('button', { name: 'Verify journal' }).click();
    const result = page.getByText(/^Journal intact/);
    await expect(result).toBeVisible();
    return { answers: [await said(result)] };
  },
};

export const activity: TourStop = {
  name: 'activity',
  title: 'What was done',
  did: 'Went to Activity, where every job of this tour is, with what became of each item.',
  themes: ['light', 'dark'],
  walk: async ({ page }) => {
    await page
      .getByRole('navigation', { name: 'Views' })
      .getByRole('button', { name: /^Activity/ })
      .click();
    const jobs = page.getByRole('grid', { name: 'Jobs' });
    await jobs.getByRole('row').filter({ hasText: 'not fetched' }).click();
    await expect(page.getByRole('toolbar', { name: 'Show by outcome' })).toBeVisible();
    return { answers: (await allSaid(jobs.getByRole('row'))).map(withoutTime) };
  },
};
