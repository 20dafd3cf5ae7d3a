import type { Locator, Page } from '@playwright/test';

const wheelPixels = 2000;

/** Down and up again, a stretch at a time, each of which the page has drawn. */
export async function wheelDownAndUp(page: Page, table: Locator): Promise<void> {
  await wheel(page, table, 20 * wheelPixels);
  await wheel(page, table, -20 * wheelPixels);
}

/** Positive is down. In CSS pixels. */
export async function wheel(page: Page, table: Locator, pixels: number): Promise<void> {
  await table.hover();
  for (let step = 0; step < Math.abs(pixels) / wheelPixels; step += 1) {
    await page.mouse.wheel(0, Math.sign(pixels) * wheelPixels);
    await drawn(page);
  }
}

const keys = [
  ...Array<string>(20).fill('PageDown'),
  ...Array<string>(10).fill('ArrowDown'),
  'End',
  ...Array<string>(10).fill('PageUp'),
  'Home',
];

/** From row to row, page to page, and from end to end. */
export async function walkByKeys(page: Page, table: Locator): Promise<void> {
  await table.locator('[tabindex="0"]').first().focus();
  for (const key of keys) {
    await page.keyboard.press(key);
    await drawn(page);
  }
}

const drawn = (page: Page): Promise<unknown> =>
  page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
