import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { axeFindings } from '../axe.ts';
import { eicarMd5 } from '../eicar.ts';
import { zipBy7z } from '../faults/encrypted-zip.ts';
import { startRuleEditor } from '../faults/rule-editor.ts';
import { type Desk, expect, test } from '../fixtures.ts';
import { generatedSamples } from '../generated-samples.ts';
import { BulkPage } from '../pages/bulk-page.ts';
import { BundleDialogs } from '../pages/bundle-dialogs.ts';
import { CaseDialog } from '../pages/case-dialog.ts';
import { CommentsPage } from '../pages/comments-page.ts';
import { JournalPage } from '../pages/journal-page.ts';
import { LibraryPage } from '../pages/library-page.ts';
import { PublicationsPage } from '../pages/publications-page.ts';
import { ScanPage } from '../pages/scan-page.ts';
import { UploadPage } from '../pages/upload-page.ts';
import { pickFiles } from '../picked-files.ts';
import { packed, ruleText } from '../rule-package.ts';
import { useRulesTeam } from '../rules-workspace.ts';
import { glasswing } from '../specimens.ts';

const unknownMd5 = '943252db2370a73b98bb2d261322baa7';

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** What a theme can break. */
const colourRules = ['color-contrast', 'link-in-text-block'];

/**
 * In the light theme, and for its colours in the dark one. `floats`: something floats above the page that is drawn at its end, outside of every landmark,
 * and goes when the focus leaves it.
 */
async function expectNothingFound(page: Page, { floats = false } = {}): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  expect(await axeFindings(page, { tags, without: floats ? ['region'] : [] })).toEqual([]);
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
  expect(await axeFindings(page, { only: colourRules })).toEqual([]);
}

test('axe finds nothing in any view', async ({ desk, lookup, settings }) => {
  await expect(desk.page.getByRole('row', { name: /eicar/ })).toBeVisible();
  await expectNothingFound(desk.page);
  await lookup.ask('0'.repeat(32));
  await expect(lookup.alert).toBeVisible();
  await expectNothingFound(desk.page);
  await lookup.ask(eicarMd5);
  await expect(lookup.sample('eicar.com')).toBeVisible();
  await expectNothingFound(desk.page);
  await desk.page.keyboard.press('Control+k');
  await expect(desk.page.getByRole('listbox', { name: 'Commands' })).toBeVisible();
  await expectNothingFound(desk.page);
  await desk.page.keyboard.type('eicar');
  await expect(desk.page.getByRole('group', { name: 'Samples' })).toBeVisible();
  await expectNothingFound(desk.page);
  await desk.page.keyboard.press('Escape');
  await desk.page.keyboard.press('Escape');
  await lookup.download();
  await desk.page.getByRole('button', { name: /^Export ZIP/ }).click();
  await expect(desk.page.getByRole('dialog')).toBeVisible();
  await expectNothingFound(desk.page);
  await desk.page.keyboard.press('Escape');
  for (const section of ['Appearance', 'Storage', 'Downloads', 'Uploads', 'Watched folder', 'Scans', 'Rule updates', 'Export', 'Tokens', 'Keyboard', 'About', 'Workspaces'] as const) {
    await settings.open(section);
    await expectNothingFound(desk.page);
  }
  await desk.page.getByRole('button', { name: 'Add a workspace' }).click();
  await expectNothingFound(desk.page);
});

test('axe finds nothing where samples are handed over, or a bundle is opened', async ({ desk, lookup }) => {
  const { page } = desk;
  const [library, bundle] = [new LibraryPage(page), new BundleDialogs(page)];
  await lookup.ask(eicarMd5);
  await expect(lookup.sample('eicar.com')).toBeVisible();
  await library.open();
  await library.table.getByRole('row').nth(1).click();
  await new CaseDialog(page).openByKey();
  await expectNothingFound(page);
  await page.keyboard.press('Escape');
  await page.keyboard.press('h');
  await page.getByRole('menuitem', { name: /^A sealed bundle/ }).press('Enter');
  await expect(bundle.dialog.getByText('Your key', { exact: true })).toBeVisible();
  await bundle.passphrase.fill('short');
  await expectNothingFound(page);
  await page.keyboard.press('Escape');
  await bundle.askToOpen();
  await expectNothingFound(page);
  await pickFiles(page.locator('[data-picker=bundle]'), { name: 'none.vitrine-bundle', bytes: 'none' });
  await expectNothingFound(page);
  await bundle.unlock('a passphrase of nothing');
  await expect(bundle.dialog.getByRole('alert')).toBeVisible();
  await expectNothingFound(page);
});

test('axe finds nothing in a bulk download, its exports, the activity and the journal', async ({ desk }) => {
  const { page } = desk;
  const bulk = new BulkPage(page);
  await bulk.open();
  await expectNothingFound(page);
  await bulk.paste(`${eicarMd5}\n${eicarMd5.slice(1)}\n${unknownMd5}`);
  await expect(page.getByRole('button', { name: 'Download 2 samples' })).toBeEnabled();
  await expectNothingFound(page);
  await bulk.start();
  await expect(bulk.ended('1 of 2 not fetched')).toBeVisible();
  await expectNothingFound(page);
  await bulk.outcome('1 done').click();
  await bulk.rows().nth(1).click();
  await page.keyboard.press('x');
  await expect(page.getByText('1 selected')).toBeVisible();
  await expectNothingFound(page);
  await page.keyboard.press('e');
  await expect(bulk.dialog).toBeVisible();
  await expectNothingFound(page);
  await bulk.dialog.getByText('Raw files').click();
  await bulk.dialog.getByRole('button', { name: 'Go on with raw files' }).click();
  await expect(bulk.dialog.getByRole('textbox')).toBeVisible();
  await expectNothingFound(page);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+8');
  await expect(page.getByRole('region', { name: /^Job \d/ })).toBeVisible();
  await expectNothingFound(page);
  const journal = new JournalPage(page);
  await journal.open();
  await expectNothingFound(page);
  await journal.line('Download').first().click();
  await journal.verify();
  await expect(page.getByText(/^The journal holds/)).toBeVisible();
  await page.getByRole('textbox', { name: /^From/ }).fill('yesterday');
  await expectNothingFound(page);
});

/** What a draft may hold: new and known, a locked archive, an open one with a member, and a file without a byte. */
async function filesOf(desk: Desk): Promise<string> {
  const folder = join(desk.folder, 'given');
  await mkdir(folder);
  const [bytes] = generatedSamples(1, 'member');
  const zip = (password: string): Promise<Buffer> => zipBy7z([{ name: 'member.bin', bytes: bytes?.bytes ?? Buffer.alloc(1) }], { encryption: 'aes-256', password });
  const files = { 'empty.txt': Buffer.alloc(0), 'opened.zip': await zip('infected'), 'locked.zip': await zip('only we know'), 'a-name-that-is-cut-in-the-middle.bin': Buffer.from('new') };
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content);
  return folder;
}

test('axe finds nothing in an upload', async ({ desk }) => {
  const { page } = desk;
  const upload = new UploadPage(page);
  await upload.open();
  await expect(page.getByRole('heading', { name: 'Nothing to upload yet' })).toBeVisible();
  await expectNothingFound(page);
  await upload.drop(await filesOf(desk));
  await expect(page.getByText('5 files staged')).toBeVisible();
  await expect(upload.amount('Sent now')).toHaveText('3');
  await upload.tagTicked('family:quillpost');
  await upload.tagTicked('runnable:win32:exe');
  await upload.setTlp('member.bin', 'RED');
  await upload.flag('a-name-that-is-cut-in-the-middle.bin', 'VirusTotal');
  await expect(page.getByText('1 file is AMBER or RED.')).toBeVisible();
  await expectNothingFound(page);
  await page.getByRole('button', { name: /^Set TLP/ }).click();
  await expectNothingFound(page, { floats: true });
  await page.keyboard.press('Escape');
  await upload.row('member.bin').getByRole('button', { name: /^Tags of/ }).click();
  await page.keyboard.type('fam');
  await expectNothingFound(page, { floats: true });
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await upload.row('locked.zip').getByRole('button', { name: /^Locked archive/ }).click();
  await expect(upload.dialog).toBeVisible();
  await expectNothingFound(page);
  await page.keyboard.press('Escape');
  await page.setViewportSize({ width: 820, height: 800 });
  await expectNothingFound(page);
  await upload.send();
  await expect(page.getByText('samples stored and confirmed')).toBeVisible();
  await expectNothingFound(page);
});

test('axe finds nothing in a conversation and the room of all', async ({ desk, lookup }) => {
  const { page } = desk;
  const comments = new CommentsPage(page);
  await comments.openRoom();
  await expect(page.getByRole('heading', { name: 'No comments yet' })).toBeVisible();
  await expectNothingFound(page);
  await lookup.open();
  await lookup.ask(eicarMd5);
  await comments.write('First seen at https://evil.example/a');
  await expect(comments.comment('First seen').getByRole('button', { name: /^Reply/ })).toBeVisible();
  await comments.replyTo('First seen');
  await comments.field.fill('So it was.');
  await expectNothingFound(page);
  await page.getByRole('button', { name: 'Preview' }).click();
  await expectNothingFound(page);
  await page.keyboard.press('Control+Enter');
  await expect(comments.comment('So it was').getByRole('button', { name: /^Reply/ })).toBeVisible();
  await expectNothingFound(page);
  await comments.openRoom();
  await expect(comments.list.getByRole('row').first()).toContainText('So it was.');
  await expect(lookup.thread).toContainText('First seen');
  await expectNothingFound(page);
  await page.getByRole('textbox', { name: 'Find in text and authors' }).fill('nobody said this');
  await expect(page.getByRole('heading', { name: 'No comment found' })).toBeVisible();
  await expectNothingFound(page);
});

test('axe finds nothing in the packages, the rules, the mutes and what is published', async ({ desk }) => {
  // One desk for nine looks: on a loaded machine each takes seconds.
  test.slow();
  const { page } = desk;
  const publications = new PublicationsPage(page);
  await publications.open();
  await expect(page.getByRole('heading', { name: 'No rules are installed' })).toBeVisible();
  await expectNothingFound(page);
  await publications.check();
  await publications.step('Install 2026.11.10 (15 rules)').click();
  await publications.activeVersion('2026.11.10');
  await publications.includeTest();
  await publications.askAgain();
  await expect(publications.change('glasswing_stub')).toBeVisible();
  await expect(page.getByRole('region', { name: 'What is different in glasswing_stub' })).toBeVisible();
  await expectNothingFound(page, { floats: true });
  await page.getByRole('button', { name: 'Side by side' }).click();
  await expectNothingFound(page, { floats: true });
  await page.setViewportSize({ width: 820, height: 800 });
  await expectNothingFound(page, { floats: true });
  await page.setViewportSize({ width: 1280, height: 800 });

  await publications.open('Rules');
  await publications.rule('high_entropy').click();
  await page.getByRole('button', { name: 'Mute high_entropy' }).click();
  await publications.dialog.getByText('In one sample').click();
  await publications.dialog.getByRole('button', { name: 'Mute', exact: true }).click();
  await expect(publications.dialog.getByText('A mute needs a reason')).toBeVisible();
  await expectNothingFound(page);
  await publications.dialog.getByText('In every sample').click();
  await publications.dialog.getByLabel('Reason').fill('known here');
  await publications.dialog.getByRole('button', { name: 'Mute', exact: true }).click();
  await expect(page.getByText('Muted in every sample')).toBeVisible();
  await expectNothingFound(page, { floats: true });
  await publications.open('Mutes');
  await expect(publications.mutes).toContainText('known here');
  await expectNothingFound(page, { floats: true });
  await publications.publish([{ name: 'mine.yar', text: `${ruleText('my_own')}rule broken { condition: $nothing }` }], '2026.12.1');
  await expect(page.getByText('Nothing was published: 1 rule is broken')).toBeVisible();
  await expectNothingFound(page);
});

test('axe finds nothing where a package is broken or cannot be opened, in the update settings and the fields of a reply', async ({ desk }) => {
  const { page } = desk;
  const editor = await startRuleEditor();
  editor.publish('1.4', await packed({ 'mail/all.yar': `${ruleText('good')}rule broken {\n  condition:\n    $missing\n}\n` }, { version: '1.4' }));
  const publications = await useRulesTeam(desk, { baseUrl: editor.baseUrl, token: 'a-token-of-this-team' });
  await publications.check();
  await expect(publications.compare).toContainText('unknown pattern `$missing`');
  await expectNothingFound(page);
  editor.publish('1.5', Buffer.alloc(1000, 0xe7));
  await publications.askAgain();
  await expect(publications.package('1.5')).toContainText('Cannot be opened here');
  await expectNothingFound(page);
  await page.getByRole('button', { name: 'More of the publications' }).click();
  await page.getByRole('menuitem', { name: 'Update settings…' }).click();
  await publications.dialog.getByLabel('Packages to keep').fill('none');
  await expectNothingFound(page);
  await page.keyboard.press('Escape');
  editor.answer('checkpackageversion', (response) => response.end('{"pkg":{"rev":"1.6"}}'));
  await publications.askAgain();
  await page.getByRole('button', { name: 'Look at the reply' }).click();
  await expect(publications.dialog).toBeVisible();
  await expectNothingFound(page);
  await editor.close();
});

test('axe finds nothing where files are chosen, scanned and hunted, and in their bytes', async ({ desk }) => {
  // One desk for nine looks: on a loaded machine each takes seconds.
  test.slow();
  const { page } = desk;
  const scans = new ScanPage(page);
  await scans.open();
  await expect(page.getByText('Scans and hunts of this workspace are listed here.')).toBeVisible();
  await expectNothingFound(page);
  const publications = new PublicationsPage(page);
  await publications.open();
  await publications.check();
  await publications.step('Install 2026.11.10 (15 rules)').click();
  await publications.activeVersion('2026.11.10');
  const bulk = new BulkPage(page);
  await bulk.open();
  await page.getByRole('button', { name: 'Paste the lab’s specimens' }).click();
  await bulk.start();
  await expect(bulk.outcomes).toContainText('14 done');

  await scans.open();
  await scans.pick([{ name: 'a-name-that-is-cut-in-the-middle-because-it-is-long.bin', bytes: Buffer.from('new') }]);
  await expect(page.getByText('1 file, 3 bytes')).toBeVisible();
  await scans.findAndTick(glasswing);
  await scans.with('Both, compared');
  await expectNothingFound(page);
  await scans.scan();
  await expect(scans.where).toContainText('Both sides agree');
  await expectNothingFound(page);
  await scans.groupBy('Rules');
  await expect(scans.rules.getByRole('row')).toHaveCount(2);
  await expectNothingFound(page);

  await scans.startAnew();
  await scans.findAndTick(glasswing);
  await scans.scan();
  await expect(scans.hit('glasswing_stub')).toBeVisible();
  await scans.goTo('glasswing_stub', { id: '$signature', offset: '0x80', length: 6 });
  await scans.bytes.press('Control+f');
  await page.keyboard.type('This program');
  await page.keyboard.press('Enter');
  await expectNothingFound(page);
  await page.setViewportSize({ width: 820, height: 800 });
  await expectNothingFound(page);
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.getByRole('button', { name: 'Show reply' }).click();
  await expect(scans.dialog).toContainText('matches');
  await expectNothingFound(page);
  await page.keyboard.press('Escape');

  await scans.startAnew();
  await scans.hunt('All rules');
  await expect(scans.show(/new$/)).toBeVisible();
  await expectNothingFound(page);
  await page.getByRole('button', { name: /^Tag/ }).click();
  await expect(scans.dialog).toBeVisible();
  await expectNothingFound(page);
});

test('no request leaves for anywhere but the host', async ({ desk, lookup, settings }) => {
  const page = new URL('/', desk.page.url()).href;
  const foreign: string[] = [];
  desk.page.on('request', (request) => {
    if (!request.url().startsWith(page) && !request.url().startsWith('data:')) foreign.push(request.url());
  });
  // The link works once: only when the page has its session does it outlive being loaded again.
  await desk.page.getByRole('button', { name: 'Workspace: Lab (this computer)' }).waitFor();
  await desk.page.reload();
  await lookup.ask(eicarMd5);
  await expect(lookup.sample('eicar.com')).toBeVisible();
  await settings.open('Tokens');
  expect(foreign).toEqual([]);
});
