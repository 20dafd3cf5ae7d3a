import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eicarMd5 } from '../eicar.ts';
import { zipBy7z } from '../faults/encrypted-zip.ts';
import { startRuleEditor } from '../faults/rule-editor.ts';
import { type Vitrine, expect, test } from '../fixtures.ts';
import { generatedSamples } from '../generated-samples.ts';
import { hostileNote } from '../hostile-note.ts';
import { expectFocusSeen, goOver, look, lookAndGoOver } from '../looks/look.ts';
import { BulkPage } from '../pages/bulk-page.ts';
import { CommentsPage } from '../pages/comments-page.ts';
import { JournalPage } from '../pages/journal-page.ts';
import { LibraryPage } from '../pages/library-page.ts';
import { PublicationsPage } from '../pages/publications-page.ts';
import { SamplePage } from '../pages/sample-page.ts';
import { ScanPage } from '../pages/scan-page.ts';
import { UploadPage } from '../pages/upload-page.ts';
import { pickFiles } from '../picked-files.ts';
import { packed, ruleText } from '../rule-package.ts';
import { useRulesTeam } from '../rules-workspace.ts';
import { glasswing } from '../sample-files.ts';

const unknownMd5 = '943252db2370a73b98bb2d261322baa7';
const longName = `${'a-name-that-is-much-longer-than-its-place-'.repeat(5)}.exe`;
const usual = { width: 1280, height: 800 };
/** Where what lies side by side comes to lie below each other. */
const narrow = { width: 820, height: 800 };

const withRules = test.extend({ beginsWith: 'rules' });

test.beforeEach(() => test.slow());

test(
  'samples, their details and their bytes fit every window without axe findings',
  { tag: '@long' },
  async ({ vitrine, lookup }) => {
    const { page } = vitrine;
    await lookup.ask(
      await page
        .getByRole('row', { name: /invoice_2291\.exe/ })
        .locator('code')
        .innerText(),
    );
    await expect(lookup.sample('invoice_2291.exe')).toBeVisible();
    const bulk = new BulkPage(page);
    await bulk.open();
    await page.getByRole('button', { name: 'Paste sample hashes from the lab' }).click();
    await bulk.start();
    await expect(bulk.outcomes).toContainText('14 done');
    await look(page, 'bulk-done');
    await page
      .getByRole('button', { name: /New list|New download/ })
      .first()
      .click();
    await bulk.paste(
      `${eicarMd5}\n${eicarMd5.slice(1)}\n${unknownMd5}\n${generatedSamples(200, 'many')
        .map(({ md5 }) => md5)
        .join('\n')}\n${'f'.repeat(300)}`,
    );
    await expect(page.getByRole('button', { name: /^Download \d+ samples/ })).toBeEnabled();
    await lookAndGoOver(page, 'bulk-list');

    await lookup.open();
    await lookup.ask('4a8a08f09d37b73795649038408b5f33');
    await expect(lookup.alert).toBeVisible();
    await lookAndGoOver(page, 'lookup-unknown');
    await lookup.ask(eicarMd5);
    await expect(lookup.inVault).toBeVisible();
    await look(page, 'lookup-found');
    await expectFocusSeen(page);
    const comments = new CommentsPage(page);
    await comments.write(
      `Seen at https://evil.example/${'a'.repeat(200)} and **nowhere** else.\n${'one line\n'.repeat(20)}`,
    );
    await expect(lookup.thread).toContainText('nowhere');
    await look(page, 'lookup-comments');
    await comments.replyTo('nowhere');
    await comments.field.fill('So it was.');
    await goOver(page, 'comment-reply');
    await page.getByRole('button', { name: 'Preview' }).click();
    await goOver(page, 'comment-preview');
    await page.keyboard.press('Control+Enter');
    await expect(comments.comment('So it was').getByRole('button', { name: /^Reply/ })).toBeVisible();
    await goOver(page, 'comment-replied');
    await comments.openView();
    await expect(comments.list.getByRole('row').first()).toContainText('So it was.');
    await expect(lookup.thread).toContainText('nowhere');
    await lookAndGoOver(page, 'comments');
    await page.getByRole('textbox', { name: 'Find in text and authors' }).fill('nobody said this');
    await expect(page.getByRole('heading', { name: 'No comments found' })).toBeVisible();
    await goOver(page, 'comments-nothing');

    const [library, sample] = [new LibraryPage(page), new SamplePage(page)];
    await library.open();
    await library.row('invoice_2291.exe').click();
    await expect(library.inspector.getByText('In the vault')).toBeVisible();
    await goOver(page, 'library-in-vault');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { level: 1, name: 'Sample' })).toBeVisible();
    for (const tag of ['case:2026-114', 'one:'.repeat(20).concat('tag'), 'packed', 'source:edr'])
      await sample.addTag(tag);
    await page.keyboard.press('Escape');
    await sample.setTlp('AMBER+STRICT');
    await look(page, 'sample');
    await expectFocusSeen(page);
    await page.keyboard.press('b');
    await expect(sample.hexRows).toBeVisible();
    await look(page, 'sample-bytes');
    await page.getByRole('button', { name: /^Hide bytes/ }).click();
    await sample.writeNote(hostileNote);
    await sample.note.getByRole('button', { name: 'Preview' }).click();
    await expect(sample.note.getByRole('heading', { name: 'Ashveil' })).toBeVisible();
    await goOver(page, 'sample-note');
  },
);

/** What a draft may hold: new and known, a locked archive, an open one with a member, and a file without a byte. */
async function filesOf(vitrine: Vitrine): Promise<string> {
  const folder = join(vitrine.folder, 'given');
  await mkdir(folder);
  const [bytes] = generatedSamples(1, 'member');
  const zip = (password: string): Promise<Buffer> =>
    zipBy7z([{ name: 'member.bin', bytes: bytes?.bytes ?? Buffer.alloc(1) }], { encryption: 'aes-256', password });
  const files = {
    'empty.txt': Buffer.alloc(0),
    'opened.zip': await zip('infected'),
    'locked.zip': await zip('only we know'),
    'a-name-that-is-cut-in-the-middle.bin': Buffer.from('new'),
  };
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content);
  return folder;
}

test(
  'downloads, exports, uploads and the journal fit every window without axe findings',
  { tag: '@long' },
  async ({ vitrine, lookup }) => {
    const { page } = vitrine;
    await lookup.ask(eicarMd5);
    await expect(lookup.sample('eicar.com')).toBeVisible();
    await goOver(page, 'lookup-sample');
    const bulk = new BulkPage(page);
    await bulk.open();
    await bulk.paste(`${eicarMd5}\n${eicarMd5.slice(1)}\n${unknownMd5}`);
    await expect(page.getByRole('button', { name: 'Download 2 samples' })).toBeEnabled();
    await goOver(page, 'bulk-few');
    await bulk.start();
    await expect(bulk.ended('1 of 2 not downloaded')).toBeVisible();
    await goOver(page, 'bulk-ended');
    await bulk.outcome('1 done').click();
    await bulk.rows().nth(1).click();
    await page.keyboard.press('x');
    await expect(page.getByText('1 selected')).toBeVisible();
    await goOver(page, 'bulk-ticked');
    await page.keyboard.press('e');
    await page.getByRole('menuitem', { name: /^Password ZIP/ }).press('Enter');
    await expect(bulk.dialog).toBeVisible();
    await goOver(page, 'bulk-export');
    await bulk.dialog.getByText('Raw files').click();
    await bulk.dialog.getByRole('button', { name: 'Continue with raw files' }).click();
    await expect(bulk.dialog.getByRole('textbox')).toBeVisible();
    await goOver(page, 'bulk-export-raw');
    await page.keyboard.press('Escape');
    await lookup.open();
    await lookup.ask(eicarMd5);
    await expect(lookup.inVault).toBeVisible();
    await page.getByRole('button', { name: /^Export…/ }).click();
    await page.getByRole('menuitem', { name: /^Password ZIP/ }).click();
    await expect(page.getByRole('dialog')).toBeVisible();
    await goOver(page, 'lookup-export');
    await page.keyboard.press('Escape');

    await drawUpload(vitrine);
    await page.keyboard.press('Control+8');
    await expect(page.getByRole('region', { name: /^Job \d/ })).toBeVisible();
    await lookAndGoOver(page, 'activity');
    await readJournal(vitrine);
  },
);

/** A draft of all that one may hold, and what became of it when it was sent. */
async function drawUpload(vitrine: Vitrine): Promise<void> {
  const { page } = vitrine;
  const upload = new UploadPage(page);
  await upload.open();
  await upload.drop(await filesOf(vitrine));
  await expect(page.getByText('5 files staged')).toBeVisible();
  await expect(upload.amount('To send')).toHaveText('3');
  await pickFiles(
    page.locator('[data-picker=files]').first(),
    ...generatedSamples(30, 'given').map(({ name, bytes }, at) => ({ name: at === 0 ? longName : name, bytes })),
  );
  await expect(page.getByText('35 files staged')).toBeVisible();
  await upload.tagTicked('family:quillpost');
  await upload.tagTicked('runnable:win32:exe');
  await upload.setTlp('member.bin', 'RED');
  await upload.flag('a-name-that-is-cut-in-the-middle.bin', 'VirusTotal');
  await expect(page.getByText('1 file is TLP:AMBER or stricter and is not forwarded.')).toBeVisible();
  await upload.comment.fill('Same config layout as the build of the ninth of November.');
  await lookAndGoOver(page, 'upload-draft');
  await expectFocusSeen(page);
  await page.getByRole('button', { name: /^Set TLP/ }).click();
  await goOver(page, 'upload-tlp', { floats: true });
  await page.keyboard.press('Escape');
  await upload
    .row('member.bin')
    .getByRole('button', { name: /^Tags of/ })
    .click();
  await page.keyboard.type('fam');
  await goOver(page, 'upload-tags', { floats: true });
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await upload
    .row('locked.zip')
    .getByRole('button', { name: /^Locked archive/ })
    .click();
  await expect(upload.dialog).toBeVisible();
  await goOver(page, 'upload-locked');
  await page.keyboard.press('Escape');
  await page.setViewportSize(narrow);
  await goOver(page, 'upload-narrow');
  await upload.send();
  await expect(page.getByText('samples stored')).toBeVisible();
  await goOver(page, 'upload-done-narrow');
  await page.setViewportSize(usual);
  await look(page, 'upload-done');
}

async function readJournal({ page }: Vitrine): Promise<void> {
  const journal = new JournalPage(page);
  await journal.open();
  await goOver(page, 'journal-list');
  await journal.line('Upload').first().click();
  await expect(journal.row).toBeVisible();
  await look(page, 'journal');
  await expectFocusSeen(page);
  await journal.verify();
  await expect(page.getByText(/^Journal intact/)).toBeVisible();
  await lookAndGoOver(page, 'journal-holds');
  await page.getByRole('button', { name: 'All operations' }).click();
  await look(page, 'journal-operations');
  await page.keyboard.press('Escape');
  await page.getByRole('textbox', { name: /^From/ }).fill('yesterday');
  await lookAndGoOver(page, 'journal-problem');
  await page.getByRole('textbox', { name: /^From/ }).fill('2999-01-01');
  await expect(page.getByRole('heading', { name: 'No entries found' })).toBeVisible();
  await look(page, 'journal-nothing');
}

test(
  'packages, rules and mutes fit every window without axe findings, also when a package is broken',
  { tag: '@long' },
  async ({ vitrine }) => {
    const { page } = vitrine;
    const publications = new PublicationsPage(page);
    await publications.open();
    await publications.check();
    await look(page, 'publications-candidate');
    await publications.step('Install 2026.11.10 (15 rules)').click();
    await publications.activeVersion('2026.11.10');
    await publications.includeTest();
    await publications.askAgain();
    await expect(publications.change('glasswing_stub')).toBeVisible();
    await expect(page.getByRole('region', { name: 'Diff of glasswing_stub' })).toBeVisible();
    await lookAndGoOver(page, 'publications-updates', { floats: true });
    await expectFocusSeen(page);
    await page.getByRole('button', { name: 'Side by side' }).click();
    await goOver(page, 'publications-side-by-side', { floats: true });
    await page.setViewportSize(narrow);
    await goOver(page, 'publications-narrow', { floats: true });
    await page.setViewportSize(usual);
    await page.getByRole('button', { name: 'More publication actions' }).click();
    await page.getByRole('menuitem', { name: 'Update settings…' }).click();
    await look(page, 'publications-settings');
    await publications.dialog.getByLabel('Packages to keep').fill('none');
    await goOver(page, 'publications-settings-problem');
    await page.keyboard.press('Escape');

    await publications.open('Rules');
    await publications.rule('high_entropy').click();
    await look(page, 'publications-rules');
    await page.getByRole('button', { name: 'Mute high_entropy' }).click();
    await look(page, 'publications-mute');
    await publications.dialog.getByText('In one sample').click();
    await publications.dialog.getByRole('button', { name: 'Mute', exact: true }).click();
    await expect(publications.dialog.getByText('Enter a reason')).toBeVisible();
    await goOver(page, 'publications-mute-problem');
    await publications.dialog.getByText('In every sample').click();
    await publications.dialog.getByLabel('Reason').fill('known here, and not worth a look before the end of the year');
    await publications.dialog.getByRole('button', { name: 'Mute', exact: true }).click();
    await expect(page.getByText('Muted in every sample')).toBeVisible();
    await goOver(page, 'publications-muted', { floats: true });
    await publications.open('Mutes');
    await expect(publications.mutes).toContainText('known here');
    await lookAndGoOver(page, 'publications-mutes', { floats: true });
    await publications.publish(
      [{ name: 'mine.yar', text: `${ruleText('my_own')}rule broken { condition: $nothing }` }],
      '2026.12.1',
    );
    await expect(page.getByText('Nothing was published: 1 rule is broken')).toBeVisible();
    await lookAndGoOver(page, 'publications-publish');
    await meetBrokenPackages(vitrine);
  },
);

async function meetBrokenPackages(vitrine: Vitrine): Promise<void> {
  const { page } = vitrine;
  const editor = await startRuleEditor();
  editor.publish(
    '1.4',
    await packed(
      { 'mail/all.yar': `${ruleText('good')}rule broken {\n  condition:\n    $missing\n}\n` },
      { version: '1.4' },
    ),
  );
  const publications = await useRulesTeam(vitrine, { baseUrl: editor.baseUrl, token: 'a-token-of-this-team' });
  await publications.check();
  await expect(publications.compare).toContainText('unknown pattern `$missing`');
  await goOver(page, 'package-broken');
  editor.publish('1.5', Buffer.alloc(1000, 0xe7));
  await publications.askAgain();
  await expect(publications.package('1.5')).toContainText('Cannot be opened');
  await goOver(page, 'package-unopened');
  editor.answer('checkpackageversion', (response) => response.end('{"pkg":{"rev":"1.6"}}'));
  await publications.askAgain();
  await page.getByRole('button', { name: 'Show reply' }).click();
  await expect(publications.dialog).toBeVisible();
  await goOver(page, 'package-reply');
  await editor.close();
}

withRules(
  'scans, hunts and the bytes of a match fit every window, and axe finds nothing',
  { tag: '@long' },
  async ({ vitrine: { page } }) => {
    const scans = new ScanPage(page);
    await scans.open();
    await scans.pick([{ name: longName, bytes: Buffer.from('new') }]);
    await expect(page.getByText('1 file, 3 bytes')).toBeVisible();
    await scans.findAndTick(glasswing);
    await scans.with('Both, compared');
    await lookAndGoOver(page, 'scan-start');
    await expectFocusSeen(page);
    await scans.scan();
    await expect(scans.where).toContainText('Both engines agree');
    await lookAndGoOver(page, 'scan-results');
    await expectFocusSeen(page);
    await scans.groupBy('Rules');
    await expect(scans.rules.getByRole('row')).toHaveCount(2);
    await goOver(page, 'scan-rules');

    await scans.startOver();
    await scans.findAndTick(glasswing);
    await scans.scan();
    await expect(scans.hit('glasswing_stub')).toBeVisible();
    await scans.goTo('glasswing_stub', { id: '$signature', offset: '0x80', length: 6 });
    await look(page, 'scan-bytes');
    await scans.bytes.press('Control+f');
    await page.keyboard.type('This program');
    await page.keyboard.press('Enter');
    await goOver(page, 'scan-bytes-found');
    await page.setViewportSize(narrow);
    await goOver(page, 'scan-bytes-narrow');
    await page.setViewportSize(usual);
    await page.getByRole('button', { name: 'Show reply' }).click();
    await expect(scans.dialog).toContainText('matches');
    await goOver(page, 'scan-reply');
    await page.keyboard.press('Escape');

    await scans.startOver();
    await scans.hunt('All rules');
    await expect(scans.show(/new$/)).toBeVisible();
    await goOver(page, 'hunt');
    await page.getByRole('button', { name: /^Tag/ }).click();
    await expect(scans.dialog).toBeVisible();
    await goOver(page, 'hunt-tag');
    await page.keyboard.press('Escape');
    for (const group of ['Rules', 'Families', 'Files'] as const) {
      await scans.groupBy(group);
      await look(page, `hunt-${group.toLowerCase()}`);
    }
  },
);
