import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { filesHolding } from '../disk.ts';
import { eicarMd5, eicarSha256, eicarString } from '../eicar.ts';
import { type Vitrine, expect, test } from '../fixtures.ts';
import { BulkPage } from '../pages/bulk-page.ts';
import { sha256Of, testWith7z } from '../zip-check.ts';

const withSampleFiles = test.extend({ beginsWith: 'sample-files' });

/** The export dialog, open over the job that fetched every sample file of the lab. */
async function exportDialogOfSampleFiles({ page }: Vitrine): Promise<void> {
  await new BulkPage(page).open();
  await page.getByRole('button', { name: 'Open job 1' }).click();
  await openExportDialog(page);
}

async function openExportDialog(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Export…/ }).click();
  await page.getByRole('menuitem', { name: /^Password ZIP/ }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
}

function named(names: readonly string[], pattern: RegExp): string {
  const found = names.find((name) => pattern.test(name));
  if (found === undefined) throw new Error(`nothing of ${names.join(', ')} is called ${pattern}`);
  return found;
}

withSampleFiles(
  'a whole job leaves as one password ZIP with its manifests, as a job of its own, and nothing is written over',
  async ({ vitrine }) => {
    await exportDialogOfSampleFiles(vitrine);
    await vitrine.page.getByRole('button', { name: 'Export to folder' }).click();
    await vitrine.page
      .getByRole('navigation', { name: 'Views' })
      .getByRole('button', { name: /^Activity/ })
      .click();
    await expect(vitrine.page.getByText(/samples exported/).first()).toBeVisible();

    const zip = join(vitrine.exportFolder, named(await readdir(vitrine.exportFolder), /^\d{8}T\d{6}Z_\d+\.zip$/));
    await testWith7z(zip, 'infected');
    expect(await sha256Of(zip, eicarSha256, 'infected')).toBe(eicarSha256);
    expect(await filesHolding(vitrine.folder, eicarString)).toEqual([]);
  },
);

withSampleFiles(
  'samples leave as a folder of ZIPs, each named by its hash, beside a manifest that says their names',
  { tag: '@long' },
  async ({ vitrine }) => {
    await exportDialogOfSampleFiles(vitrine);
    await vitrine.page.getByText('A folder with one password ZIP per sample').click();
    await vitrine.page.getByRole('dialog').getByText('ZipCrypto').first().click();
    await vitrine.page.getByRole('button', { name: 'Export to folder' }).click();
    await expect.poll(() => readdir(vitrine.exportFolder)).toEqual([expect.stringMatching(/^\d{8}T\d{6}Z_\d+$/)]);
    const folder = join(vitrine.exportFolder, (await readdir(vitrine.exportFolder))[0] ?? '');
    expect(await sha256Of(join(folder, `${eicarSha256}.zip`), eicarSha256, 'infected')).toBe(eicarSha256);
    expect(await readFile(join(folder, 'manifest.csv'), 'utf8')).toContain(eicarSha256);
    expect(await filesHolding(vitrine.folder, eicarString)).toEqual([]);
  },
);

withSampleFiles(
  'raw samples leave only after a typed word, without extension and without the right to be executed',
  { tag: '@long' },
  async ({ vitrine }) => {
    await exportDialogOfSampleFiles(vitrine);
    await vitrine.page.getByText('Raw files').click();
    await vitrine.page.getByRole('button', { name: 'Continue with raw files' }).click();
    const write = vitrine.page.getByRole('button', { name: 'Export raw files' });
    await expect(write).toBeDisabled();
    await vitrine.page.getByLabel(/^Type “live”/).fill('live');
    await write.click();
    await expect.poll(() => readdir(vitrine.exportFolder)).toEqual([expect.stringMatching(/^\d{8}T\d{6}Z_\d+$/)]);
    const sample = join(vitrine.exportFolder, (await readdir(vitrine.exportFolder))[0] ?? '', eicarSha256);
    expect(await readFile(sample, 'latin1')).toBe(eicarString);
    expect((await stat(sample)).mode & 0o777).toBe(0o600);
    expect(await filesHolding(vitrine.dataDirectory, eicarString)).toEqual([]);
  },
);

test('a selection is downloaded once', { tag: '@long' }, async ({ vitrine }, testInfo) => {
  test.skip(testInfo.project.name === 'desktop', 'the desktop exports to folders');
  const bulk = new BulkPage(vitrine.page);
  await bulk.open();
  await bulk.paste(eicarMd5);
  await bulk.start();
  await expect(bulk.ended('1 sample downloaded and verified')).toBeVisible();
  await openExportDialog(vitrine.page);
  await vitrine.page.getByRole('button', { name: 'Export as download' }).click();
  const saved = vitrine.page.waitForEvent('download');
  await vitrine.page.getByRole('link', { name: 'Save ZIP' }).click();
  const zip = join(vitrine.folder, 'saved.zip');
  await (await saved).saveAs(zip);
  expect(await sha256Of(zip, eicarSha256, 'infected')).toBe(eicarSha256);
});
