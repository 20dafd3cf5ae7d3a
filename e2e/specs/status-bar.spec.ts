import type { Locator } from '@playwright/test';
import { expect, test } from '../fixtures.ts';

/** The states whose words are cut off. */
const cutIn = (bar: Locator): Promise<string[]> =>
  bar.evaluate((element) =>
    [...element.querySelectorAll<HTMLElement>('[title]')]
      .filter((state) =>
        [...state.children].some((part) => part.scrollWidth > part.clientWidth + 1 && part.clientWidth > 1),
      )
      .map(({ title }) => title),
  );

test.use({ beginsWith: 'rules' });

test('the status bar shows its states uncut in one line of a narrow window, with the long forms as titles', async ({
  vitrine: { page },
}) => {
  const bar = page.getByRole('contentinfo');
  await expect(bar.getByText('Tokens in memory until you quit')).toBeVisible();
  expect(await cutIn(bar)).toEqual([]);
  const { height } = (await bar.boundingBox()) ?? { height: 0 };
  for (const size of [
    { width: 1024, height: 800 },
    { width: 900, height: 800 },
    { width: 640, height: 400 },
  ]) {
    await page.setViewportSize(size);
    await expect(bar.getByText('Tokens in memory until you quit')).toBeHidden();
    await expect(bar.getByTitle('Tokens in memory until you quit')).toBeVisible();
    expect([(await bar.boundingBox())?.height, await cutIn(bar)]).toEqual([height, []]);
  }
});

test('a long name of a package is cut, and no other state, in a window of 1024', async ({ vitrine: { page } }) => {
  const bar = page.getByRole('contentinfo');
  await expect(bar.getByText('Tokens in memory until you quit')).toBeVisible();
  await page.setViewportSize({ width: 1024, height: 700 });
  const name = 'Release 2026.11.10-nightly-of-the-whole-incident-response-team-with-a-long-name'.repeat(2);
  await bar.getByTitle(/^Release .* rules$/).evaluate((state, words) => {
    state.setAttribute('title', words);
    for (const part of state.querySelectorAll('span')) part.textContent = words;
  }, name);
  expect(await cutIn(bar)).toEqual([name]);
  const edges = await bar.evaluate((element) => [element.scrollWidth, element.clientWidth]);
  expect(edges[0]).toBe(edges[1]);
});
