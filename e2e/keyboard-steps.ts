import type { Locator, Page } from '@playwright/test';
import { expect } from './fixtures.ts';
import { BulkPage } from './pages/bulk-page.ts';
import { PublicationsPage } from './pages/publications-page.ts';

/** The specimens of the lab in the vault, and its release installed. */
export async function prepareByKeys(page: Page): Promise<void> {
  const bulk = new BulkPage(page);
  await page.keyboard.press('Control+3');
  await expect(bulk.field).toBeFocused();
  await tabTo(page, page.getByRole('button', { name: 'Paste the lab’s specimens' }));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Download 14 samples' })).toBeEnabled();
  await page.keyboard.press('Control+Enter');
  await expect(bulk.outcomes).toContainText('14 done');
  await page.keyboard.press('Control+7');
  await tabTo(page, page.getByRole('button', { name: 'Check now' }));
  await page.keyboard.press('Enter');
  const publications = new PublicationsPage(page);
  await expect(publications.step('Install 2026.11.10 (15 rules)')).toBeVisible();
  await page.keyboard.press('u');
  await expect(publications.package('2026.11.10').getByText('Active', { exact: true })).toBeVisible();
}

export const isFocused = (target: Locator): Promise<boolean> => target.evaluate((element) => element === document.activeElement);

/** The focus is somewhere, and drawn there. */
export async function expectFocusDrawn(page: Page): Promise<void> {
  const whereItIs = (): string => {
    const { activeElement } = document;
    if (activeElement === null || activeElement === document.body) return 'nowhere';
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(activeElement);
    const isDrawn = (outlineStyle !== 'none' && Number.parseFloat(outlineWidth) > 0) || boxShadow !== 'none';
    return isDrawn ? 'drawn' : `not drawn on ${activeElement.outerHTML.slice(0, 200)}`;
  };
  await expect.poll(() => page.evaluate(whereItIs)).toBe('drawn');
}

export async function nextPaneTo(page: Page, target: Locator): Promise<void> {
  for (let step = 0; step < 8 && !(await isFocused(target)); step += 1) await page.keyboard.press('F6');
  await expect(target).toBeFocused();
}

export async function backTo(page: Page, target: Locator): Promise<void> {
  for (let step = 0; step < 20 && !(await isFocused(target)); step += 1) await page.keyboard.press('Shift+Tab');
  await expect(target).toBeFocused();
}

export async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let step = 0; step < 20 && !(await isFocused(target)); step += 1) await page.keyboard.press('Tab');
  await expect(target).toBeFocused();
}
