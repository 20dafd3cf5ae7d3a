import type { Locator, Page } from '@playwright/test';
import { pickFiles } from '../picked-files.ts';

export type PublicationsTab = 'Updates' | 'Rules' | 'Mutes' | 'Publish';

/** Rule packages as a person finds them. */
export class PublicationsPage {
  readonly page: Page;
  readonly packages: Locator;
  readonly changes: Locator;
  /** What an update would do, with the one button that does it. */
  readonly compare: Locator;
  readonly rules: Locator;
  readonly mutes: Locator;
  readonly dialog: Locator;
  /** What went wrong, where it did. */
  readonly alert: Locator;

  constructor(page: Page) {
    this.page = page;
    this.packages = page.getByRole('grid', { name: 'Packages' });
    this.changes = page.getByRole('treegrid', { name: 'Changes' });
    this.compare = page.locator('[data-compare]');
    this.rules = page.getByRole('grid', { name: 'Rules' });
    this.mutes = page.getByRole('grid', { name: 'Mutes' });
    this.dialog = page.getByRole('dialog');
    this.alert = page.getByRole('alert');
  }

  async open(tab: PublicationsTab = 'Updates'): Promise<void> {
    await this.page
      .getByRole('navigation', { name: 'Views' })
      .getByRole('button', { name: /^Publications/ })
      .click();
    await this.page.getByRole('tab', { name: tab }).click();
  }

  /** Begins a check. */
  async askAgain(): Promise<void> {
    await this.page.getByRole('button', { name: 'Check now' }).first().click();
  }

  /**
   * Resolves when the first check is over, whatever its outcome; a later one differs from the one before by its text.
   */
  async check(): Promise<void> {
    await this.askAgain();
    await this.page.getByText(/\(checked \d\d:\d\dZ\)$|^Check(?:ed \d\d:\d\dZ| failed| cancelled)/).waitFor();
  }

  async includeTest(): Promise<void> {
    await this.page.getByLabel('Publication groups').selectOption('Include Test');
  }

  /** The button that makes another package the active one. */
  step(name: string | RegExp): Locator {
    return this.compare.getByRole('button', { name });
  }

  /** Confirms the removal of many rules. */
  async confirmRemoval(): Promise<void> {
    await this.dialog.getByRole('button', { name: 'Install and remove' }).click();
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
    await this.page.getByRole('button', { name: `More actions for ${version}` }).click();
    await this.page.getByRole('menuitem', { name: item }).click();
  }

  /** Opens the update settings, changes them, and saves. */
  async set(change: (dialog: Locator) => Promise<void>): Promise<void> {
    await this.page.getByRole('button', { name: 'More publication actions' }).click();
    await this.page.getByRole('menuitem', { name: 'Update settings…' }).click();
    await change(this.dialog);
    await this.dialog.getByRole('button', { name: 'Save' }).click();
    await this.dialog.waitFor({ state: 'hidden' });
  }

  async openFile(name: string, bytes: Buffer): Promise<void> {
    await pickFiles(this.page.locator('[data-picker=package]'), { name, bytes });
  }

  async publish(files: { name: string; text: string }[], version: string): Promise<void> {
    await this.open('Publish');
    await pickFiles(
      this.page.getByRole('main').locator('[data-picker=files]'),
      ...files.map(({ name, text }) => ({ name, bytes: text })),
    );
    await this.page.getByLabel('Version').fill(version);
    await this.page.getByRole('button', { name: 'Publish', exact: true }).click();
  }
}
