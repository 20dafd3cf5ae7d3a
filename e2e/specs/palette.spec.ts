import type { Locator, Page } from '@playwright/test';
import { eicarMd5 } from '../eicar.ts';
import { expect, test } from '../fixtures.ts';
import { expectFocusDrawn, nextPaneTo } from '../keyboard-steps.ts';
import { CommentsPage } from '../pages/comments-page.ts';
import { LibraryPage } from '../pages/library-page.ts';
import { PublicationsPage } from '../pages/publications-page.ts';
import { SamplePage } from '../pages/sample-page.ts';

test.describe('on a new installation', () => {
  test.use({ staysInWelcome: true });

  test(
    'a sample is looked up, downloaded, tagged, commented and found by its tag without a pointer',
    { tag: '@long' },
    async ({ vitrine, lookup }) => {
      const { page } = vitrine;
      const { keyboard } = page;
      const [sample, comments, library] = [new SamplePage(page), new CommentsPage(page), new LibraryPage(page)];
      await expect(page.getByRole('navigation', { name: 'Views' })).toBeVisible();
      const pointers = await countPointers(page);

      await keyboard.press('Control+k');
      await expect(palette(page)).toBeFocused();
      await keyboard.type(eicarMd5);
      await keyboard.press('Enter');
      await expect(lookup.sample('eicar.com')).toBeFocused();
      await keyboard.press('d');
      await expect(lookup.inVault).toBeVisible();
      await keyboard.press('t');
      await keyboard.type('case:2026-114,');
      await expect(sample.ownTags).toContainText('case:2026-114');
      await nextPaneTo(page, comments.field);
      await keyboard.type('Found by a fresh desk.');
      await keyboard.press('Control+Enter');
      await expect(
        comments.comment('Found by a fresh desk.').getByRole('button', { name: 'Reply to you' }),
      ).toBeVisible();

      await keyboard.press('Control+1');
      await expect(library.title).toBeVisible();
      await expectFocusDrawn(page);
      await keyboard.press('/');
      await expect(library.query).toBeFocused();
      await keyboard.type('tag:case:2026-114 ');
      await expect(library.line('1 of 1 sample')).toBeVisible();
      await keyboard.press('ArrowDown');
      await expect(library.row('eicar.com')).toBeFocused();
      await keyboard.press('Enter');
      await expect(page.getByRole('heading', { level: 1, name: 'Sample' })).toBeVisible();
      await expect(sample.ownTags).toContainText('case:2026-114');
      await expect(page.getByText('Found by a fresh desk.')).toBeVisible();
      expect(await pointers()).toBe(0);
    },
  );
});

/** Counts what a pointer would do; a click that a key makes has no press before it. */
async function countPointers(page: Page): Promise<() => Promise<number>> {
  const counted = await page.evaluateHandle(() => {
    const events = { count: 0 };
    for (const name of ['pointerdown', 'mousedown', 'touchstart'] as const)
      window.addEventListener(name, () => (events.count += 1), { capture: true });
    window.addEventListener('click', ({ detail }) => (events.count += detail), { capture: true });
    return events;
  });
  return () => counted.evaluate(({ count }) => count);
}

const palette = (page: Page): Locator =>
  page.getByRole('combobox', { name: 'Paste a hash, find a sample or run a command' });

const withRules = test.extend({ beginsWith: 'rules' });

withRules(
  'the palette finds what there is, in its order, and is left by Tab',
  { tag: '@long' },
  async ({ vitrine, lookup, settings }) => {
    const { page } = vitrine;
    const { keyboard } = page;
    const publications = new PublicationsPage(page);
    await keyboard.press('Control+7');
    await publications.activeVersion('2026.11.10');
    await test.step('the palette finds a view, a sample, a rule and an action, and returns the focus', async () => {
      await keyboard.press('Control+k');
      await keyboard.type('look up');
      await keyboard.press('Enter');
      await expect(lookup.field).toBeFocused();
      await keyboard.type(eicarMd5);
      await keyboard.press('Enter');
      await expect(lookup.sample('eicar.com')).toBeFocused();
      await keyboard.press('Control+k');
      await keyboard.type('powershell_enc');
      await expect(page.getByRole('group', { name: 'Rules' }).getByRole('option')).toHaveCount(1);
      await keyboard.press('End');
      await keyboard.press('Enter');
      await expect(publications.rule('powershell_encoded_command')).toBeVisible();
      await keyboard.press('Control+k');
      await keyboard.type('eicar');
      const sample = page.getByRole('group', { name: 'Samples' }).getByRole('option').first();
      await expect(sample).toContainText('eicar.com');
      // What was looked up lately comes before it.
      await keyboard.press('ArrowDown');
      while ((await sample.getAttribute('aria-selected')) !== 'true') await keyboard.press('ArrowDown');
      await keyboard.press('Enter');
      await expect(page.getByRole('heading', { level: 1, name: 'Sample' })).toBeVisible();
      await keyboard.press('Control+k');
      await keyboard.type('scan');
      await expect(page.getByRole('group', { name: 'This view' }).getByRole('option', { name: 'Scan' })).toBeVisible();
      await keyboard.press('Escape');
      await keyboard.press('Escape');
      await expect(palette(page)).not.toBeFocused();
      await expectFocusDrawn(page);
    });
    await test.step('a rule is found by its name, then by its tags, but not by its source', async () => {
      await keyboard.press('Control+k');
      await keyboard.type('scri');
      const rules = page.getByRole('group', { name: 'Rules' }).getByRole('option');
      await expect(rules).toContainText([
        'pdf_with_script',
        'shortcut_to_script',
        'powershell_setup_script',
        'powershell_encoded_command',
      ]);
      await keyboard.press('Escape');
      await keyboard.press('Escape');
    });
    await test.step('Tab leads out of the palette to what comes behind it, also when its list is long', async () => {
      await keyboard.press('Control+k');
      const list = page.getByRole('listbox', { name: 'Commands' });
      await expect(list).toBeVisible();
      expect(await list.evaluate(({ scrollHeight, clientHeight }) => scrollHeight > clientHeight)).toBe(true);
      await keyboard.press('Tab');
      await expect(list).toHaveCount(0);
      await expectFocusDrawn(page);
    });
    await test.step('Ctrl K reaches the command field from anywhere, and a hash typed there is looked up', async () => {
      await settings.open('Appearance');
      await keyboard.press('Control+k');
      await keyboard.type(eicarMd5);
      await keyboard.press('Enter');
      await expect(lookup.sample('eicar.com')).toBeVisible();
    });
  },
);

test.describe('a late response', () => {
  test.beforeEach(({ headless: _headless }, testInfo) => {
    test.skip(
      testInfo.project.name === 'desktop',
      'intercepts calls between page and host, which only the web host allows',
    );
  });

  test('takes no focus from a palette opened in the meantime', { tag: '@long' }, async ({ vitrine, lookup }) => {
    const { page } = vitrine;
    const settings = await heldBack(page, '**/assets/settings-view-*.js');
    await page.reload();
    await expect(lookup.field).toBeFocused();
    await page.keyboard.press('Control+,');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('da');
    settings.give();
    await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible();
    await expect(palette(page)).toBeFocused();
    await page.keyboard.type('rk');
    await expect(palette(page)).toHaveValue('dark');
  });

  test(
    'of a sample takes no focus from a palette opened in the meantime',
    { tag: '@long' },
    async ({ vitrine, lookup }) => {
      const { page } = vitrine;
      const answer = await heldBack(page, '**/call/samples.lookup');
      await lookup.field.fill(eicarMd5);
      await page.keyboard.press('Enter');
      await page.keyboard.press('Control+k');
      await page.keyboard.type('sc');
      answer.give();
      await expect(lookup.sample('eicar.com')).toBeVisible();
      await expect(palette(page)).toBeFocused();
      await page.keyboard.type('an');
      await expect(page.getByRole('group', { name: 'Go to' }).getByRole('option', { name: /^Scan/ })).toBeVisible();
    },
  );

  test('takes no focus from a dialog', { tag: '@long' }, async ({ vitrine, lookup }) => {
    const { page } = vitrine;
    const settings = await heldBack(page, '**/assets/settings-view-*.js');
    await page.reload();
    await expect(lookup.field).toBeFocused();
    await page.keyboard.press('Control+,');
    await page.keyboard.press('?');
    const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await expect(dialog).toBeVisible();
    const wasLeft = await page.evaluateHandle(noteFocusOutside);
    settings.give();
    await expect(page.getByRole('heading', { level: 1, name: 'Settings', includeHidden: true })).toBeAttached();
    await page.keyboard.press('Tab');
    expect(await wasLeft.evaluate(({ places }) => places)).toEqual([]);
    await expect(dialog.locator(':focus')).toHaveCount(1);
  });

  test('leaves text typed in the palette before the look-up loads', { tag: '@long' }, async ({ vitrine, lookup }) => {
    const { page } = vitrine;
    const settings = await heldBack(page, '**/call/settings.read');
    await page.reload();
    await palette(page).click();
    await page.keyboard.type('da');
    settings.give();
    await expect(lookup.field).toBeVisible();
    await expect(palette(page)).toBeFocused();
    await expect(palette(page)).toHaveValue('da');
  });
});

/** Where the focus went that is in no dialog. */
function noteFocusOutside(): { places: string[] } {
  const noted = { places: new Array<string>() };
  window.addEventListener(
    'focusin',
    ({ target }) => {
      if (target instanceof Element && target.closest('[role=dialog]') === null)
        noted.places.push(target.outerHTML.slice(0, 80));
    },
    { capture: true },
  );
  return noted;
}

/** An answer that waits until it is given. */
async function heldBack(page: Page, address: string): Promise<{ give(): void }> {
  const given = Promise.withResolvers<void>();
  await page.route(address, async (route) => {
    await given.promise;
    await route.continue();
  });
  return { give: given.resolve };
}
