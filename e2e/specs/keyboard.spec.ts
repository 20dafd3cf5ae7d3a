import { join } from 'node:path';
import type { Locator } from '@playwright/test';
import { eicarMd5, eicarSha256 } from '../eicar.ts';
import { expect, test } from '../fixtures.ts';
import { generatedSamples } from '../generated-samples.ts';
import { recordOf } from '../lab-reading.ts';
import { backTo, expectFocusDrawn, isFocused, nextPaneTo, tabTo } from '../keyboard-steps.ts';
import { activePackage } from '../package-pointers.ts';
import { BulkPage } from '../pages/bulk-page.ts';
import { CommentsPage } from '../pages/comments-page.ts';
import { PublicationsPage } from '../pages/publications-page.ts';
import { ScanPage } from '../pages/scan-page.ts';
import { UploadPage } from '../pages/upload-page.ts';
import { filesToPick } from '../picked-files.ts';
import { glasswing } from '../sample-files.ts';
import { startTeam } from '../team.ts';
import { workIn } from '../workspace.ts';
import { testWith7z } from '../zip-check.ts';

const withRules = test.extend({ beginsWith: 'rules' });

test('the main path works without a pointer: paste, download, export', async ({ vitrine, lookup }) => {
  const { keyboard } = vitrine.page;
  await expect(lookup.field).toBeFocused();
  await keyboard.type(eicarMd5);
  await keyboard.press('Enter');
  await expect(lookup.sample('eicar.com')).toBeFocused();
  await keyboard.press('d');
  await expect(lookup.inVault).toBeVisible();
  await keyboard.press('e');
  await vitrine.page.getByRole('menuitem', { name: /^Password ZIP/ }).press('Enter');
  await expect(vitrine.page.getByRole('dialog')).toBeVisible();
  const send = vitrine.page.getByRole('button', { name: 'Export to folder' });
  for (let step = 0; step < 20 && !(await send.evaluate((button) => button === document.activeElement)); step += 1)
    await keyboard.press('Tab');
  await keyboard.press('Enter');
  await expect(vitrine.page.getByText(/^Exported /)).toBeVisible();
  await testWith7z(join(vitrine.exportFolder, `${eicarSha256}.zip`), 'infected');

  await test.step('the lab’s sample files are all fetched by keyboard', async () => {
    const bulk = new BulkPage(vitrine.page);
    await keyboard.press('Control+3');
    await expect(bulk.field).toBeFocused();
    await tabTo(vitrine.page, vitrine.page.getByRole('button', { name: 'Paste sample hashes from the lab' }));
    await keyboard.press('Enter');
    await expect(vitrine.page.getByRole('button', { name: 'Download 13 samples' })).toBeEnabled();
    await keyboard.press('Control+Enter');
    await expect(bulk.outcomes).toContainText('13 done');
  });
});

test('no box is drawn around a heading that takes the focus, and one around the control that Tab leads to', async ({
  vitrine: { page },
  lookup,
}) => {
  await lookup.field.fill(eicarMd5);
  await page.keyboard.press('Enter');
  const heading = lookup.sample('eicar.com');
  for (const forcedColors of ['none', 'active'] as const) {
    await page.emulateMedia({ forcedColors });
    await expect(heading).toBeFocused();
    await expect(heading).toHaveCSS('outline-style', 'none');
    await page.keyboard.press('Tab');
    const control = page.locator(':focus');
    await expect(control).toHaveRole('button');
    await expect(control).toHaveCSS('outline-style', 'solid');
    await heading.focus();
  }
});

test(
  'a bulk download works without a pointer and never loses the focus',
  { tag: '@long' },
  async ({ vitrine, lookup }) => {
    const { page } = vitrine;
    const bulk = new BulkPage(page);
    const { keyboard } = page;
    await expect(lookup.field).toBeFocused();
    await keyboard.press('Control+3');
    await expect(bulk.field).toBeFocused();
    await keyboard.type(`${eicarMd5}\n943252db2370a73b98bb2d261322baa7`);
    await expect(page.getByRole('button', { name: 'Download 2 samples' })).toBeEnabled();
    await keyboard.press('Control+Enter');
    await expect(bulk.ended('1 of 2 not downloaded')).toBeVisible();
    await tabTo(page, bulk.outcome('2 all'));
    await keyboard.press('ArrowRight');
    await keyboard.press('ArrowRight');
    await expect(bulk.outcome('1 done')).toBeFocused();
    await keyboard.press('Enter');
    await expect(bulk.rows()).toHaveCount(2);
    const row = bulk.rows().nth(1);
    await tabTo(page, row);
    await keyboard.press('x');
    await expect(page.getByText('1 selected')).toBeVisible();
    await keyboard.press('e');
    await page.getByRole('menuitem', { name: /^Password ZIP/ }).press('Enter');
    await expect(bulk.dialog.getByRole('button', { name: 'Cancel' })).toBeFocused();
    await keyboard.press('Escape');
    await expect(row).toBeFocused();
    await keyboard.press('?');
    await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toContainText('Start download');
    await keyboard.press('Escape');
    await expect(row).toBeFocused();
    await keyboard.press('Control+8');
    await expect(page.getByRole('region', { name: /^Job \d/ }).locator(':focus')).toHaveCount(1);
    await keyboard.press('Control+3');
    await expect(bulk.rows()).toHaveCount(2);
  },
);

test('files are added, tagged, marked, sent and retried without a pointer', { tag: '@long' }, async ({ vitrine }) => {
  const { page } = vitrine;
  const { keyboard } = page;
  const team = await startTeam(join(vitrine.folder, 'team-lab'), { rights: 'read,download,upload,comment' });
  await workIn(vitrine, { name: 'Team', repository: team.uploads.baseUrl, token: team.token });
  const upload = new UploadPage(page);
  const [first, second] = generatedSamples(2, 'a-name-that-is-cut');
  if (!first || !second) throw new Error('there are two');

  await keyboard.press('Control+4');
  await tabTo(page, page.getByRole('button', { name: 'Add files' }));
  // Waited for early: the browser hears that the picker is to be caught and that a key was pressed by two ways, and the
  // key may be first.
  const choosing = page.waitForEvent('filechooser');
  await keyboard.press('Enter');
  await expect(page.getByRole('menuitem').first()).toBeFocused();
  await keyboard.press('Enter');
  const chooser = await choosing;
  await chooser.setFiles(await filesToPick(first, second));
  await expect(upload.amount('To send')).toHaveText('2');
  await tabTo(page, upload.table.getByRole('row').nth(1));
  await keyboard.press('Enter');
  await expect(upload.row(first.name).getByRole('combobox')).toBeFocused();
  await keyboard.type('family:quillpost');
  await keyboard.press('Enter');
  const tlp = upload.row(first.name).getByRole('button', { name: /^TLP of/ });
  await tabTo(page, tlp);
  await keyboard.press('ArrowDown');
  await expect(page.getByRole('menuitemradio', { name: 'No TLP' })).toBeFocused();
  await keyboard.press('g');
  await expect(page.getByRole('menuitemradio', { name: 'GREEN', exact: true })).toBeFocused();
  await keyboard.press('Enter');
  await expect(tlp).toBeFocused();
  await tabTo(page, upload.row(first.name).getByRole('checkbox', { name: /to VirusTotal$/ }));
  await keyboard.press('Space');
  await keyboard.press('Escape');
  await expect(upload.row(first.name)).toBeFocused();
  await keyboard.press('t');
  await keyboard.type('case:2026-114');
  await keyboard.press('Enter');
  await keyboard.press('Escape');
  await expect(upload.row(second.name).getByRole('button', { name: /: case:2026-114$/ })).toBeVisible();

  team.uploads.fail({ kind: 'rejects', md5s: [second.md5], error: 'not today', namesMd5: true });
  await keyboard.press('Control+Enter');
  await expect(page.getByText('1 of 2 not stored')).toBeVisible();
  await expect(page.getByText('Reason: not today')).toBeVisible();
  await tabTo(page, page.getByRole('grid').getByRole('row').nth(1));
  await keyboard.press('r');
  await expect(page.getByText('2 samples stored')).toBeVisible();
  await expect(page.locator(':focus')).toHaveCount(1);
  const [sent, tried] = await Promise.all([recordOf(team, first.md5), recordOf(team, second.md5)]);
  expect(sent).toMatchObject({ virusTotal: true, sandbox: false });
  expect(sent?.tags.toSorted()).toEqual(['case:2026-114', 'family:quillpost', 'tlp:green']);
  expect(tried).toMatchObject({ tags: ['case:2026-114'], virusTotal: false });
  await team.stop();
});

test(
  'comments are read and written without a pointer, beside the sample and in the comments view',
  { tag: '@long' },
  async ({ vitrine, lookup }) => {
    const { page } = vitrine;
    const { keyboard } = page;
    const comments = new CommentsPage(page);
    await expect(lookup.field).toBeFocused();
    await keyboard.type(eicarMd5);
    await keyboard.press('Enter');
    await expect(lookup.sample('eicar.com')).toBeFocused();
    await nextPaneTo(page, comments.field);
    await keyboard.type('First seen in a mail.');
    await keyboard.press('Control+Enter');
    await expect(comments.comment('First seen').getByRole('button', { name: 'Reply to you' })).toBeVisible();
    await expect(comments.field).toBeFocused();
    await backTo(page, comments.comment('First seen').getByRole('button', { name: 'Reply to you' }));
    await keyboard.press('Enter');
    await expect(page.getByRole('textbox', { name: 'Reply to you' })).toBeFocused();
    await keyboard.type('So it was.');
    await keyboard.press('Control+Enter');
    await expect(comments.comment('So it was').getByRole('button', { name: 'Reply to you' })).toBeVisible();

    await keyboard.press('Control+5');
    await expect(page.getByRole('heading', { level: 1, name: 'Comments' })).toBeFocused();
    await keyboard.press('/');
    await keyboard.type('nobody said this');
    await expect(page.getByRole('heading', { name: 'No comments found' })).toBeVisible();
    await keyboard.press('Escape');
    await expect(comments.list.getByRole('row').first()).toContainText('So it was.');
    await keyboard.press('ArrowDown');
    await expect(comments.list.getByRole('row').first()).toBeFocused();
    await keyboard.press('ArrowDown');
    await expect(comments.list.getByRole('row').nth(1)).toBeFocused();
    await keyboard.press('Enter');
    await expect(lookup.thread).toBeFocused();
    await keyboard.press('Escape');
    await expect(comments.list.getByRole('row').nth(1)).toBeFocused();
  },
);

test(
  'rules are checked, compared, updated, rolled back, found and muted by keyboard with visible focus',
  { tag: '@long' },
  async ({ vitrine, lookup }) => {
    const { page } = vitrine;
    const { keyboard } = page;
    const publications = new PublicationsPage(page);
    const pressAndSee = async (key: string, ...shown: Locator[]): Promise<void> => {
      await keyboard.press(key);
      for (const each of shown) await expect(each).toBeVisible();
      await expectFocusDrawn(page);
    };
    await expect(lookup.field).toBeFocused();
    await pressAndSee('Control+7', page.getByRole('heading', { name: 'No rules are installed' }));
    await tabTo(page, page.getByRole('button', { name: 'Check now' }));
    await pressAndSee('Enter', publications.step('Install 2026.11.10 (15 rules)'));
    await pressAndSee('u', publications.package('2026.11.10').getByText('Active', { exact: true }));
    const older = activePackage(vitrine);

    await backTo(page, page.getByLabel('Publication groups'));
    await keyboard.press('ArrowDown');
    await tabTo(page, page.getByRole('button', { name: 'Check now' }));
    await pressAndSee('Enter', publications.step('Update to 2026.11.17 (+2 −1 ~3)'));
    await tabTo(page, publications.package('2026.11.17'));
    await pressAndSee('ArrowDown', page.getByRole('heading', { name: '2026.11.10 is active' }));
    await expect(publications.package('2026.11.10')).toBeFocused();
    await pressAndSee('ArrowUp', publications.change('high_entropy'));
    await pressAndSee('Enter');
    await expect(publications.changes.getByRole('row').nth(1)).toBeFocused();
    await pressAndSee('ArrowDown');
    await expect(publications.changes.getByRole('row').nth(2)).toBeFocused();
    await pressAndSee('ArrowUp');
    await expect(publications.changes.getByRole('row').nth(1)).toBeFocused();
    await pressAndSee('Enter');
    await expect(page.getByRole('region', { name: /^Diff of / })).toBeFocused();
    await pressAndSee('Escape');
    await expect(publications.changes.locator('[aria-current]')).toBeFocused();

    await pressAndSee('u', publications.package('2026.11.17').getByText('Active', { exact: true }));
    expect(activePackage(vitrine)).not.toBe(older);
    await tabTo(page, publications.package('2026.11.17'));
    await pressAndSee('ArrowDown', publications.step(/^Roll back to 2026\.11\.10/));
    await pressAndSee('u', publications.package('2026.11.10').getByText('Active', { exact: true }));
    expect(activePackage(vitrine)).toBe(older);

    await backTo(page, page.getByRole('tab', { name: 'Updates' }));
    await pressAndSee('ArrowRight', publications.rule('powershell_encoded_command'));
    await keyboard.press('/');
    await keyboard.type('shortcut_to');
    await expect(page.getByText('1 found')).toBeVisible();
    await pressAndSee('ArrowDown', page.getByRole('region', { name: 'Rule shortcut_to_script' }));
    await expect(publications.rule('shortcut_to_script')).toBeFocused();
    await keyboard.press('m');
    await expect(publications.dialog.getByLabel('Reason')).toBeFocused();
    await keyboard.type('our own installer');
    await pressAndSee('Enter', page.getByText('Muted in every sample'));
    await expect(publications.rule('shortcut_to_script')).toBeFocused();
    await tabTo(page, page.getByRole('button', { name: 'Show mute' }));
    await pressAndSee('Enter', publications.mutes);
    await pressAndSee('u', page.getByRole('heading', { name: 'No mutes' }));
  },
);

withRules(
  'a sample is scanned by both engines, and its matches, a hunt and tags are done by keyboard',
  { tag: '@long' },
  async ({ vitrine, lookup }) => {
    test.slow();
    const { page } = vitrine;
    const { keyboard } = page;
    const scans = new ScanPage(page);
    await expect(lookup.field).toBeFocused();

    await keyboard.press('Control+6');
    await tabTo(page, scans.find);
    await keyboard.type(glasswing.slice(0, 20));
    await expect(scans.vault.getByRole('row').filter({ hasText: glasswing.slice(0, 12) })).toBeVisible();
    await expect(page.getByText(/^1 sample/)).toBeVisible();
    await keyboard.press('ArrowDown');
    await keyboard.press('x');
    await tabTo(page, page.getByRole('radio', { name: 'Local' }));
    await keyboard.press('ArrowUp');
    await expect(page.getByRole('radio', { name: 'Both, compared' })).toBeChecked();
    await keyboard.press('Control+Enter');

    await expect(scans.hit('glasswing_stub')).toBeVisible();
    await tabTo(page, scans.hits.getByRole('row').first());
    await expect(scans.where).toContainText('Both engines agree');
    await keyboard.press('Enter');
    await expect(scans.bytes).toBeFocused();
    await expect(scans.cursor).toHaveText('0x4e 38 bytes, $stub');
    await keyboard.press('n');
    await expect(scans.cursor).toHaveText('0x80 6 bytes, $signature');
    await keyboard.press('n');
    await expect(scans.cursor).toHaveText('0x200 32 bytes, $mark');
    await keyboard.press('p');
    await expect(scans.cursor).toHaveText('0x80 6 bytes, $signature');
    await keyboard.press('g');
    await keyboard.type('0x1f0');
    await keyboard.press('Enter');
    await expect(scans.cursor).toHaveText('0x1f0');
    await expect(scans.bytes).toBeFocused();
    await keyboard.press('Control+f');
    await keyboard.type('This program');
    await keyboard.press('Enter');
    await expect(page.getByText('Not found. Enter starts over from the beginning')).toBeVisible();
    await keyboard.press('Enter');
    await expect(page.getByText('Found at 0x4e')).toBeVisible();
    // Out of the search, then of what it selected, then of the bytes.
    await keyboard.press('Escape');
    await expect(scans.bytes).toBeFocused();
    await keyboard.press('Escape');
    await expect(scans.cursor).not.toContainText('selected');
    await keyboard.press('Escape');
    await expect(scans.hits.getByRole('row').first()).toBeFocused();
    await expectFocusDrawn(page);

    await backTo(page, page.getByRole('button', { name: 'New scan' }));
    await keyboard.press('Enter');
    await expect(scans.vault).toBeVisible();
    await tabTo(page, page.getByRole('radio', { name: /^New and changed/ }));
    await keyboard.press('ArrowDown');
    await expect(page.getByRole('radio', { name: 'All rules' })).toBeChecked();
    await tabTo(page, page.getByRole('button', { name: 'Hunt 14 samples' }));
    await keyboard.press('Enter');
    await expect(page.getByRole('button', { name: 'Scan again' })).toBeVisible();
    await tabTo(page, scans.show(/^14 all/));
    for (let step = 0; step < 4 && !(await isFocused(scans.show(/new$/))); step += 1)
      await keyboard.press('ArrowRight');
    // Ten hits in nine samples: those of the tenth are known from its scan.
    await expect(scans.show(/^10 new$/)).toBeFocused();
    await keyboard.press('Enter');
    await expect(page.getByText('9 files', { exact: true })).toBeVisible();
    await tabTo(page, scans.files.getByRole('row').first());
    await keyboard.press('t');
    await expect(scans.dialog.getByRole('combobox', { name: 'Tags' })).toBeFocused();
    await backTo(page, scans.dialog.getByRole('radio', { name: 'This sample' }));
    await keyboard.press('ArrowDown');
    await expect(scans.dialog.getByRole('radio', { name: 'All 9 listed samples' })).toBeChecked();
    await tabTo(page, scans.dialog.getByRole('combobox', { name: 'Tags' }));
    await keyboard.type('case:2026-114');
    await keyboard.press('Enter');
    await tabTo(page, scans.dialog.getByRole('button', { name: 'Add tags' }));
    await keyboard.press('Enter');
    await expect(page.getByText('9 samples tagged')).toBeVisible();
    await expect(scans.dialog).toHaveCount(0);
    await expectFocusDrawn(page);
  },
);

test(
  'the focus follows the keys from view to view, back through panes and out of a menu',
  { tag: '@long' },
  async ({ vitrine, lookup }) => {
    const { page } = vitrine;
    const { keyboard } = page;
    await test.step('a key that opens a view after a click draws the focus there', async () => {
      await lookup.field.click();
      await page.getByRole('heading', { level: 1, name: 'Look up' }).click();
      await keyboard.press('Control+,');
      await expect(
        page.getByRole('navigation', { name: 'Sections' }).getByRole('button', { name: 'Appearance' }),
      ).toBeFocused();
      await expectFocusDrawn(page);
    });
    await test.step('F6 with Shift goes backwards through the panes of a view', async () => {
      await keyboard.press('Control+2');
      await expect(lookup.field).toBeFocused();
      await keyboard.press('Control+1');
      await expect(page.getByRole('heading', { level: 1, name: 'Library' })).toBeVisible();
      const sidebar = page.getByRole('navigation', { name: 'Views' }).getByRole('button').first();
      await nextPaneTo(page, sidebar);
      await keyboard.press('F6');
      await keyboard.press('Shift+F6');
      await expect(sidebar).toBeFocused();
    });
    await test.step('a menu that closes returns the focus before the next key, which may open it again', async () => {
      const item = page.getByRole('menuitem').first();
      await page.getByRole('button', { name: /^Workspace: / }).focus();
      await keyboard.press('Enter');
      for (let round = 0; round < 10; round += 1) {
        await expect(item).toBeFocused();
        await Promise.all([keyboard.press('Escape'), keyboard.press('Enter')]);
      }
      await expect(item).toBeFocused();
    });
  },
);

test(
  'the sample shortcuts are readable, even in a small window, and its single-key shortcuts can be turned off',
  { tag: '@long' },
  async ({ vitrine, lookup, settings }) => {
    const { page } = vitrine;
    await test.step('a question mark shows the keys, and Escape puts them away', async () => {
      await lookup.ask(eicarMd5);
      await expect(lookup.sample('eicar.com')).toBeFocused();
      await page.keyboard.press('?');
      await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
      await page.keyboard.press('Escape');
      await expect(page.getByRole('dialog')).toHaveCount(0);
    });
    await test.step('the shortcuts stay closable in a small window and scroll by keyboard', async () => {
      await page.setViewportSize({ width: 640, height: 360 });
      await expect(lookup.sample('eicar.com')).toBeFocused();
      await page.keyboard.press('?');
      const close = page.getByRole('dialog', { name: 'Keyboard shortcuts' }).getByRole('button', { name: 'Close' });
      await expect(close).toBeFocused();
      await expect(close).toBeInViewport({ ratio: 1 });
      const last = page.getByRole('dialog', { name: 'Keyboard shortcuts' }).getByRole('term').last();
      await expect(last).not.toBeInViewport();
      await page.keyboard.press('End');
      await expect(last).toBeInViewport({ ratio: 1 });
      await expect(close).toBeInViewport({ ratio: 1 });
      await page.keyboard.press('Escape');
      await page.setViewportSize({ width: 1280, height: 800 });
    });
    await test.step('single letters can be switched off', async () => {
      await settings.open('Keyboard');
      await page.getByRole('checkbox', { name: /^Single-key shortcuts/ }).click({ force: true });
      await lookup.open();
      await lookup.ask(eicarMd5);
      await expect(lookup.sample('eicar.com')).toBeFocused();
      await page.keyboard.press('d');
      await expect(page.getByText('Not in the vault')).toBeVisible();
    });
  },
);
