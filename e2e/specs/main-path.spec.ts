import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { filesHolding, processesNaming } from '../disk.ts';
import { eicarMd5, eicarSha256, eicarString } from '../eicar.ts';
import { type Vitrine, expect, test } from '../fixtures.ts';
import type { LookupPage } from '../pages/lookup-page.ts';
import { sha256Of, testWith7z } from '../zip-check.ts';

/** Look up → record → download → export, as the page shows it, whatever server is behind. */
async function walkTheMainPath(lookup: LookupPage, vitrine: Vitrine): Promise<void> {
  await lookup.ask(`A report says: MD5=${eicarMd5.toUpperCase()}.`);
  await expect(lookup.sample('eicar.com')).toBeVisible();
  await expect(vitrine.page.getByText('looked up by this hash')).toBeVisible();
  await lookup.download();
  await expect(vitrine.page.getByText(eicarSha256)).toBeVisible();
  await lookup.exportToFolder('AES-256');
  const zip = join(vitrine.exportFolder, `${eicarSha256}.zip`);
  await testWith7z(zip, 'infected');
  expect(await sha256Of(zip, eicarSha256, 'infected')).toBe(eicarSha256);
}

test(
  'the main path works with the lab: looked up, verified, exported and stored encrypted everywhere',
  { tag: '@long' },
  async ({ vitrine, lookup }) => {
    await walkTheMainPath(lookup, vitrine);
    expect(await readdir(join(vitrine.dataDirectory, 'vault', eicarSha256.slice(0, 2)))).toEqual([eicarSha256]);
    expect(await filesHolding(vitrine.folder, eicarString)).toEqual([]);
  },
);

test('the main path works with the field dialect, and the token leaves no trace', async ({
  vitrine,
  lookup,
  settings,
  field,
}) => {
  await settings.addWorkspace({ name: 'Team', repository: field.baseUrl, token: field.token });
  await settings.switchTo('Team');
  await lookup.open();
  await walkTheMainPath(lookup, vitrine);
  expect(await filesHolding(vitrine.folder, eicarString)).toEqual([]);

  await settings.open('About');
  const shown = [await vitrine.page.content(), vitrine.program?.output() ?? ''].join('\n');
  expect(shown).not.toContain(field.token);
  expect(await filesHolding(vitrine.folder, field.token)).toEqual([]);
  expect(await processesNaming(field.token)).toEqual([]);
});

test('an export is downloaded once, with ZipCrypto and a custom password', async ({ vitrine, lookup }, testInfo) => {
  test.skip(testInfo.project.name === 'desktop', 'the desktop exports to folders');
  await lookup.ask(eicarMd5);
  await lookup.download();
  const saved = await lookup.exportByBrowser('ZipCrypto', 'of my own');
  expect(saved.suggestedFilename()).toBe(`${eicarSha256}.zip`);
  const zip = join(vitrine.folder, 'saved.zip');
  await saved.saveAs(zip);
  expect(await sha256Of(zip, eicarSha256, 'of my own')).toBe(eicarSha256);
  expect((await vitrine.page.request.get(saved.url())).status()).toBe(404);
});

test(
  'the journal lists every action on a sample, and the chain verifies',
  { tag: '@long' },
  async ({ vitrine, lookup, settings }) => {
    await lookup.ask(eicarMd5);
    await lookup.download();
    await expect(vitrine.page.getByText('Downloaded', { exact: false }).first()).toBeVisible();
    await settings.open('About');
    await vitrine.page.getByRole('button', { name: 'Verify journal' }).click();
    await expect(vitrine.page.getByText(/^Journal intact: \d+ entries/)).toBeVisible();
  },
);
