import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { axeFindings } from '../axe.ts';
import { expect } from '../fixtures.ts';
import { findingsOfPage, focusNotSeen } from './measured.ts';

type Theme = 'light' | 'dark';
type Size = readonly [width: number, height: number];

/** Pixels: the size that the page is drawn for, in which a journey continues. */
const usual: Size = [1280, 800];
/**
 * A narrow window, a wide one, what is left of the second where a person has everything drawn at twice its size, and
 * back.
 */
const sizes: readonly Size[] = [[900, 800], [2560, 1440], [640, 400], usual];

/** Where pictures of every state go; none are taken without. */
const pictures = process.env.SHOTS;

/** What a theme can break: it is colours alone. */
const colourRules = ['color-contrast', 'link-in-text-block'];

/**
 * `floats`: something floats above the page that is drawn at its end, outside of every landmark, and goes when the
 * focus leaves it.
 */
export interface Over {
  floats?: boolean;
}

/**
 * Looks at the page in every size, and has pictures of both themes where any are taken. Without motion, of which there
 * must be none then. The page is light and of the usual size then.
 */
export async function look(page: Page, state: string): Promise<void> {
  await inTheme(page, 'light');
  await lookInEverySize(page, state);
}

/**
 * Goes over the page with axe as large as it is: for its colours in the dark theme, and in the light one, in which it
 * stays.
 */
export async function goOver(page: Page, state: string, { floats = false }: Over = {}): Promise<void> {
  await inTheme(page, 'dark');
  expect.soft(await axeFindings(page, { only: colourRules }), `${state}, dark, by axe`).toEqual([]);
  await inTheme(page, 'light');
  expect.soft(await axeFindings(page, { without: floats ? ['region'] : [] }), `${state}, light, by axe`).toEqual([]);
}

/** Both. With axe first: what floats may go when the window is another. */
export async function lookAndGoOver(page: Page, state: string, over: Over = {}): Promise<void> {
  await goOver(page, state, over);
  await lookInEverySize(page, state);
}

/** The focus is shown wherever Tab leads in this view. */
export async function expectFocusSeen(page: Page): Promise<void> {
  // Only after a key does a browser show where the focus is.
  await page.keyboard.press('Shift');
  expect.soft(await page.evaluate(focusNotSeen)).toEqual([]);
}

const inTheme = (page: Page, theme: Theme): Promise<void> =>
  page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });

/** The layout is the same in both themes: the dark one only has pictures, where any are taken. */
async function lookInEverySize(page: Page, state: string): Promise<void> {
  for (const [width, height] of sizes) {
    await page.setViewportSize({ width, height });
    if (pictures !== undefined) await takePictures(page, join(pictures, `${state}-${width}`));
    await page.evaluate(drawn);
    expect.soft(await page.evaluate(findingsOfPage), `${state}, ${width} × ${height}`).toEqual([]);
  }
}

async function takePictures(page: Page, path: string): Promise<void> {
  for (const theme of ['dark', 'light'] as const) {
    await inTheme(page, theme);
    await page.evaluate(drawn);
    await page.screenshot({ path: `${path}-${theme}.png` });
  }
}

/** Runs in the page: what has changed is laid out and drawn. */
const drawn = (): Promise<unknown> =>
  new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
