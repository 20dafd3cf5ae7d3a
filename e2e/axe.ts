import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';

/** Which rules are held: those with one of the tags, or `only` these. All, where neither is said. */
export interface AxeRules {
  tags?: readonly string[];
  only?: readonly string[];
  without?: readonly string[];
}

/** What is in the page once axe was put in: it is as long as the program, and was put in twice for each look. */
const alreadyThere = ';';

/**
 * What axe finds in the page as it is, in words: empty when all is well. The page has no frames: without the legacy mode, each look opens a
 * second page to join what was found in them. Of what passed nothing is told. The component library speaks of a button that was pressed by
 * naming it for seven seconds, also when it is gone by then.
 */
export async function axeFindings(page: Page, { tags, only, without = [] }: AxeRules = {}): Promise<string[]> {
  const isThere = await page.evaluate(() => 'axe' in window);
  const axe = new AxeBuilder(isThere ? { page, axeSource: alreadyThere } : { page })
    .setLegacyMode(true)
    .exclude('[data-live-announcer]')
    .options({ resultTypes: ['violations'] })
    .disableRules([...without]);
  if (tags !== undefined) axe.withTags([...tags]);
  if (only !== undefined) axe.withRules([...only]);
  const { violations } = await axe.analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`);
}
