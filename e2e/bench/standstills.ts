import type { Locator, Page } from '@playwright/test';
import { longestTask } from './page-probe.ts';
import { noStretch, type Stretch } from './stretch.ts';
import type { WebDesk } from './web-desk.ts';

/** The longest of each while something went on. */
export interface Standstills {
  page: Stretch;
  host: Stretch;
}

export async function standstillsOf(
  { page, hostStandstill }: WebDesk,
  work: () => Promise<void>,
): Promise<Standstills> {
  await rooms(page).waitFor();
  let host = noStretch;
  const longest = await longestTask(page, async () => {
    // Until now it had to do with what was before.
    await hostStandstill();
    await work();
    host = await hostStandstill();
  });
  return { page: longest, host };
}

export const rooms = (page: Page): Locator => page.getByRole('navigation', { name: 'Views' });
