import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { eicarMd5 } from '../eicar.ts';
import { expect, test } from '../fixtures.ts';

async function expectNothingFound(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']).analyze();
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`)).toEqual([]);
}

for (const colorScheme of ['light', 'dark'] as const) {
  test(`axe finds nothing in any view, ${colorScheme}`, async ({ desk, lookup, settings }) => {
    await desk.page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await expect(desk.page.getByRole('row', { name: /eicar/ })).toBeVisible();
    await expectNothingFound(desk.page);
    await lookup.ask('0'.repeat(32));
    await expect(lookup.alert).toBeVisible();
    await expectNothingFound(desk.page);
    await lookup.ask(eicarMd5);
    await expect(lookup.sample('eicar.com')).toBeVisible();
    await expectNothingFound(desk.page);
    await lookup.download();
    await desk.page.getByRole('button', { name: /^Export ZIP/ }).click();
    await expect(desk.page.getByRole('dialog')).toBeVisible();
    await expectNothingFound(desk.page);
    await desk.page.keyboard.press('Escape');
    for (const section of ['Appearance', 'Export', 'Tokens', 'Keyboard', 'Data and version', 'Workspaces'] as const) {
      await settings.open(section);
      await expectNothingFound(desk.page);
    }
    await desk.page.getByRole('button', { name: 'Add a workspace' }).click();
    await expectNothingFound(desk.page);
  });
}

for (const width of [900, 1280, 2560]) {
  test(`the page itself never scrolls, at ${width} pixels wide`, async ({ desk, lookup }) => {
    await desk.page.setViewportSize({ width, height: 800 });
    await lookup.ask(eicarMd5);
    await expect(lookup.sample('eicar.com')).toBeVisible();
    const overflow = await desk.page.evaluate(() => {
      const { scrollWidth, clientWidth, scrollHeight, clientHeight } = document.documentElement;
      return { across: scrollWidth - clientWidth, down: scrollHeight - clientHeight };
    });
    expect(overflow).toEqual({ across: 0, down: 0 });
  });
}

test('no request leaves for anywhere but the host', async ({ desk, lookup, settings }) => {
  const origin = new URL(desk.page.url()).origin;
  const foreign: string[] = [];
  desk.page.on('request', (request) => {
    if (!request.url().startsWith(origin) && !request.url().startsWith('data:')) foreign.push(request.url());
  });
  await desk.page.reload();
  await lookup.ask(eicarMd5);
  await expect(lookup.sample('eicar.com')).toBeVisible();
  await settings.open('Tokens');
  expect(foreign).toEqual([]);
});
