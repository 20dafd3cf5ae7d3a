import { expect, type Locator, type Page } from '@playwright/test';

/** The question for whom samples are written down. */
export class CaseDialog {
  readonly page: Page;
  readonly dialog: Locator;
  readonly title: Locator;

  constructor(page: Page) {
    this.page = page;
    this.dialog = page.getByRole('dialog', { name: /^Export a case/ });
    this.title = this.dialog.getByRole('textbox', { name: 'Title' });
  }

  /** From the list that has the focus. */
  async openByKey(): Promise<void> {
    await this.page.keyboard.press('e');
    await this.page.getByRole('menuitem', { name: /^Case/ }).press('Enter');
    await expect(this.dialog.getByRole('button', { name: 'Cancel' })).toBeFocused();
  }

  level(name: string): Locator {
    return this.dialog.getByRole('radio', { name, exact: true });
  }

  /** For samples that came without the record that has their TLP. */
  async vouch(): Promise<void> {
    await this.dialog.getByText(/^I know their TLP/).click();
  }

  async mark(level: string): Promise<void> {
    await this.dialog.getByText(level, { exact: true }).click();
  }

  /** In this format alone. */
  async as(format: RegExp): Promise<void> {
    const formats = this.dialog.getByRole('group', { name: 'Formats' }).getByRole('checkbox');
    for (const box of await formats.all()) if (await box.isChecked()) await box.press('Space');
    await this.dialog.getByRole('checkbox', { name: format }).press('Space');
  }

  async reportNotes(): Promise<void> {
    await this.dialog.getByText('Notes', { exact: true }).click();
  }

  async withSamples(): Promise<void> {
    await this.dialog.getByText(/^Sample files in password ZIPs/).click();
  }

  async toFolder(): Promise<void> {
    await this.dialog.getByRole('button', { name: 'Export to folder' }).click();
    await expect(this.dialog).toBeHidden();
  }
}
