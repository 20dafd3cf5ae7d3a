import { expect } from '@playwright/test';
import { WelcomePage } from '../../pages/welcome-page.ts';
import { allSaid, said } from '../reading.ts';
import type { TourStop } from '../tour-stop.ts';

export const welcome: TourStop = {
  name: 'welcome',
  title: 'First start',
  did:
    'Start Vitrine in an empty folder. ' +
    'The welcome has three steps; continue with the lab if you have no services yet.',
  themes: ['light'],
  walk: async ({ page }) => {
    const shown = new WelcomePage(page);
    await expect(shown.step('How samples are stored')).toBeVisible();
    const steps = await allSaid(page.getByRole('list', { name: 'Steps' }).getByRole('button'));
    await shown.goOn();
    await page.getByRole('button', { name: 'Continue with the lab' }).click();
    const sampleFiles = page.getByRole('region', { name: 'Look up a sample file' }).getByRole('button');
    await expect(sampleFiles.first()).toBeVisible();
    return {
      answers: [
        `Steps: ${steps.join(', ')}`,
        `${await said(shown.step('First steps'))}: ${(await allSaid(sampleFiles)).join(', ')}`,
      ],
    };
  },
};
