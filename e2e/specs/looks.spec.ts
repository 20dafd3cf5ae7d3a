import { eicarMd5 } from '../eicar.ts';
import { type Desk, expect, test } from '../fixtures.ts';
import { generatedSamples } from '../generated-samples.ts';
import { look } from '../looks/look.ts';
import { focusNotSeen } from '../looks/measured.ts';
import { stockOddLibrary } from '../looks/odd-library.ts';
import { BulkPage } from '../pages/bulk-page.ts';
import { JournalPage } from '../pages/journal-page.ts';
import { LibraryPage } from '../pages/library-page.ts';
import { LookupPage } from '../pages/lookup-page.ts';
import { PublicationsPage } from '../pages/publications-page.ts';
import { ScanPage } from '../pages/scan-page.ts';
import { SamplePage } from '../pages/sample-page.ts';
import { type SettingsSection, SettingsPage } from '../pages/settings-page.ts';
import { UploadPage } from '../pages/upload-page.ts';
import { WelcomePage } from '../pages/welcome-page.ts';
import { pickFiles } from '../picked-files.ts';
import { ruleText } from '../rule-package.ts';
import { glasswing } from '../specimens.ts';

const unknownMd5 = '943252db2370a73b98bb2d261322baa7';
const longName = `${'a-name-that-is-much-longer-than-its-place-'.repeat(5)}.exe`;
const sections: readonly SettingsSection[] = ['Appearance', 'Storage', 'Downloads', 'Uploads', 'Watched folder', 'Scans', 'Rule updates', 'Export', 'Tokens', 'Keyboard', 'About', 'Workspaces'];

/** The focus is shown wherever Tab leads in this view. */
async function expectFocusSeen({ page }: Desk): Promise<void> {
  // Only after a key does a browser show where the focus is.
  await page.keyboard.press('Shift');
  expect.soft(await page.evaluate(focusNotSeen)).toEqual([]);
}

/** Every sample of the lab is in the vault. */
async function fetchSpecimens({ page }: Desk): Promise<BulkPage> {
  const bulk = new BulkPage(page);
  await bulk.open();
  await page.getByRole('button', { name: 'Paste the lab’s specimens' }).click();
  await bulk.start();
  await expect(bulk.outcomes).toContainText('14 done');
  return bulk;
}

test.describe('a new desk', () => {
  test.use({ staysInWelcome: true });

  test('fits every window from its welcome on', async ({ desk }) => {
    const { page } = desk;
    const welcome = new WelcomePage(page);
    await expect(welcome.step('How samples are kept')).toBeVisible();
    await look(page, 'welcome-kept');
    await welcome.goOn();
    await look(page, 'welcome-services');
    await page.getByRole('button', { name: 'Go on with the lab' }).click();
    await expect(welcome.step('Something to try')).toBeVisible();
    await look(page, 'welcome-try');
    await page.keyboard.press('Escape');
    await expect(new LookupPage(page).field).toBeVisible();
    await expect(page.getByRole('row', { name: /eicar/ })).toBeVisible();
    for (const [at, room] of ['library', 'lookup', 'bulk', 'upload', 'comments', 'scan', 'publications', 'activity', 'journal'].entries()) {
      await page.keyboard.press(`Control+${at + 1}`);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await look(page, `empty-${room}`);
    }
  });
});

test.describe('a library of ten thousand', () => {
  test.use({
    // Where there are samples, the desk is none that is new.
    staysInWelcome: true,
    folder: async ({ folder }, use) => {
      await stockOddLibrary(`${folder}/data`);
      await use(folder);
    },
  });

  test('fits every window, searched, ticked and with all that opens in it', async ({ desk }) => {
    test.slow();
    const { page } = desk;
    const library = new LibraryPage(page);
    await library.open();
    await expect(library.row('a-very-long-name')).toBeVisible();
    await look(page, 'library-full');
    await library.row('a-very-long-name').click();
    await expect(library.inspector).toBeVisible();
    await look(page, 'library-inspector');
    await page.keyboard.press('x');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('x');
    await look(page, 'library-ticked');
    await expectFocusSeen(desk);
    for (const [key, name] of [['t', 'tag'], ['l', 'tlp'], ['c', 'copy'], ['e', 'export'], ['h', 'hand-over'], ['Delete', 'forget']] as const) {
      await library.row('a-very-long-name').focus();
      await page.keyboard.press(key);
      await expect(page.getByRole('dialog').or(page.getByRole('menu')).or(page.getByRole('alertdialog')).first()).toBeVisible();
      await look(page, `library-${name}`);
      await page.keyboard.press('Escape');
    }
    for (const [way, name] of [[/^A case/, 'case'], [/^A sealed bundle/, 'bundle']] as const) {
      await library.row('a-very-long-name').focus();
      await page.keyboard.press('h');
      await page.getByRole('menuitem', { name: way }).press('Enter');
      await expect(library.dialog.getByRole('textbox', { name: 'Title' })).toBeVisible();
      if (name === 'case') await library.dialog.getByText(/^Samples in password ZIPs/).click();
      await look(page, `library-${name}`);
      await expectFocusSeen(desk);
      await page.keyboard.press('Escape');
    }
    await page.getByRole('button', { name: 'More of the library' }).click();
    await page.getByRole('menuitem', { name: 'Open a bundle…' }).click();
    await look(page, 'bundle-choose');
    await pickFiles(page.locator('[data-picker=bundle]'), { name: `${longName}.vitrine-bundle`, bytes: 'none' });
    await look(page, 'bundle-unlock');
    await page.keyboard.type('a passphrase of nothing');
    await page.keyboard.press('Enter');
    await expect(library.dialog.getByRole('alert')).toBeVisible();
    await look(page, 'bundle-refused');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Columns' }).click();
    await look(page, 'library-columns');
    await page.keyboard.press('Escape');
    await library.search('sise:>1MB name:invoice');
    await expect(library.query).toHaveAccessibleDescription(/There is no field/);
    await look(page, 'library-problem');
    await library.search('size:>900TB name:invoice');
    await expect(page.getByText('No sample fits', { exact: false })).toBeVisible();
    await look(page, 'library-nothing');
    await library.query.fill('ta');
    await expect(library.choices.first()).toBeVisible();
    await look(page, 'library-completion');
    await library.search('name:W');
    await page.getByRole('button', { name: 'Save view' }).click();
    await library.dialog.getByRole('textbox', { name: 'Name' }).fill('Case 2026-114, all that was seen with the dropper of the ninth of November');
    await look(page, 'library-save-view');
    await library.dialog.getByRole('button', { name: 'Save view' }).click();
    await expect(library.views.getByRole('button').first()).toBeVisible();
    await look(page, 'library-saved-view');
  });

  test('keeps what is chosen and every lamp apart where the system gives the colours', async ({ desk: { page } }) => {
    const library = new LibraryPage(page);
    await library.open();
    await library.row('a-very-long-name').click();
    await page.keyboard.press('x');
    await page.emulateMedia({ forcedColors: 'active' });
    const edges = await library.table.evaluate((table) => {
      const lamps = [...table.querySelectorAll('[data-lamp]')];
      const style = (selector: string): CSSStyleDeclaration | null => {
        const found = table.querySelector(selector);
        return found && getComputedStyle(found);
      };
      return {
        lamps: lamps.length > 0 && lamps.every((lamp) => Number.parseFloat(getComputedStyle(lamp).borderTopWidth) >= 1 || getComputedStyle(lamp).outlineStyle !== 'none'),
        chosen: style('[role=row][aria-selected=true]')?.backgroundColor === style('[role=row][aria-selected=false]')?.backgroundColor,
      };
    });
    expect(edges).toEqual({ lamps: true, chosen: false });
    await look(page, 'library-forced');
  });
});

test('a desk at work fits every window: samples, downloads, uploads, comments', async ({ desk, lookup }) => {
  test.slow();
  const { page } = desk;
  const bulk = await fetchSpecimens(desk);
  await look(page, 'bulk-done');
  await page.getByRole('button', { name: /New list|New download/ }).first().click();
  await bulk.paste(`${eicarMd5}\n${eicarMd5.slice(1)}\n${unknownMd5}\n${generatedSamples(200, 'many').map(({ md5 }) => md5).join('\n')}\n${'f'.repeat(300)}`);
  await expect(page.getByRole('button', { name: /^Download \d+ samples/ })).toBeEnabled();
  await look(page, 'bulk-list');
  await lookup.open();
  await lookup.ask('0'.repeat(32));
  await expect(lookup.alert).toBeVisible();
  await look(page, 'lookup-unknown');
  await lookup.ask(eicarMd5);
  await expect(lookup.inVault).toBeVisible();
  await look(page, 'lookup-found');
  await expectFocusSeen(desk);
  await page.getByRole('textbox', { name: 'Comment' }).fill(`Seen at https://evil.example/${'a'.repeat(200)} and **nowhere** else.\n${'one line\n'.repeat(20)}`);
  await page.keyboard.press('Control+Enter');
  await expect(lookup.thread).toContainText('nowhere');
  await look(page, 'lookup-comments');
  const sample = new SamplePage(page);
  await sample.openFromLibrary(glasswing.slice(0, 12));
  for (const tag of ['case:2026-114', 'one:'.repeat(20).concat('tag'), 'packed', 'source:edr']) await sample.addTag(tag);
  await page.keyboard.press('Escape');
  await sample.setTlp('AMBER+STRICT');
  await look(page, 'sample');
  await expectFocusSeen(desk);
  await page.keyboard.press('b');
  await expect(sample.hexRows).toBeVisible();
  await look(page, 'sample-bytes');
  await page.keyboard.press('Escape');

  const upload = new UploadPage(page);
  await upload.open();
  const files = generatedSamples(30, 'given').map(({ name, bytes }, at) => ({ name: at === 0 ? longName : name, bytes }));
  await pickFiles(page.locator('[data-picker=files]').first(), ...files);
  await expect(page.getByText('30 files staged')).toBeVisible();
  await upload.tagTicked('family:quillpost');
  await upload.setTlp('given-00002.bin', 'RED');
  await upload.comment.fill('Same config layout as the build of the ninth of November.');
  await look(page, 'upload-draft');
  await expectFocusSeen(desk);
  await upload.send();
  await expect(page.getByText('samples stored and confirmed')).toBeVisible();
  await look(page, 'upload-done');
  await page.keyboard.press('Control+5');
  await expect(page.getByRole('grid', { name: 'All comments' }).getByRole('row').first()).toBeVisible();
  await look(page, 'comments');
  await page.keyboard.press('Control+8');
  await expect(page.getByRole('region', { name: /^Job \d/ })).toBeVisible();
  await look(page, 'activity');
  const journal = new JournalPage(page);
  await journal.open();
  await journal.line('Upload').first().click();
  await expect(journal.row).toBeVisible();
  await look(page, 'journal');
  await expectFocusSeen(desk);
  await journal.verify();
  await expect(page.getByText(/^The journal holds/)).toBeVisible();
  await look(page, 'journal-holds');
  await page.getByRole('button', { name: 'All operations' }).click();
  await look(page, 'journal-operations');
  await page.keyboard.press('Escape');
  await page.getByRole('textbox', { name: /^From/ }).fill('yesterday');
  await look(page, 'journal-problem');
  await page.getByRole('textbox', { name: /^From/ }).fill('2999-01-01');
  await expect(page.getByRole('heading', { name: 'No row found' })).toBeVisible();
  await look(page, 'journal-nothing');
});

test('a desk at work fits every window: rules, scans, hunts', async ({ desk }) => {
  test.slow();
  const { page } = desk;
  const publications = new PublicationsPage(page);
  await publications.open();
  await publications.check();
  await look(page, 'publications-candidate');
  await publications.step(/^Install /).click();
  await publications.activeVersion('2026.11.10');
  await publications.includeTest();
  await publications.askAgain();
  await expect(publications.change('glasswing_stub')).toBeVisible();
  await look(page, 'publications-updates');
  await expectFocusSeen(desk);
  await page.getByRole('button', { name: 'More of the publications' }).click();
  await page.getByRole('menuitem', { name: 'Update settings…' }).click();
  await look(page, 'publications-settings');
  await page.keyboard.press('Escape');
  await publications.open('Rules');
  await publications.rule('high_entropy').click();
  await look(page, 'publications-rules');
  await page.getByRole('button', { name: 'Mute high_entropy' }).click();
  await look(page, 'publications-mute');
  await publications.dialog.getByLabel('Reason').fill('known here, and not worth a look before the end of the year');
  await publications.dialog.getByRole('button', { name: 'Mute', exact: true }).click();
  await publications.open('Mutes');
  await expect(publications.mutes).toContainText('known here');
  await look(page, 'publications-mutes');
  await publications.publish([{ name: 'mine.yar', text: `${ruleText('my_own')}rule broken { condition: $nothing }` }], '2026.12.1');
  await expect(page.getByText('Nothing was published: 1 rule is broken')).toBeVisible();
  await look(page, 'publications-publish');

  await fetchSpecimens(desk);
  const scans = new ScanPage(page);
  await scans.open();
  await scans.pick([{ name: longName, bytes: Buffer.from('new') }]);
  await scans.findAndTick(glasswing);
  await scans.with('Both, compared');
  await look(page, 'scan-start');
  await expectFocusSeen(desk);
  await scans.scan();
  await expect(scans.where).toContainText('Both sides agree');
  await look(page, 'scan-results');
  await expectFocusSeen(desk);
  await scans.startAnew();
  await scans.findAndTick(glasswing);
  await scans.scan();
  await expect(scans.hit('glasswing_stub')).toBeVisible();
  await scans.goTo('glasswing_stub', { id: '$signature', offset: '0x80', length: 6 });
  await look(page, 'scan-bytes');
  await scans.startAnew();
  await scans.hunt('All rules');
  await expect(scans.show(/new$/)).toBeVisible();
  for (const group of ['Rules', 'Families', 'Files'] as const) {
    await scans.groupBy(group);
    await look(page, `hunt-${group.toLowerCase()}`);
  }
});

test('settings, the palette and the keys fit every window', async ({ desk, lookup }) => {
  test.slow();
  const { page } = desk;
  const settings = new SettingsPage(page);
  for (const section of sections) {
    await settings.open(section);
    await look(page, `settings-${section.toLowerCase().replace(' ', '-')}`);
  }
  await expectFocusSeen(desk);
  await page.getByRole('button', { name: 'Add a workspace' }).click();
  await look(page, 'settings-workspace');
  await page.keyboard.press('Control+2');
  await expect(lookup.field).toBeFocused();
  await page.keyboard.press('Control+k');
  await look(page, 'palette');
  await page.keyboard.type('sa');
  await expect(page.getByRole('option').first()).toBeVisible();
  await look(page, 'palette-found');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+8');
  await expect(page.getByRole('heading', { level: 1, name: 'Activity' })).toBeVisible();
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog')).toBeVisible();
  await look(page, 'keys');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: /^Workspace:/ }).click();
  await expect(page.getByRole('menu')).toBeVisible();
  await look(page, 'workspaces');
});
