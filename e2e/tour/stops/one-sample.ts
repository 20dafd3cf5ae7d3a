import { expect, type Page } from '@playwright/test';
import { CommentsPage } from '../../pages/comments-page.ts';
import { LookupPage } from '../../pages/lookup-page.ts';
import { SamplePage } from '../../pages/sample-page.ts';
import { glasswing } from '../../sample-files.ts';
import { factsOf, said } from '../reading.ts';
import type { TourStop } from '../tour-stop.ts';

const md5 = '46c5d9694b6935ba37406431c1e13d07';
const name = 'invoice_2291.exe';

export const lookUp: TourStop = {
  name: 'lookup',
  title: 'Look up a hash',
  did: 'Paste a sentence from a mail into the look-up. The hash in it is found.',
  themes: ['light'],
  walk: async ({ page }) => {
    await page.getByRole('button', { name: 'Start working' }).click();
    const lookup = new LookupPage(page);
    await lookup.ask(`Jonas writes: the attachment (MD5=${md5.toUpperCase()}) came in again, is it ours?`);
    await expect(lookup.sample(name)).toBeVisible();
    await expect(page.getByText('looked up by this hash')).toBeVisible();
    return { answers: [await said(lookup.sample(name)), ...(await factsOf(page.getByRole('main')))] };
  },
};

export const download: TourStop = {
  name: 'download',
  title: 'Download a sample',
  did: 'Press D. The sample is verified and stored encrypted.',
  themes: ['light'],
  walk: async ({ page }) => {
    const lookup = new LookupPage(page);
    await page.keyboard.press('d');
    await expect(lookup.inVault).toBeVisible();
    await expect(page.getByText(glasswing)).toBeVisible();
    return { answers: [await said(lookup.inVault)] };
  },
};

export const tagAndComment: TourStop = {
  name: 'comment',
  title: 'Tag and comment',
  did: 'Press T to add a local tag. Write a comment and send it with Ctrl Enter.',
  themes: ['light'],
  walk: async ({ page }) => {
    const comments = new CommentsPage(page);
    await page.keyboard.press('t');
    await page.keyboard.type('case:2026-114,');
    await expect(new SamplePage(page).ownTags).toContainText('case:2026-114');
    await page.keyboard.press('Escape');
    await comments.write('Seen again in the wave of 17 November, same stub, new icon.');
    await expect(comments.comment('Seen again').getByRole('button', { name: 'Reply to you' })).toBeVisible();
    return {
      answers: [
        `Local tags: ${await said(new SamplePage(page).ownTags)}`,
        await said(page.getByRole('heading', { name: /^Comments/ }).last()),
      ],
    };
  },
};

export const conversations: TourStop = {
  name: 'comments',
  title: 'Read and search comments',
  did: 'Comments lists all conversations. Search them by text or author.',
  themes: ['light'],
  walk: async ({ page, sampleFiles }) => {
    const lookup = new LookupPage(page);
    await lookup.open();
    for (const sampleFile of sampleFiles) await foundOnce(page, sampleFile);
    const comments = new CommentsPage(page);
    await comments.openView();
    await expect(comments.list.getByRole('row').first()).toBeVisible();
    await page.getByLabel('Find in text and authors').fill('stub');
    await comments.list.getByRole('row').filter({ hasText: 'sofía' }).click();
    await expect(
      page
        .getByRole('region', { name: /^Comments/ })
        .getByText('Same stub')
        .last(),
    ).toBeVisible();
    return { answers: [await said(page.getByRole('heading', { level: 1 }).locator('xpath=following-sibling::*[1]'))] };
  },
};

async function foundOnce(page: Page, hash: string): Promise<void> {
  await new LookupPage(page).ask(hash);
  await expect(page.getByRole('definition').filter({ hasText: hash })).toBeVisible();
  await expect(page.getByRole('status').filter({ hasText: /^Found, / })).toBeAttached();
}
