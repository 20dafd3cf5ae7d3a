import { expect, type Locator, type Page } from '@playwright/test';

/** The library as a person finds it. */
export class LibraryPage {
  readonly page: Page;
  readonly title: Locator;
  readonly query: Locator;
  readonly choices: Locator;
  readonly table: Locator;
  readonly inspector: Locator;
  readonly views: Locator;
  readonly dialog: Locator;

  constructor(page: Page) {
    this.page = page;
    this.title = page.getByRole('heading', { level: 1, name: 'Library' });
    this.query = page.getByRole('combobox', { name: 'Find samples' });
    this.choices = page.getByRole('option');
    this.table = page.getByRole('grid', { name: 'Samples of the library' });
    this.inspector = page.getByRole('complementary', { name: 'The sample that is chosen' });
    this.views = page.getByRole('region', { name: 'Saved views' });
    this.dialog = page.getByRole('dialog');
  }

  async open(): Promise<void> {
    await this.page
      .getByRole('navigation', { name: 'Views' })
      .getByRole('button', { name: /^Library/ })
      .click();
    await expect(this.title).toBeVisible();
  }

  /** How many samples are found, in words. */
  line(words: string): Locator {
    return this.page.getByRole('main').getByText(words, { exact: true });
  }

  row(name: string): Locator {
    return this.table.getByRole('row').filter({ hasText: name });
  }

  async search(query: string): Promise<void> {
    await this.query.fill(query);
    await this.query.blur();
  }

  head(name: string): Locator {
    return this.table.getByRole('columnheader', { name });
  }
}
