import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { filesHolding, processesNaming } from '../disk.ts';
import { eicarMd5, eicarSha256, eicarString } from '../eicar.ts';
import { type Desk, expect, test } from '../fixtures.ts';
import type { LookupPage } from '../pages/lookup-page.ts';
import { sha256Of, testWith7z } from '../zip-check.ts';

/** Look up → record → download → export, as the page shows it, whatever server stands behind. */
async function walkTheMainPath(lookup: LookupPage, desk: Desk): Promise<void> {
  await lookup.ask(`A report says: MD5=${eicarMd5.toUpperCase()}.`);
  await expect(lookup.sample('eicar.com')).toBeVisible();
  await expect(desk.page.getByText('asked with this')).toBeVisible();
  await lookup.download();
  await expect(desk.page.getByText(eicarSha256)).toBeVisible();
  await lookup.exportToFolder('AES-256');
  const zip = join(desk.exportFolder, `${eicarSha256}.zip`);
  await testWith7z(zip, 'infected');
  expect(await sha256Of(zip, eicarSha256, 'infected')).toBe(eicarSha256);
}

test(
  'straight against the lab: looked up, downloaded verified, exported, and inert everywhere',
  { tag: '@long' },
  async ({ desk, lookup }) => {
    await walkTheMainPath(lookup, desk);
    expect(await readdir(join(desk.dataDirectory, 'vault', eicarSha256.slice(0, 2)))).toEqual([eicarSha256]);
    expect(await filesHolding(desk.folder, eicarString)).toEqual([]);
  },
);

test('through the field dialect: the same, and the token is nowhere', async ({ desk, lookup, settings, field }) => {
  await settings.addWorkspace({ name: 'Team', repository: field.baseUrl, token: field.token });
  await settings.switchTo('Team');
  await lookup.open();
  await walkTheMainPath(lookup, desk);
  expect(await filesHolding(desk.folder, eicarString)).toEqual([]);

  await settings.open('About');
  const shown = [await desk.page.content(), desk.program?.output() ?? ''].join('\n');
  expect(shown).not.toContain(field.token);
  expect(await filesHolding(desk.folder, field.token)).toEqual([]);
  expect(await processesNaming(field.token)).toEqual([]);
});

test('an export leaves through the browser once, by ZipCrypto and a password of one’s own', async ({
  desk,
  lookup,
}, testInfo) => {
  test.skip(testInfo.project.name === 'desktop', 'the desktop exports to folders');
  await lookup.ask(eicarMd5);
  await lookup.download();
  const saved = await lookup.exportByBrowser('ZipCrypto', 'of my own');
  expect(saved.suggestedFilename()).toBe(`${eicarSha256}.zip`);
  const zip = join(desk.folder, 'saved.zip');
  await saved.saveAs(zip);
  expect(await sha256Of(zip, eicarSha256, 'of my own')).toBe(eicarSha256);
  expect((await desk.page.request.get(saved.url())).status()).toBe(404);
});

test(
  'what this desk did with a sample is read back from the journal, and the chain holds',
  { tag: '@long' },
  async ({ desk, lookup, settings }) => {
    await lookup.ask(eicarMd5);
    await lookup.download();
    await expect(desk.page.getByText('Downloaded', { exact: false }).first()).toBeVisible();
    await settings.open('About');
    await desk.page.getByRole('button', { name: 'Verify journal' }).click();
    await expect(desk.page.getByText(/^Journal intact: \d+ entries/)).toBeVisible();
  },
);
