import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eicarMd5, eicarSha256 } from '../eicar.ts';
import { type Vitrine, expect, test } from '../fixtures.ts';
import { hostileNote } from '../hostile-note.ts';
import type { LookupPage } from '../pages/lookup-page.ts';
import { SamplePage } from '../pages/sample-page.ts';

test.use({ beginsWith: 'sample-files' });

async function openEicar(vitrine: Vitrine, lookup: LookupPage): Promise<SamplePage> {
  const sample = new SamplePage(vitrine.page);
  await sample.openFromLibrary(eicarSha256.slice(0, 12));
  await expect(lookup.sample('eicar.com')).toBeVisible();
  return sample;
}

test('the user’s tags, TLP and note of a sample survive a reload', async ({ vitrine, lookup }) => {
  const sample = await openEicar(vitrine, lookup);
  await sample.addTag('case:2026-114');
  await sample.setTlp('RED');
  await expect(vitrine.page.getByText('TLP:RED')).toBeVisible();
  await expect(sample.tlp).toContainText('set locally');
  await sample.writeNote('to be read again');

  await vitrine.page.reload();
  await sample.openFromLibrary(eicarSha256.slice(0, 12));
  await expect(sample.ownTags).toContainText('case:2026-114');
  await expect(vitrine.page.getByText('TLP:RED')).toBeVisible();
  await expect(sample.note).toContainText('to be read again');

  await test.step('its bytes are shown beside its details, and Escape leads back, then to the list', async () => {
    await vitrine.page.keyboard.press('b');
    await expect(sample.hexRows).toContainText('58 35 4f 21');
    await vitrine.page.getByRole('button', { name: /^Hide bytes/ }).focus();
    await vitrine.page.keyboard.press('Escape');
    await expect(sample.note).toBeVisible();
    await vitrine.page.keyboard.press('Escape');
    await expect(vitrine.page.getByRole('heading', { level: 1, name: 'Library' })).toBeVisible();
  });
});

test(
  'all unsaved keystrokes survive a reload and then reach the host',
  { tag: '@long' },
  async ({ vitrine, lookup }, testInfo) => {
    test.skip(
      testInfo.project.name === 'desktop',
      'intercepts calls between page and host, which only the web host allows',
    );
    const sample = await openEicar(vitrine, lookup);
    await vitrine.page.route('**/call/library.note', (route) => route.abort());
    await sample.noteField.click();
    await vitrine.page.keyboard.type('half a sentence');
    await expect(sample.note.getByRole('alert')).toContainText('stays in this browser');
    await vitrine.page.unroute('**/call/library.note');
    const arrived = vitrine.page.waitForResponse(
      (response) => response.url().endsWith('/call/library.note') && response.ok(),
    );
    await vitrine.page.reload();
    expect((await arrived).request().postDataJSON()).toMatchObject({ text: 'half a sentence' });
    await sample.openFromLibrary(eicarSha256.slice(0, 12));
    await expect(sample.note.getByText('half a sentence', { exact: true })).toBeVisible();
    await expect(sample.note.getByRole('alert')).toBeHidden();
  },
);

test(
  'text typed during a slow first save, with the bytes shown in between, survives a reload',
  { tag: '@long' },
  async ({ vitrine, lookup }, testInfo) => {
    test.skip(
      testInfo.project.name === 'desktop',
      'intercepts calls between page and host, which only the web host allows',
    );
    const sample = await openEicar(vitrine, lookup);
    const slow = Promise.withResolvers<void>();
    await vitrine.page.route('**/call/library.note', async (route) => {
      await slow.promise;
      await route.continue();
    });
    await sample.noteField.fill('first half');
    await sample.noteField.press('Control+s');
    await vitrine.page.getByRole('button', { name: /^Show bytes/ }).click();
    await vitrine.page.getByRole('button', { name: /^Hide bytes/ }).click();
    await sample.note.getByRole('button', { name: 'Edit' }).click();
    await sample.noteField.fill('first half, second half');
    await sample.noteField.press('Control+s');
    slow.resolve();
    await expect(sample.note.getByText('Saved', { exact: true })).toBeVisible();
    await vitrine.page.reload();
    await sample.openFromLibrary(eicarSha256.slice(0, 12));
    await expect(sample.note.getByText('first half, second half', { exact: true })).toBeVisible();
  },
);

test.describe('a sample in a separate vault file', () => {
  // Of many that are downloaded at a time small ones come to lie together in one file; of one alone, in a file of its
  // own.
  test.use({ beginsWith: 'welcomed' });

  test('a modified vault copy is reported and fetched again', { tag: '@long' }, async ({ vitrine, lookup }) => {
    await lookup.ask(eicarMd5);
    await lookup.download();
    const sample = await openEicar(vitrine, lookup);
    await alterVaultFile(vitrine);
    await vitrine.page.keyboard.press('e');
    await vitrine.page.getByRole('menuitem', { name: /^Password ZIP/ }).press('Enter');
    await vitrine.page
      .getByRole('dialog')
      .getByRole('button', { name: /^Export (to folder|as download)/ })
      .last()
      .click();
    await expect(sample.alert).toContainText('The vault file of this sample was modified');
    await vitrine.page.getByRole('button', { name: /^Download again/ }).click();
    await expect(sample.inVault).toBeVisible();
    await expect(sample.alert).toHaveCount(0);
    await expect(vitrine.page.getByText('Downloaded eicar.com: verified and saved to the vault')).toHaveCount(0);
    await vitrine.page.keyboard.press('e');
    await expect(vitrine.page.getByRole('menuitem', { name: /^Password ZIP/ })).toBeVisible();
  });
});

test(
  'the history of a sample separates its sources from its exports, and its view accepts comments',
  { tag: '@long' },
  async ({ vitrine, lookup }) => {
    await lookup.ask(eicarMd5);
    await lookup.exportToFolder('AES-256');
    const sample = new SamplePage(vitrine.page);
    await sample.openFromLibrary(eicarSha256.slice(0, 12));
    await expect(sample.history('Source').filter({ hasText: 'Downloaded' })).toContainText('from Lab (this computer)');
    await expect(sample.history('Sent or exported').filter({ hasText: 'Exported' })).toContainText(
      'to the export folder',
    );
    await vitrine.page.getByRole('textbox', { name: 'Comment' }).fill('seen in the library');
    await vitrine.page.keyboard.press('Control+Enter');
    await expect(vitrine.page.getByRole('region', { name: /^Comments/ }).last()).toContainText('seen in the library');
    await expect(sample.history('Sent or exported').filter({ hasText: 'Commented' })).toBeVisible();
    await sample.back();
    await expect(vitrine.page.getByRole('heading', { level: 1, name: 'Library' })).toBeVisible();

    await test.step('a note in Markdown loads nothing, leads nowhere and runs nothing', async () => {
      await openEicar(vitrine, lookup);
      const requested: string[] = [];
      vitrine.page.on('request', (request) => requested.push(request.url()));
      const title = await vitrine.page.title();
      await sample.writeNote(hostileNote);
      await sample.note.getByRole('button', { name: 'Preview' }).click();
      await expect(sample.note.getByRole('heading', { name: 'Ashveil' })).toBeVisible();
      await expect(sample.note).toContainText('the panel (hxxps://c2[.]example[.]org/panel)');
      await expect(sample.note.locator('a, img, script, iframe')).toHaveCount(0);
      await expect(sample.note).toContainText('Deeply nested content is not shown');
      expect(await vitrine.page.title()).toBe(title);
      expect(requested.filter((url) => url.includes('c2.example'))).toEqual([]);
    });
  },
);

/** Changes one byte of the container, as a failing disk does. */
async function alterVaultFile({ dataDirectory }: Vitrine): Promise<void> {
  const path = join(dataDirectory, 'vault', eicarSha256.slice(0, 2), eicarSha256);
  const bytes = await readFile(path);
  const at = Math.floor(bytes.length / 2);
  bytes[at] = (bytes[at] ?? 0) ^ 0xff;
  await writeFile(path, bytes);
}
