import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { smallerPng } from './smaller-png.ts';
import { pictureName, type DocumentedStop } from './tour-report.ts';

/** Covers a path of the machine that the tour ran on, which is private. The lines between parts have this colour. */
const maskColors = { light: '#dde2e6', dark: '#272e33' };

export interface PicturePlaces {
  /** Where pictures go. */
  folder: string;
  /** Paths in it are covered. */
  hidden: string;
}

/** Of what is shown, in each theme that is wanted. What comes up for a moment, as toasts do, is waited out. */
export async function takePictures(
  page: Page,
  { folder, hidden }: PicturePlaces,
  { name, themes }: Pick<DocumentedStop, 'name' | 'themes'>,
): Promise<void> {
  await toastsGone(page);
  await page.mouse.move(emptyPlace.x, emptyPlace.y);
  for (const theme of themes) {
    await page.emulateMedia({ colorScheme: theme });
    await redrawn(page);
    await writeFile(
      join(folder, pictureName(name, theme)),
      smallerPng(
        await page.screenshot({ animations: 'disabled', mask: [page.getByText(hidden)], maskColor: maskColors[theme] }),
      ),
    );
  }
  await page.emulateMedia({ colorScheme: 'light' });
}

/** They go by themselves. */
export const toastsGone = (page: Page): Promise<void> =>
  expect(page.getByRole('region', { name: 'Notifications' }).getByRole('button')).toHaveCount(0);

/** In the command bar: what the pointer rested on would be drawn as such. */
const emptyPlace = { x: 900, y: 20 };

/** What is drawn by script, such as strips of bytes, follows the theme a frame later. */
const redrawn = (page: Page): Promise<unknown> =>
  page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
