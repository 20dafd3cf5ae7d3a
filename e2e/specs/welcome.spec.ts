import type { Page } from '@playwright/test';
import { eicarMd5 } from '../eicar.ts';
import { expect, test } from '../fixtures.ts';
import { WelcomePage, welcomeSteps } from '../pages/welcome-page.ts';
import { startProgram } from '../program.ts';

test.use({ staysInWelcome: true });

/** In the page, from its beginning: each title that a view ever had there. */
function noteTitles(): void {
  const shown = new Set<string>();
  new MutationObserver(() => {
    for (const { textContent } of document.querySelectorAll('main h1')) shown.add(textContent ?? '');
    document.documentElement?.setAttribute('data-titles', [...shown].join());
  }).observe(document, { childList: true, subtree: true });
}

const titlesShown = async (page: Page): Promise<string[]> =>
  (await page.locator('html').getAttribute('data-titles'))?.split(',') ?? [];

test('the welcome leads to a first sample and is not shown again', async ({ vitrine, lookup }, testInfo) => {
  const { page, dataDirectory, program } = vitrine;
  const welcome = new WelcomePage(page);
  await expect(welcome.step('How samples are stored')).toBeVisible();
  await welcome.goOn();
  await expect(welcome.step('Your services')).toBeFocused();
  await page.getByRole('button', { name: 'Continue with the lab' }).click();
  await page.getByRole('region', { name: 'Look up a sample file' }).getByRole('button', { name: 'eicar.com' }).click();
  await expect(lookup.sample('eicar.com')).toBeVisible();
  await page.reload();
  await expect(lookup.field).toBeVisible();
  await expect(welcome.title).toHaveCount(0);
  test.skip(testInfo.project.name === 'desktop', 'a second start is recognised by its link');
  await program?.stop();
  const again = startProgram('electron/web.ts', ['--port', '0', '--data', dataDirectory, '--no-open']);
  const [link] = await again.printed(/http:\/\/127\.0\.0\.1:\d+\/#\S+/);
  await page.goto(link);
  await lookup.ask(eicarMd5);
  await expect(lookup.sample('eicar.com')).toBeVisible();
  await again.stop();
});

test(
  'the start flashes neither the look-up before the welcome nor the welcome before the look-up',
  { tag: '@long' },
  async ({ vitrine, lookup }) => {
    const { page } = vitrine;
    const welcome = new WelcomePage(page);
    await expect(welcome.title).toBeVisible();
    await page.addInitScript(noteTitles);
    await page.reload();
    await expect(welcome.step('How samples are stored')).toBeFocused();
    expect(await titlesShown(page)).toEqual(['Welcome to Vitrine']);
    await welcome.skip();
    await page.reload();
    await expect(lookup.field).toBeFocused();
    expect(await titlesShown(page)).toEqual(['Look up']);
  },
);

test(
  'every step of the welcome can be skipped and is not shown again',
  { tag: '@long' },
  async ({ vitrine, lookup }) => {
    const { page } = vitrine;
    const welcome = new WelcomePage(page);
    await expect(welcome.title).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(lookup.field).toBeVisible();
    await page.reload();
    await expect(lookup.field).toBeVisible();
    await expect(welcome.title).toHaveCount(0);
  },
);

test('the welcome leads to a rule check by keyboard alone', { tag: '@long' }, async ({ vitrine }) => {
  const { page } = vitrine;
  const welcome = new WelcomePage(page);
  await expect(welcome.step('How samples are stored')).toBeFocused();
  for (const step of welcomeSteps.slice(1)) {
    await page.keyboard.press('Tab');
    while (!(await page.getByRole('button', { name: 'Next' }).evaluate((button) => button === document.activeElement)))
      await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await expect(welcome.step(step)).toBeFocused();
  }
  await page.getByRole('button', { name: 'Check for new rules' }).press('Enter');
  await expect(page.getByRole('button', { name: /^Install 2026/ })).toBeVisible();
});
