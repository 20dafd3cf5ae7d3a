import type { Page } from '@playwright/test';
import { latestFirst, type SavedView } from '../../shared/domain/library.ts';
import { eicarMd5 } from '../eicar.ts';
import { expect, test } from '../fixtures.ts';
import { LibraryPage } from '../pages/library-page.ts';

test.beforeEach(({ headless: _headless }, testInfo) => {
  test.skip(
    testInfo.project.name === 'desktop',
    'intercepts calls between page and host, which only the web host allows',
  );
});

const arabic = 'عينات الأسبوع';
const longName = 'Everything of the campaign against the northern offices';
const viewOf = (id: number, name: string): SavedView => ({
  id,
  name,
  query: `name:${id}`,
  sort: latestFirst,
  columns: null,
});

/** The sidebar with these saved views, whatever the library keeps. */
async function showViews(page: Page, names: readonly string[]): Promise<LibraryPage> {
  await page.route('**/call/views.list', (route) =>
    route.fulfill({ json: { ok: true, value: { views: names.map((name, at) => viewOf(at + 1, name)) } } }),
  );
  await page.reload();
  const library = new LibraryPage(page);
  await expect(library.views.getByRole('listitem')).toHaveCount(names.length);
  return library;
}

const view = (page: Page, name: RegExp | string) =>
  page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name });

test(
  'the sidebar holds the saved views and everything below them',
  { tag: '@long' },
  async ({ vitrine: { page }, lookup }) => {
    await test.step('the last look-up and the settings stay reachable when many views are saved', async () => {
      await lookup.ask(eicarMd5);
      await expect(lookup.sample('eicar.com')).toBeVisible();
      const recent = page.getByRole('region', { name: 'Recent look-ups' });
      await expect(recent.getByRole('button')).toHaveCount(1);
      await showViews(
        page,
        Array.from({ length: 30 }, (_, at) => `View ${at + 1}`),
      );
      for (const height of [800, 400]) {
        await page.setViewportSize({ width: 1280, height });
        await recent.getByRole('button').scrollIntoViewIfNeeded();
        await expect(recent.getByRole('button')).toBeInViewport({ ratio: 1 });
        await expect(view(page, 'Settings')).toBeInViewport({ ratio: 1 });
      }
    });
    await test.step('the names of views begin at one edge, whichever way they are written', async () => {
      await page.setViewportSize({ width: 1280, height: 800 });
      const { views } = await showViews(page, ['Invoices', arabic, longName]);
      const edges = await views.locator('bdi').evaluateAll((names) =>
        names.map((name) => {
          const words = document.createRange();
          words.selectNodeContents(name);
          return Math.round(words.getBoundingClientRect().left);
        }),
      );
      expect(new Set(edges)).toEqual(new Set(edges.slice(0, 1)));
    });
    await test.step('the menu of the open view replaces the count on its line', async () => {
      const { views } = await showViews(page, ['Invoices']);
      await views.getByRole('button', { name: /^Invoices/ }).click();
      const more = views.getByRole('button', { name: 'More actions for Invoices' });
      await more.hover();
      await expect(more.locator('..')).toHaveCSS('background-color', 'rgba(0, 0, 0, 0)');
      await expect(views.locator('[data-figures]').first()).toBeHidden();
    });
    await test.step('unreadable views are reported with a visible action, in a low window too', async () => {
      await page.route('**/call/views.list', (route) =>
        route.fulfill({ json: { ok: false, failure: { kind: 'disk-failed', path: '/data', code: 'EIO' } } }),
      );
      await page.setViewportSize({ width: 1280, height: 520 });
      await page.reload();
      const { views } = new LibraryPage(page);
      await expect(views.getByRole('button', { name: 'Try again' })).toBeInViewport({ ratio: 1 });
      await expect(views.getByRole('button')).toHaveCount(1);
    });
  },
);
