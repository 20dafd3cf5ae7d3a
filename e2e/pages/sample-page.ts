import { expect, type Locator, type Page } from '@playwright/test';

/** The page of one sample as a person finds it, in the library and in the look-up. */
export class SamplePage {
  readonly page: Page;
  readonly inVault: Locator;
  readonly note: Locator;
  readonly noteField: Locator;
  readonly ownTags: Locator;
  readonly tlp: Locator;
  readonly hexRows: Locator;
  readonly alert: Locator;

  constructor(page: Page) {
    this.page = page;
    this.inVault = page.getByText('In the vault, verified and encrypted');
    this.note = page.getByRole('region', { name: 'Note', exact: true });
    this.noteField = page.getByRole('textbox', { name: 'Note, in Markdown' });
    this.ownTags = page.getByRole('list', { name: 'Local tags (not sent)' });
    this.tlp = page.getByRole('group', { name: 'TLP', exact: true });
    this.hexRows = page.getByRole('region', { name: 'Bytes', exact: true });
    this.alert = page.getByRole('alert');
  }

  /** From the library's list, by the text of its row. */
  async openFromLibrary(row: string): Promise<void> {
    await this.page
      .getByRole('navigation', { name: 'Views' })
      .getByRole('button', { name: /^Library/ })
      .click();
    await this.page.getByRole('grid').getByText(row).first().click();
    await this.page.keyboard.press('Enter');
    await expect(this.page.getByRole('heading', { level: 1, name: 'Sample' })).toBeVisible();
  }

  async back(): Promise<void> {
    await this.page.getByRole('main').getByRole('button', { name: 'Library' }).click();
  }

  async addTag(tag: string): Promise<void> {
    await this.page.getByRole('button', { name: /^Add tag/ }).click();
    await this.page.keyboard.type(`${tag},`);
    await expect(this.ownTags).toContainText(tag);
  }

  async setTlp(level: string): Promise<void> {
    await this.page.getByRole('button', { name: /^Set TLP/ }).click();
    await this.page.getByRole('menuitem', { name: level, exact: true }).click();
  }

  async writeNote(text: string): Promise<void> {
    await this.noteField.fill(text);
    await this.noteField.press('Control+s');
    await expect(this.note.getByText('Saved', { exact: true })).toBeVisible();
  }

  /** Of the history: rows that came, went or stayed. */
  history(direction: 'Source' | 'Sent or exported' | 'Local actions'): Locator {
    return this.page.getByRole('list', { name: direction }).getByRole('listitem');
  }
}
