import { expect, type Locator, type Page } from '@playwright/test';
import { LookupPage } from '../../pages/lookup-page.ts';
import { SamplePage } from '../../pages/sample-page.ts';
import { glasswing } from '../../sample-files.ts';
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
  title: 'Everything about one sample',
  did: 'Open a sample from the library and write a note in Markdown.',
  themes: ['light'],
  walk: async ({ page }) => {
    const sample = new SamplePage(page);
    await sample.openFromLibrary(glasswing.slice(0, 12));
    await sample.writeNote(note);
    await sample.note.getByRole('button', { name: 'Preview' }).click();
    await expect(sample.note.getByRole('heading', { name: /^Glasswing/ })).toBeVisible();
    await new LookupPage(page).sample('invoice_2291.exe').scrollIntoViewIfNeeded();
    return {
      answers: [
        `Note: ${await said(sample.note.getByText('Sinkholed'))}`,
        ...(await allSaid(page.getByRole('list', { name: 'Sent or exported' }).getByRole('listitem'))).map(withoutTime),
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
  title: 'Command palette',
  did: 'Press Ctrl K and type four letters: commands, views, settings, samples and rules in one list.',
  themes: ['light'],
  walk: async ({ page }) => {
    await page.keyboard.press('Control+k');
    await page.keyboard.type('scan');
    const list = page.getByRole('listbox', { name: 'Commands' });
    for (const name of ['Samples', 'Rules']) await expect(list.getByRole('group', { name })).toBeVisible();
    // Those that are searched are in the order in which they came.
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
  title: 'Storage and vault check',
  did: 'Check the vault: every sample is compared with its hashes.',
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
  title: 'Verify the journal',
  did: 'Verify the journal: every entry is chained to the previous one.',
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
  title: 'Activity',
  did: 'Every job of this tour, with the result of each item.',
  themes: ['light', 'dark'],
  walk: async ({ page }) => {
    await page
      .getByRole('navigation', { name: 'Views' })
      .getByRole('button', { name: /^Activity/ })
      .click();
    const jobs = page.getByRole('grid', { name: 'Jobs' });
    await jobs.getByRole('row').filter({ hasText: 'not downloaded' }).click();
    await expect(page.getByRole('toolbar', { name: 'Filter by status' })).toBeVisible();
    return { answers: (await allSaid(jobs.getByRole('row'))).map(withoutTime) };
  },
};
