import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';

interface AxeOptions {
  runOnly: { type: 'tag' | 'rule'; values: readonly string[] };
  rules: Record<string, { enabled: boolean }>;
  resultTypes: readonly 'violations'[];
  reporter: 'no-passes';
  preload: { assets: readonly 'media'[] };
}

declare global {
  interface Window {
    /** There once it was put in. */
    axe?: {
      run(
        context: { exclude: string[] },
        options: AxeOptions,
      ): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }>;
    };
  }
}

/** Which rules are held: those of every level that the design names, or `only` these. */
export interface AxeRules {
  only?: readonly string[];
  without?: readonly string[];
}

/** All that axe checks by default, and the size of targets. */
const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** What axe finds in the page as it is, in words: empty when all is well. */
export async function axeFindings(page: Page, { only, without = [] }: AxeRules = {}): Promise<string[]> {
  await putAxeInto(page);
  const options: AxeOptions = {
    runOnly: only === undefined ? { type: 'tag', values: tags } : { type: 'rule', values: only },
    rules: Object.fromEntries(without.map((rule) => [rule, { enabled: false }])),
    // Passes are not reported, and no rule in use reads the style sheets.
    resultTypes: ['violations'],
    reporter: 'no-passes',
    preload: { assets: ['media'] },
  };
  return page.evaluate(runAxe, options);
}

/**
 * It is as long as the program: once for each page. The page has no frames: without the legacy mode, a second page is
 * opened to join what was found in them.
 */
async function putAxeInto(page: Page): Promise<void> {
  if (!(await page.evaluate(() => 'axe' in window)))
    await new AxeBuilder({ page }).setLegacyMode(true).withRules('document-title').analyze();
}

/**
 * Runs in the page, and returns only strings: axe's whole result takes as long to transfer as to find. The component
 * library announces a pressed button by its name for seven seconds, even when it is gone by then.
 */
async function runAxe(options: AxeOptions): Promise<string[]> {
  if (window.axe === undefined) throw new Error('axe is not in the page');
  const { violations } = await window.axe.run({ exclude: ['[data-live-announcer]'] }, options);
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`);
}
