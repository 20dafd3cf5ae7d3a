import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { axeFindings } from '../axe.ts';
import { expect } from '../fixtures.ts';
import { findingsOfPage, focusNotSeen } from './measured.ts';

type Theme = 'light' | 'dark';
type Size = readonly [width: number, height: number];

/** Pixels: the one that is drawn for, in which a journey goes on. */
const usual: Size = [1280, 800];
/** A narrow window, a wide one, what is left of the second where a person has everything drawn at twice its size, and back. */
const sizes: readonly Size[] = [[900, 800], [2560, 1440], [640, 400], usual];

/** Where pictures of every state go; none are taken without. */
const pictures = process.env.SHOTS;

/** What a theme can break: it is colours alone. */
const colourRules = ['color-contrast', 'link-in-text-block'];

/** `floats`: something floats above the page that is drawn at its end, outside of every landmark, and goes when the focus leaves it. */
export interface Over {
  floats?: boolean;
}

/** Looks at the page in every size, and in both themes where these could differ. Without motion, of which there must be none then. The page is light and of the usual size then. */
export async function look(page: Page, state: string): Promise<void> {
  await inTheme(page, 'dark');
  await expectInPlace(page, state, 'dark', usual);
  await lookInEverySize(page, state);
}

/** Goes over the page with axe as large as it is: in the light theme, and for its colours in the dark one. */
export async function goOver(page: Page, state: string, over: Over = {}): Promise<void> {
  await goOverInBothThemes(page, state, over);
  await inTheme(page, 'light');
}

/** Both. With axe first: what floats may go when the window is another. */
export async function lookAndGoOver(page: Page, state: string, over: Over = {}): Promise<void> {
  await goOverInBothThemes(page, state, over);
  await expectInPlace(page, state, 'dark', usual);
  await lookInEverySize(page, state);
}

/** The focus is shown wherever Tab leads in this view. */
export async function expectFocusSeen(page: Page): Promise<void> {
  // Only after a key does a browser show where the focus is.
  await page.keyboard.press('Shift');
  expect.soft(await page.evaluate(focusNotSeen)).toEqual([]);
}

const inTheme = (page: Page, theme: Theme): Promise<void> => page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });

async function goOverInBothThemes(page: Page, state: string, { floats = false }: Over): Promise<void> {
  await inTheme(page, 'light');
  expect.soft(await axeFindings(page, { without: floats ? ['region'] : [] }), `${state}, light, by axe`).toEqual([]);
  await inTheme(page, 'dark');
  expect.soft(await axeFindings(page, { only: colourRules }), `${state}, dark, by axe`).toEqual([]);
}

/** Where everything stands is the same in both themes: of the dark one there are pictures alone, where any are taken. */
async function lookInEverySize(page: Page, state: string): Promise<void> {
  for (const size of sizes) {
    const [width, height] = size;
    await page.setViewportSize({ width, height });
    if (pictures !== undefined && size !== usual) {
      await inTheme(page, 'dark');
      await expectInPlace(page, state, 'dark', size);
    }
    await inTheme(page, 'light');
    await expectInPlace(page, state, 'light', size);
  }
}

async function expectInPlace(page: Page, state: string, theme: Theme, [width, height]: Size): Promise<void> {
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  if (pictures !== undefined) await page.screenshot({ path: join(pictures, `${state}-${width}-${theme}.png`) });
  expect.soft(await page.evaluate(findingsOfPage), `${state}, ${theme}, ${width} × ${height}`).toEqual([]);
}
