import type { Locator, Page } from '@playwright/test';
import { expect } from './fixtures.ts';

export const isFocused = (target: Locator): Promise<boolean> =>
  target.evaluate((element) => element === document.activeElement);

/** The focus is somewhere, and drawn there, unless it is on text that Tab never stops on. */
export async function expectFocusDrawn(page: Page): Promise<void> {
  const whereItIs = (): string => {
    const { activeElement } = document;
    if (activeElement === null || activeElement === document.body) return 'nowhere';
    if (activeElement.matches(':is(h1, h2, h3, p, [data-landing])[tabindex="-1"]')) return 'drawn';
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
