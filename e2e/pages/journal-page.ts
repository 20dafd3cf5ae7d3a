import type { Locator, Page } from '@playwright/test';

/** The journal as a person finds it. */
export class JournalPage {
  readonly page: Page;
  readonly table: Locator;
  readonly found: Locator;
  readonly find: Locator;
  readonly row: Locator;

  constructor(page: Page) {
    this.page = page;
    this.table = page.getByRole('grid', { name: 'Journal entries' });
    this.found = page.getByText(/^[\d,]+ entr(y|ies)( found)?, newest first$/);
    this.find = page.getByRole('textbox', { name: 'Find in hash, outcome and detail' });
    this.row = page.getByRole('region', { name: /^Entry \d/ });
  }

  async open(): Promise<void> {
    await this.page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name: 'Journal' }).click();
    await this.page.getByRole('heading', { level: 1, name: 'Journal' }).waitFor();
  }

  /** A row of the table, by its text. */
  line(words: string | RegExp): Locator {
    return this.table.getByRole('row').filter({ hasText: words });
  }

  /** The row under a number. */
  numbered(number: number): Locator {
    return this.table.getByRole('row', {
      name: new RegExp(`^(broken |entries are missing after this one )?${number.toLocaleString('en')} `),
    });
  }

  async only(...operations: string[]): Promise<void> {
    await this.page.getByRole('button', { name: 'All operations' }).click();
    for (const operation of operations) await this.page.getByRole('menuitemcheckbox', { name: operation }).click();
    await this.page.keyboard.press('Escape');
  }

  async verify(): Promise<void> {
    await this.page.getByRole('button', { name: 'Verify' }).click();
  }
}
