import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { BulkPage } from '../../pages/bulk-page.ts';
import { LookupPage } from '../../pages/lookup-page.ts';
import { UploadPage } from '../../pages/upload-page.ts';
import { md5Of, type TourFile } from '../files/tour-files.ts';
import { allSaid, factsOf, said } from '../reading.ts';
import type { Tour, TourStop } from '../tour-stop.ts';

/** The files as they lie on the disk of the person who drops them. */
async function givenFolder({ vitrine, files, archive }: Tour): Promise<string> {
  const folder = join(vitrine.folder, 'given', 'case 114');
  await mkdir(folder, { recursive: true });
  for (const { name, bytes } of [...files, archive]) await writeFile(join(folder, name), bytes);
  return folder;
}

async function tagFile(upload: UploadPage, { name, tags, tlp }: TourFile): Promise<void> {
  const { keyboard } = upload.page;
  await upload.row(name).focus();
  await keyboard.press('Enter');
  const field = upload.row(name).getByRole('combobox');
  await expect(field).toBeFocused();
  for (const tag of tags) await keyboard.type(`${tag},`);
  await upload.setTlp(name, tlp);
  await keyboard.press('Escape');
}

/** "To send 14". */
async function amounts(upload: UploadPage): Promise<string[]> {
  const terms = ['To send', 'Already there', 'Skipped'];
  return Promise.all(terms.map(async (term) => `${term}: ${await said(upload.amount(term))}`));
}

export const draft: TourStop = {
  name: 'upload',
  title: 'Prepare an upload',
  did:
    'Drop a folder with a dozen files and an archive anywhere on the page. ' +
    'Set tags and TLP per file, and one comment for all.',
  themes: ['light'],
  walk: async (tour) => {
    const upload = new UploadPage(tour.page);
    await upload.open();
    await upload.drop(await givenFolder(tour));
    const all = [...tour.files, ...tour.archive.members];
    await expect(upload.amount('To send')).toHaveText(String(all.length));
    for (const file of all) await tagFile(upload, file);
    await upload.comment.fill('Mail wave of 17 November: second stage, carriers and what they dropped.');
    return {
      answers: [
        await said(tour.page.getByText(/files staged/)),
        ...(await amounts(upload)),
        ...(await shutFlags(tour.page)),
      ],
    };
  },
};

const shutFlags = async (page: Page): Promise<string[]> => [await said(page.getByText(/TLP:AMBER or stricter/))];

export const sent: TourStop = {
  name: 'upload-sent',
  title: 'Send the upload',
  did: 'Press Send. Each file is confirmed by its record at the repository.',
  themes: ['light'],
  walk: async ({ page }) => {
    const upload = new UploadPage(page);
    await upload.send();
    const ending = page.getByText(/samples stored/);
    await expect(ending).toBeVisible();
    return { answers: [await said(ending), (await allSaid(upload.outcomes.getByRole('button'))).join(', ')] };
  },
};

const unknownHash = (name: string, kind: 'md5' | 'sha256'): string =>
  createHash(kind).update(`unknown to everyone: ${name}`).digest('hex');

/** A report as people write them, with what is wrong with such reports. */
function report({ files, archive, sampleFiles }: Tour): string {
  const lines = [...files, ...archive.members].map((file, index) => {
    const md5 = md5Of(file);
    return index % 3 === 0
      ? `  - MD5: ${md5.toUpperCase()}, ${file.name}`
      : index % 3 === 1
        ? `hxxp://files[.]example[.]net/${md5}.bin`
        : `"${md5}";`;
  });
  const bad = [
    `not ours: ${unknownHash('it', 'md5')}`,
    `SHA-256 ${unknownHash('this', 'sha256')}`,
    `cut short: ${unknownHash('that', 'md5').slice(0, 31)}`,
    `once more ${md5Of(files[0] ?? archive)}`,
  ];
  return ['Indicators of the wave of 17 November', ...lines, ...bad, 'And from the lab:', ...sampleFiles].join('\n');
}

export const triage: TourStop = {
  name: 'triage',
  title: 'Triage a report',
  did:
    'Paste a report into the look-up: known and unknown MD5s, a duplicate and one that is cut short. ' +
    'Nothing is downloaded.',
  themes: ['light', 'dark'],
  walk: async (tour) => {
    const { page } = tour;
    const view = new BulkPage(page);
    await view.open();
    tour.sampleFiles = await sampleFilesOfLab(view);
    const lookup = new LookupPage(page);
    await lookup.open();
    await lookup.ask(report(tour));
    const answered = page.getByText(/^(\d+) of \1 answered$/);
    await expect(answered).toBeVisible();
    return {
      answers: [
        await said(answered),
        (await allSaid(page.getByRole('toolbar', { name: 'Status' }).getByRole('button'))).join(', '),
        await said(page.getByText('A look-up fetches records and downloads no files.')),
      ],
    };
  },
};

export const bulk: TourStop = {
  name: 'bulk-download',
  title: 'Bulk download from a report',
  did: 'Paste the report into the bulk download, then start it. The records of the samples are fetched too.',
  themes: ['light'],
  walk: async (tour) => {
    const { page } = tour;
    const view = new BulkPage(page);
    await view.open();
    await view.paste(report(tour));
    await expect(page.getByRole('button', { name: /^Download 2\d samples/ })).toBeEnabled();
    const read = await factsOf(page.getByRole('region', { name: 'List' }));
    await view.start();
    const ending = page.getByText(/of \d+ not downloaded|samples downloaded and verified/).first();
    await expect(ending).toBeVisible();
    return { answers: [...read, await said(ending), (await allSaid(view.outcomes.getByRole('button'))).join(', ')] };
  },
};

/** Their MD5s, as the view offers them. */
async function sampleFilesOfLab({ page }: BulkPage): Promise<string[]> {
  await page.getByRole('button', { name: 'Paste sample hashes from the lab' }).click();
  await expect(page.getByRole('button', { name: /^Download \d+ samples/ })).toBeEnabled();
  const hashes = await page.getByRole('grid', { name: 'Hashes in this text' }).locator('code').allTextContents();
  await page.getByRole('button', { name: 'New list' }).click();
  return hashes;
}
