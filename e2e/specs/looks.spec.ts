import { eicarMd5 } from '../eicar.ts';
import { expect, test } from '../fixtures.ts';
import { expectFocusSeen, goOver, look, lookAndGoOver } from '../looks/look.ts';
import { stockOddLibrary } from '../looks/odd-library.ts';
import { BundleDialogs } from '../pages/bundle-dialogs.ts';
import { LibraryPage } from '../pages/library-page.ts';
import { LookupPage } from '../pages/lookup-page.ts';
import { type SettingsSection, SettingsPage } from '../pages/settings-page.ts';
import { WelcomePage } from '../pages/welcome-page.ts';
import { pickFiles } from '../picked-files.ts';

const longName = `${'a-name-that-is-much-longer-than-its-place-'.repeat(5)}.exe`;
const sections: readonly SettingsSection[] = [
  'Appearance',
  'Storage',
  'Downloads',
  'Uploads',
  'Watched folder',
  'Scans',
  'Rule updates',
  'Export',
  'Tokens',
  'Keyboard',
  'About',
  'Workspaces',
];

/** In the order of their keys, with the text of each in a new Vitrine. */
const emptyViews = [
  ['library', 'The library is empty'],
  ['lookup', 'eicar.com'],
  ['bulk', 'Bulk download'],
  ['upload', 'Nothing to upload yet'],
  ['comments', 'No comments yet'],
  ['scan', 'No scans or hunts in this workspace yet.'],
  ['publications', 'No rules are installed'],
  ['activity', 'Activity'],
  ['journal', 'Journal'],
] as const;

test.describe('a new installation', () => {
  test.use({ staysInWelcome: true });

  test('fits every window from the welcome on without axe findings', async ({ vitrine }) => {
    test.slow();
    const { page } = vitrine;
    const welcome = new WelcomePage(page);
    await expect(welcome.step('How samples are stored')).toBeVisible();
    await lookAndGoOver(page, 'welcome-kept');
    await welcome.goOn();
    await expect(welcome.step('Your services')).toBeVisible();
    await lookAndGoOver(page, 'welcome-services');
    await page.getByRole('button', { name: 'Continue with the lab' }).click();
    await expect(welcome.step('First steps')).toBeVisible();
    await lookAndGoOver(page, 'welcome-try');
    await page.keyboard.press('Escape');
    await expect(new LookupPage(page).field).toBeVisible();
    await expect(page.getByRole('row', { name: /eicar/ })).toBeVisible();
    for (const [at, [view, states]] of emptyViews.entries()) {
      await page.keyboard.press(`Control+${at + 1}`);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await expect(page.getByRole('main').getByText(states, { exact: true }).first()).toBeVisible();
      await lookAndGoOver(page, `empty-${view}`);
    }
  });
});

test.describe('a library of ten thousand', () => {
  test.use({
    // With samples, a program does not count as new.
    staysInWelcome: true,
    folder: async ({ folder }, use) => {
      await stockOddLibrary(`${folder}/data`);
      await use(folder);
    },
  });

  test(
    'fits every window with ticked samples, their dialogs and the export, without axe findings',
    { tag: '@long' },
    async ({ vitrine: { page } }) => {
      test.slow();
      const [library, bundle] = [new LibraryPage(page), new BundleDialogs(page)];
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
      await expectFocusSeen(page);
      for (const [key, name] of [
        ['t', 'tag'],
        ['l', 'tlp'],
        ['c', 'copy'],
        ['e', 'export'],
        ['Delete', 'forget'],
      ] as const) {
        await library.row('a-very-long-name').focus();
        await page.keyboard.press(key);
        await expect(
          page.getByRole('dialog').or(page.getByRole('menu')).or(page.getByRole('alertdialog')).first(),
        ).toBeVisible();
        await look(page, `library-${name}`);
        await page.keyboard.press('Escape');
      }
      for (const [way, name] of [
        [/^Password ZIP/, 'zip'],
        [/^Case/, 'case'],
        [/^Bundle/, 'bundle'],
      ] as const) {
        await library.row('a-very-long-name').focus();
        await page.keyboard.press('e');
        await page.getByRole('menuitem', { name: way }).press('Enter');
        await expect(
          library.dialog.getByRole('textbox', { name: name === 'zip' ? 'Password' : 'Title' }),
        ).toBeVisible();
        if (name === 'case') {
          await goOver(page, 'library-case');
          await library.dialog.getByText(/^Sample files in password ZIPs/).click();
        }
        await look(page, `library-${name}`);
        await expectFocusSeen(page);
        if (name === 'bundle') {
          await expect(bundle.dialog.getByText('Your key', { exact: true })).toBeVisible();
          await bundle.passphrase.fill('short');
          await goOver(page, 'library-bundle');
        }
        await page.keyboard.press('Escape');
        if (name === 'bundle') {
          await lookAndGoOver(page, 'library-bundle-leave');
          await page.getByRole('button', { name: 'Discard' }).press('Enter');
        }
      }
      await page.getByRole('button', { name: 'More library actions' }).click();
      await page.getByRole('menuitem', { name: 'Import bundle…' }).click();
      await lookAndGoOver(page, 'bundle-choose');
      await pickFiles(page.locator('[data-picker=bundle]'), { name: `${longName}.vitrine-bundle`, bytes: 'none' });
      await expect(bundle.passphrase).toBeFocused();
      await lookAndGoOver(page, 'bundle-unlock');
      await bundle.unlock('a passphrase of nothing');
      await expect(library.dialog.getByRole('alert')).toBeVisible();
      await lookAndGoOver(page, 'bundle-refused');
    },
  );

  test(
    'keeps the selection visible with forced system colours and fits every window',
    { tag: '@long' },
    async ({ vitrine: { page } }) => {
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
          lamps:
            lamps.length > 0 &&
            lamps.every(
              (lamp) =>
                Number.parseFloat(getComputedStyle(lamp).borderTopWidth) >= 1 ||
                getComputedStyle(lamp).outlineStyle !== 'none',
            ),
          chosen:
            style('[role=row][aria-selected=true]')?.backgroundColor ===
            style('[role=row][aria-selected=false]')?.backgroundColor,
        };
      });
      expect(edges).toEqual({ lamps: true, chosen: false });
      await look(page, 'library-forced');
    },
  );

  test(
    'fits every window during a search, without axe findings in the search',
    { tag: '@long' },
    async ({ vitrine: { page } }) => {
      test.slow();
      const library = new LibraryPage(page);
      await library.open();
      await library.row('a-very-long-name').click();
      await page.keyboard.press('x');
      await page.getByRole('button', { name: 'Columns' }).click();
      await expect(library.dialog).toBeVisible();
      await lookAndGoOver(page, 'library-columns');
      await page.keyboard.press('Escape');
      await library.search('sise:>1MB name:invoice');
      await expect(library.query).toHaveAccessibleDescription(/Unknown field/);
      await lookAndGoOver(page, 'library-problem');
      await library.search('size:>900TB name:invoice');
      await expect(page.getByText('alone matches no sample', { exact: false })).toBeVisible();
      await look(page, 'library-nothing');
      await library.query.fill('ta');
      await expect(library.choices.first()).toBeVisible();
      await lookAndGoOver(page, 'library-completion', { floats: true });
      await library.search('name:W');
      await page.getByRole('button', { name: 'Save view' }).click();
      await library.dialog
        .getByRole('textbox', { name: 'Name' })
        .fill('Case 2026-114, all that was seen with the dropper of the ninth of November');
      await look(page, 'library-save-view');
      await library.dialog.getByRole('button', { name: 'Save view' }).click();
      await expect(library.views.getByRole('button').first()).toBeVisible();
      await look(page, 'library-saved-view');
    },
  );
});

test(
  'settings, palette and shortcuts fit every window without axe findings or requests to other hosts',
  { tag: '@long' },
  async ({ vitrine, lookup }) => {
    test.slow();
    const { page } = vitrine;
    const own = new URL('/', page.url()).href;
    const foreign: string[] = [];
    page.on('request', (request) => {
      if (!request.url().startsWith(own) && !request.url().startsWith('data:')) foreign.push(request.url());
    });
    // The link works once: only when the page has its session does it outlive being loaded again.
    await page.getByRole('button', { name: 'Workspace: Lab (this computer)' }).waitFor();
    await page.reload();
    await lookup.ask(eicarMd5);
    await expect(lookup.sample('eicar.com')).toBeVisible();
    await page.keyboard.press('Control+k');
    await expect(page.getByRole('listbox', { name: 'Commands' })).toBeVisible();
    await lookAndGoOver(page, 'palette');
    await page.keyboard.type('sa');
    await expect(page.getByRole('option').first()).toBeVisible();
    await look(page, 'palette-found');
    await page.keyboard.press('Control+a');
    await page.keyboard.type('eicar');
    await expect(page.getByRole('group', { name: 'Samples' })).toBeVisible();
    await goOver(page, 'palette-sample');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');

    const settings = new SettingsPage(page);
    for (const section of sections) {
      await settings.open(section);
      await lookAndGoOver(page, `settings-${section.toLowerCase().replace(' ', '-')}`);
    }
    await expectFocusSeen(page);
    await page.getByRole('button', { name: 'Add workspace' }).click();
    await lookAndGoOver(page, 'settings-workspace');
    await page.keyboard.press('Control+8');
    await expect(page.getByRole('heading', { level: 1, name: 'Activity' })).toBeVisible();
    await page.keyboard.press('?');
    await expect(page.getByRole('dialog')).toBeVisible();
    await look(page, 'keys');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: /^Workspace:/ }).click();
    await expect(page.getByRole('menu')).toBeVisible();
    await look(page, 'workspaces');
    expect(foreign).toEqual([]);
  },
);
