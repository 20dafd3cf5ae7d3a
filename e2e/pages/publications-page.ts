import type { Locator, Page } from '@playwright/test';

export type PublicationsTab = 'Updates' | 'Rules' | 'Mutes' | 'Publish';

/** Rule packages as a person finds them. */
export class PublicationsPage {
  readonly page: Page;
  readonly packages: Locator;
  readonly changes: Locator;
  /** What an update would do, with the one button that does it. */
  readonly compare: Locator;
  readonly rules: Locator;
  readonly dialog: Locator;

  constructor(page: Page) {
    this.page = page;
    this.packages = page.getByRole('grid', { name: 'Packages' });
    this.changes = page.getByRole('grid', { name: 'Changes' });
    this.compare = page.locator('[data-compare]');
    this.rules = page.getByRole('grid', { name: 'Rules' });
    this.dialog = page.getByRole('dialog');
  }

  async open(tab: PublicationsTab = 'Updates'): Promise<void> {
    await this.page.getByRole('navigation', { name: 'Rooms' }).getByRole('button', { name: /^Publications/ }).click();
    await this.page.getByRole('tab', { name: tab }).click();
  }

  /** Resolves when the check is over, whatever came of it. */
  async check(): Promise<void> {
    await this.page.getByRole('button', { name: 'Check now' }).first().click();
    await this.page.getByText(/^(?:Checked \d\d:\d\dZ|The check at \d\d:\d\dZ)/).waitFor();
  }

  async includeTest(): Promise<void> {
    await this.page.getByLabel('Which publications count').selectOption('Include Test');
  }

  /** The button that makes another package the active one. */
  step(name: string | RegExp): Locator {
    return this.compare.getByRole('button', { name });
  }

  async activeVersion(version: string): Promise<void> {
    await this.package(version).getByText('Active', { exact: true }).waitFor();
  }

  package(version: string): Locator {
    return this.packages.getByRole('row').filter({ hasText: version });
  }

  /** A change by the name of its rule. */
  change(rule: string): Locator {
    return this.changes.getByRole('row').filter({ hasText: rule });
  }

  rule(name: string): Locator {
    return this.rules.getByRole('row').filter({ hasText: name });
  }

  async menu(version: string, item: string): Promise<void> {
    await this.page.getByRole('button', { name: `More for ${version}` }).click();
    await this.page.getByRole('menuitem', { name: item }).click();
  }

  async openFile(name: string, bytes: Buffer): Promise<void> {
    await this.page.locator('[data-picker=package]').setInputFiles({ name, mimeType: 'application/octet-stream', buffer: bytes });
  }

  async publish(files: { name: string; text: string }[], version: string): Promise<void> {
    await this.open('Publish');
    await this.page.getByRole('main').locator('[data-picker=files]').setInputFiles(files.map(({ name, text }) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(text) })));
    await this.page.getByLabel('Version').fill(version);
    await this.page.getByRole('button', { name: 'Publish', exact: true }).click();
  }
}
