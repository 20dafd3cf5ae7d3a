import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { smallerPng } from './smaller-png.ts';
import { pictureName, type ToldStop } from './tour-report.ts';

/** Of what is shown, in each theme that is wanted. What comes up for a moment, as toasts do, is waited out. */
export async function takePictures(page: Page, folder: string, { name, themes }: Pick<ToldStop, 'name' | 'themes'>): Promise<void> {
  await toastsGone(page);
  await page.mouse.move(emptyPlace.x, emptyPlace.y);
  for (const theme of themes) {
    await page.emulateMedia({ colorScheme: theme });
    await drawnAnew(page);
    await writeFile(join(folder, pictureName(name, theme)), smallerPng(await page.screenshot({ animations: 'disabled' })));
  }
  await page.emulateMedia({ colorScheme: 'light' });
}

/** They go by themselves. */
export const toastsGone = (page: Page): Promise<void> => expect(page.getByRole('region', { name: 'Notifications' }).getByRole('button')).toHaveCount(0);

/** In the command bar: what the pointer rested on would be drawn as such. */
const emptyPlace = { x: 900, y: 20 };

/** What is drawn by script, such as strips of bytes, follows the theme a frame later. */
const drawnAnew = (page: Page): Promise<unknown> => page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
