import type { Download, Locator, Page } from '@playwright/test';

/** The look-up as a person finds it: by names and roles. */
export class LookupPage {
  readonly page: Page;
  readonly field: Locator;
  readonly inVault: Locator;
  readonly alert: Locator;
  readonly thread: Locator;

  constructor(page: Page) {
    this.page = page;
    this.field = page.getByRole('textbox', { name: 'Hash, or text with hashes' });
    this.inVault = page.getByText('In the vault, verified and encrypted');
    this.alert = page.getByRole('alert');
    this.thread = page.getByRole('region', { name: /^Comments/ }).last();
  }

  async open(): Promise<void> {
    await this.page.getByRole('button', { name: 'Look up', exact: true }).click();
    // The previous view stays until the code of this one is there, and may have fields of the same names.
    await this.page.getByRole('heading', { level: 1, name: 'Look up', exact: true }).waitFor();
  }

  async ask(text: string): Promise<void> {
    await this.field.fill(text);
    await this.field.press('Enter');
  }

  /** The sample's name, once its record is there. */
  sample(name: string): Locator {
    return this.page.getByRole('heading', { level: 2, name });
  }

  async download(): Promise<void> {
    await this.page.getByRole('button', { name: /^Download/ }).click();
    await this.inVault.waitFor();
  }

  async exportToFolder(encryption: 'AES-256' | 'ZipCrypto', password = 'infected'): Promise<void> {
    await this.#openExport(encryption, password);
    await this.page.getByRole('button', { name: 'Export to folder' }).click();
    await this.page.getByText(/^Exported /).waitFor();
  }

  async exportByBrowser(encryption: 'AES-256' | 'ZipCrypto', password = 'infected'): Promise<Download> {
    await this.#openExport(encryption, password);
    await this.page.getByRole('button', { name: 'Export as download' }).click();
    const saved = this.page.waitForEvent('download');
    await this.page.getByRole('link', { name: 'Save ZIP' }).click();
    return saved;
  }

  async #openExport(encryption: string, password: string): Promise<void> {
    await this.page.getByRole('button', { name: /^Export…/ }).click();
    await this.page.getByRole('menuitem', { name: /^Password ZIP/ }).click();
    const dialog = this.page.getByRole('dialog');
    await dialog.getByText(encryption).first().click();
    await dialog.getByLabel('Password').fill(password);
  }
}
