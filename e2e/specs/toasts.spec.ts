import type { Locator, Page } from '@playwright/test';
import { eicarMd5 } from '../eicar.ts';
import { expect, test } from '../fixtures.ts';
import { LibraryPage } from '../pages/library-page.ts';

test('a notification leaves the comment field and its buttons free, and moves off a field that gets the focus', async ({
  vitrine: { page },
  lookup,
}) => {
  await lookup.ask(eicarMd5);
  await expect(lookup.sample('eicar.com')).toBeFocused();
  const comment = page.getByRole('textbox', { name: 'Comment' });
  for (const [width, height] of [
    [1280, 800],
    [1024, 700],
  ] as const) {
    await page.setViewportSize({ width, height });
    await lookup.sample('eicar.com').focus();
    await page.keyboard.press('c');
    await page.getByRole('menuitem').first().press('Enter');
    const notification = page.locator('[data-toast]').last();
    await expect(notification).toBeVisible();
    const send = page.getByRole('button', { name: /^Send/ });
    for (const needed of [comment, send]) expect(await overlap(notification, needed)).toBe(false);
    await comment.focus();
    for (const needed of [comment, send]) await expect.poll(() => overlap(notification, needed)).toBe(false);
    await notification.getByRole('button', { name: 'Close' }).click();
  }
});

test.describe('with samples', () => {
  test.use({ beginsWith: 'sample-files' });

  test('a notification does not cover the bar of actions of selected samples', async ({ vitrine: { page } }) => {
    const library = new LibraryPage(page);
    await library.open();
    await library.row('invoice_2291').click();
    await page.keyboard.press('x');
    await page.keyboard.press('c');
    await page.getByRole('menuitem').first().press('Enter');
    const notification = page.locator('[data-toast]').last();
    await expect(notification).toBeVisible();
    for (const action of await buttonsOf(page)) expect(await overlap(notification, action)).toBe(false);
  });
});

const buttonsOf = (page: Page): Promise<Locator[]> => page.getByRole('main').locator('button[data-letter]').all();

async function overlap(one: Locator, other: Locator): Promise<boolean> {
  const [a, b] = [await one.boundingBox(), await other.boundingBox()];
  if (a === null || b === null) return false;
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}
