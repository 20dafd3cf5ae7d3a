import type { Locator, Page } from '@playwright/test';

export const welcomeSteps = ['How samples are stored', 'Your services', 'First steps'] as const;
export type WelcomeStep = (typeof welcomeSteps)[number];

/** What a new Vitrine begins with. */
export class WelcomePage {
  readonly page: Page;
  readonly title: Locator;

  constructor(page: Page) {
    this.page = page;
    this.title = page.getByRole('heading', { level: 1, name: 'Welcome to Vitrine' });
  }

  step(name: WelcomeStep): Locator {
    return this.page.getByRole('heading', { level: 2, name });
  }

  async goOn(): Promise<void> {
    await this.page.getByRole('button', { name: 'Next' }).click();
  }

  /** To the look-up, from which most begins. */
  async skip(): Promise<void> {
    await this.page.getByRole('button', { name: 'Skip welcome' }).click();
    await this.title.waitFor({ state: 'detached' });
  }
}
