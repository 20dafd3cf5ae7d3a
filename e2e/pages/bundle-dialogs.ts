import { expect, type Locator, type Page } from '@playwright/test';

/** How a bundle is made, and how one is opened. */
export class BundleDialogs {
  readonly page: Page;
  readonly dialog: Locator;
  readonly passphrase: Locator;

  constructor(page: Page) {
    this.page = page;
    this.dialog = page.getByRole('dialog');
    this.passphrase = this.dialog.getByLabel('Passphrase', { exact: true });
  }

  /** From the list that has the focus, of what is ticked in it. */
  async make({ author, passphrase }: { author: string; passphrase: string }): Promise<void> {
    await this.page.keyboard.press('e');
    await this.page.getByRole('menuitem', { name: /^Bundle/ }).click();
    await this.dialog.getByLabel('Author').fill(author);
    await this.passphrase.fill(passphrase);
    await this.dialog.getByLabel('Repeat passphrase').fill(passphrase);
    await this.dialog.getByRole('button', { name: 'Export to folder' }).click();
    await expect(this.dialog).toBeHidden();
  }

  /** From wherever one is. */
  async askToOpen(): Promise<void> {
    await this.page.keyboard.press('Control+k');
    await this.page.keyboard.type('import bundle');
    await this.page.keyboard.press('Enter');
    await expect(this.dialog).toBeVisible();
  }

  async pick(file: string): Promise<void> {
    await this.page.locator('[data-picker=bundle]').setInputFiles(file);
    await expect(this.passphrase).toBeFocused();
  }

  async unlock(passphrase: string): Promise<void> {
    await this.passphrase.fill(passphrase);
    await this.passphrase.press('Enter');
  }

  async chooseAnother(): Promise<void> {
    await this.dialog.getByRole('button', { name: 'Choose another file' }).click();
    await expect(this.dialog.getByRole('button', { name: 'Choose file' })).toBeFocused();
  }

  /** A line of what taking it in would change. */
  change(kind: string): Locator {
    return this.dialog.getByRole('row', { name: new RegExp(`^${kind}`) });
  }

  async takeIn(): Promise<void> {
    await this.dialog.getByRole('button', { name: 'Import' }).click();
    await expect(this.dialog.getByRole('heading', { name: /^Imported / })).toBeVisible();
  }
}
