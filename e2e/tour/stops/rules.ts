import { expect } from '@playwright/test';
import { PublicationsPage } from '../../pages/publications-page.ts';
import { ScanPage } from '../../pages/scan-page.ts';
import { glasswing } from '../../sample-files.ts';
import { allSaid, factsOf, named, said } from '../reading.ts';
import type { TourStop } from '../tour-stop.ts';

export const firstPackage: TourStop = {
  name: 'rules',
  title: 'Install the first rules',
  did: 'Check for rules in Publications and install what the rule editor has published. Every rule is compiled first.',
  themes: ['light'],
  walk: async ({ page }) => {
    const publications = new PublicationsPage(page);
    await publications.open();
    await publications.check();
    const install = publications.step(/^Install /);
    const step = await named(install);
    await install.click();
    const active = publications.packages.getByRole('row').filter({ has: page.getByText('Active', { exact: true }) });
    await expect(active).toBeVisible();
    await publications.open('Rules');
    await expect(publications.rules.getByRole('row').nth(1)).toBeVisible();
    return {
      answers: [step, `Rules: ${(await allSaid(publications.rules.getByRole('row').locator('code'))).join(', ')}`],
    };
  },
};

export const update: TourStop = {
  name: 'publications',
  title: 'Review a rule update',
  did: 'Include test publications, check again, and review the changes rule by rule.',
  themes: ['light'],
  walk: async ({ page }) => {
    const publications = new PublicationsPage(page);
    await publications.open();
    await publications.includeTest();
    await publications.askAgain();
    await expect(publications.step(/^Update to /)).toBeEnabled();
    await publications.change('high_entropy').click();
    await expect(page.getByRole('region', { name: 'Diff of high_entropy' })).toBeVisible();
    return {
      answers: [
        await named(publications.step(/^Update to /)),
        ...(await allSaid(publications.changes.getByRole('row'))),
      ],
    };
  },
};

export const installed: TourStop = {
  name: 'publications-installed',
  title: 'Install the update',
  did: 'Install with one click. The previous package stays: switch back with one click, even offline.',
  themes: ['light'],
  walk: async ({ page }) => {
    const publications = new PublicationsPage(page);
    await publications.step(/^Update to /).click();
    const back = publications.packages.getByRole('button', { name: /^Roll back to / });
    await expect(back).toBeVisible();
    return {
      answers: [
        await said(publications.packages.getByRole('row').filter({ has: page.getByText('Active', { exact: true }) })),
        await said(back),
      ],
    };
  },
};

export const tried: TourStop = {
  name: 'rule-tried',
  title: 'Try a rule before publishing it',
  did:
    'Search the rules by field, open one in the editor with Y, change its condition and run it on the vault ' +
    'with Ctrl Enter. Nothing is installed or recorded.',
  themes: ['light', 'dark'],
  walk: async ({ page }) => {
    const publications = new PublicationsPage(page);
    await publications.open('Rules');
    const field = page.getByRole('textbox', { name: 'Search rules by words or fields' });
    await field.fill('name:high_entropy');
    await expect(publications.rules.locator('[data-index]')).toHaveCount(1);
    await field.press('ArrowDown');
    await page
      .getByRole('region', { name: 'Rule high_entropy' })
      .getByRole('button', { name: /^Try a change/ })
      .waitFor();
    await page.keyboard.press('y');
    const editor = page.getByRole('textbox', { name: 'Rules to try' });
    const source = await editor.inputValue();
    await editor.fill(source.replace(/condition:\s*/, (head) => `${head}filesize < 1MB and `));
    const checked = page.getByText(/^1 rule compiled/);
    await expect(checked).toBeVisible();
    const words = await said(checked);
    await editor.press('Control+Enter');
    const results = page.getByRole('region', { name: 'Trial results' });
    const line = results.getByText(/^\d+ samples? hit of \d+ scanned$/);
    await expect(line).toBeVisible();
    return { answers: [words, await said(line)] };
  },
};

export const scan: TourStop = {
  name: 'scan',
  title: 'Scan locally and remotely',
  did: 'Scan a sample file with the rule editor and the local engine, and go from a hit to its matches in the bytes.',
  themes: ['light'],
  walk: async ({ page }) => {
    const scans = new ScanPage(page);
    await scans.startOver();
    await scans.findAndTick(glasswing);
    await scans.with('Both, compared');
    await scans.scan();
    await scans.hit('glasswing_stub').click();
    const matches = scans.matchesOf('glasswing_stub').getByRole('row');
    await expect(matches.nth(1)).toBeVisible();
    const places: string[] = [];
    for (const match of await matches.all()) {
      await match.click();
      places.push(await said(scans.cursor));
    }
    return {
      answers: [
        ...(await factsOf(scans.where)).filter((fact) => !fact.endsWith(' ms')),
        await said(scans.where.getByText(/agree/)),
        `glasswing_stub: ${places.join('; ')}`,
      ],
    };
  },
};

export const hunt: TourStop = {
  name: 'hunt',
  title: 'Hunt through the vault',
  did: 'Scan every sample of the vault with all rules.',
  themes: ['light'],
  walk: async ({ page }) => {
    const scans = new ScanPage(page);
    await scans.startOver();
    await scans.hunt('All rules');
    const line = page.getByText(/^\d+ samples scanned: .*, ended/);
    await expect(line).toBeVisible();
    await scans.groupBy('Rules');
    const counts = page.getByRole('toolbar', { name: 'Show' }).getByRole('button');
    await expect.poll(async () => addsUp(await allSaid(counts))).toBe(true);
    await expect(
      scans.rules
        .getByRole('row')
        .filter({ hasText: /\d files?/ })
        .first(),
    ).toBeVisible();
    await expect(scans.rules.getByRole('row').filter({ hasNotText: /\d files?/ })).toHaveCount(0);
    return { answers: [(await allSaid(counts)).join(', '), ...(await allSaid(scans.rules.getByRole('row')))] };
  },
};

/** Counts follow the end of a hunt a moment later: then those with hits and those without are all. */
function addsUp(counts: readonly string[]): boolean {
  const [all = 0, withHits = 0, withoutHits = 0] = counts.map((words) => Number.parseInt(words, 10));
  return all === withHits + withoutHits;
}
