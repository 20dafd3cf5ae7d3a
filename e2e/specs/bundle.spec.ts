import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser } from '@playwright/test';
import { filesHolding } from '../disk.ts';
import { eicarString } from '../eicar.ts';
import { type Vitrine, expect, test } from '../fixtures.ts';
import { lookAndGoOver } from '../looks/look.ts';
import { BundleDialogs } from '../pages/bundle-dialogs.ts';
import { LibraryPage } from '../pages/library-page.ts';
import { WelcomePage } from '../pages/welcome-page.ts';
import { startProgram } from '../program.ts';

const passphrase = 'kestrel otter brine lantern quill';

test.use({ beginsWith: 'sample-files' });

/** Another person's Vitrine: another host, another data directory. */
async function otherInstallation(browser: Browser, folder: string) {
  for (const name of ['data', 'exports', 'temp']) await mkdir(join(folder, name), { recursive: true });
  const program = startProgram(
    'electron/web.ts',
    ['--port', '0', '--data', join(folder, 'data'), '--exports', join(folder, 'exports'), '--no-open'],
    { TMPDIR: join(folder, 'temp') },
  );
  const [link] = await program.printed(/http:\/\/127\.0\.0\.1:\d+\/#\S+/);
  const page = await browser.newPage();
  await page.goto(link);
  await new WelcomePage(page).skip();
  return { page, program };
}

/** A bundle of every sample file of the lab. */
async function bundleOfSampleFiles({ page, exportFolder }: Vitrine): Promise<string> {
  const library = new LibraryPage(page);
  await library.open();
  await expect(library.line('14 samples')).toBeVisible();
  await library.table.getByRole('row').nth(1).click();
  await page.keyboard.press('Control+a');
  await new BundleDialogs(page).make({ author: 'A. Weber', passphrase });
  const made = async (): Promise<string[]> =>
    (await readdir(exportFolder)).filter((name) => name.endsWith('.vitrine-bundle'));
  await expect.poll(made).toHaveLength(1);
  return join(exportFolder, (await made()).join(''));
}

/** As the library lists them. */
async function listedHashes(library: LibraryPage): Promise<string[]> {
  await expect(library.table.getByRole('rowheader')).toHaveCount(14);
  return (await library.table.getByRole('rowheader').allInnerTexts()).toSorted();
}

test(
  'a bundle of one installation imports into another with every sample, and nothing once it was modified',
  { tag: '@long' },
  async ({ vitrine, browser }) => {
    const file = await bundleOfSampleFiles(vitrine);
    const changed = join(vitrine.folder, 'changed.vitrine-bundle');
    const bytes = await readFile(file);
    bytes[Math.floor(bytes.length / 2)] = (bytes[Math.floor(bytes.length / 2)] ?? 0) ^ 1;
    await writeFile(changed, bytes);

    const { page, program } = await otherInstallation(browser, join(vitrine.folder, 'other'));
    const bundle = new BundleDialogs(page);
    await bundle.askToOpen();
    await bundle.pick(changed);
    await bundle.unlock(passphrase);
    await expect(bundle.dialog.getByRole('alert')).toContainText('This bundle is damaged or was modified');
    await bundle.chooseAnother();
    await bundle.pick(file);
    await bundle.unlock('not the passphrase');
    await expect(bundle.passphrase).toHaveAccessibleDescription(/Wrong passphrase for this bundle/);
    await bundle.unlock(passphrase);
    await expect(bundle.change('Samples')).toContainText('14 new, 5.25 MiB');
    await expect(bundle.dialog).toContainText('Unknown key');
    await lookAndGoOver(page, 'bundle-contents');

    await page.keyboard.press('Escape');
    const library = new LibraryPage(page);
    await library.open();
    await expect(page.getByText('The library is empty')).toBeVisible();
    await bundle.askToOpen();
    await bundle.takeIn();
    await expect(bundle.dialog.getByText('14 samples imported', { exact: true })).toBeVisible();
    await page.keyboard.press('Escape');
    expect(await listedHashes(library)).toEqual(await listedHashes(new LibraryPage(vitrine.page)));
    await expect(page.getByRole('contentinfo')).toContainText('5.25 MiB in the vault, 14 samples');

    await bundle.askToOpen();
    await bundle.chooseAnother();
    await bundle.pick(file);
    await bundle.unlock(passphrase);
    await expect(bundle.change('Samples')).toContainText('14 already in the library');
    await expect(bundle.dialog).toContainText('Known key, imported from before');
    await page.close();
    await program.stop();
    expect(await filesHolding(vitrine.folder, eicarString)).toEqual([]);
  },
);
