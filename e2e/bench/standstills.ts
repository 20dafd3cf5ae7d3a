import type { Locator, Page } from '@playwright/test';
import { longestTask } from './page-probe.ts';
import { noStretch, type Stretch } from './stretch.ts';
import type { WebHostPage } from './web-host-page.ts';

/** The longest stall of each during some work. */
export interface Standstills {
  page: Stretch;
  host: Stretch;
}

export async function standstillsOf(
  { page, hostStandstill }: WebHostPage,
  work: () => Promise<void>,
): Promise<Standstills> {
  await viewsNavigation(page).waitFor();
  let host = noStretch;
  const longest = await longestTask(page, async () => {
    // Until now it had to do with what was before.
    await hostStandstill();
    await work();
    host = await hostStandstill();
  });
  return { page: longest, host };
}

export const viewsNavigation = (page: Page): Locator => page.getByRole('navigation', { name: 'Views' });
