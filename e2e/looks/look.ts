import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect } from '../fixtures.ts';
import { findingsOfPage } from './measured.ts';

/** Pixels: a narrow window, the one that is drawn for, a wide one, and what is left of the second where a person has everything drawn at twice its size. */
const sizes = [[900, 800], [2560, 1440], [640, 400], [1280, 800]] as const;
const usualWidth = 1280;

/** Where pictures of every state go; none are taken without. */
const pictures = process.env.SHOTS;

/** A theme is colours alone: where everything stands in it is seen in one size, and all of it in the pictures. */
const themesAt = (width: number): readonly ('light' | 'dark')[] => (pictures !== undefined || width === usualWidth ? ['light', 'dark'] : ['light']);

/** Looks at the page in every size, and in both themes where these could differ. Without motion, of which there must be none then. */
export async function look(page: Page, state: string): Promise<void> {
  for (const [width, height] of sizes) {
    await page.setViewportSize({ width, height });
    for (const theme of themesAt(width)) {
      await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
      await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
      if (pictures !== undefined) await page.screenshot({ path: join(pictures, `${state}-${width}-${theme}.png`) });
      expect.soft(await page.evaluate(findingsOfPage), `${state}, ${theme}, ${width} × ${height}`).toEqual([]);
    }
  }
}
