import { expect, type Locator, type Page } from '@playwright/test';
import { pickFiles } from '../picked-files.ts';

export type ScanWith = 'Local' | 'Rule editor' | 'Both, compared';

/** Scans and hunts as a person finds them. */
export class ScanPage {
  readonly page: Page;
  readonly find: Locator;
  readonly vault: Locator;
  readonly hits: Locator;
  readonly files: Locator;
  readonly rules: Locator;
  readonly where: Locator;
  /** Their rows. */
  readonly bytes: Locator;
  /** Where the cursor of the bytes is. */
  readonly cursor: Locator;
  readonly dialog: Locator;
  readonly alert: Locator;

  constructor(page: Page) {
    this.page = page;
    this.find = page.getByRole('textbox', { name: /^Find samples in the vault/ });
    this.vault = page.getByRole('grid', { name: 'Samples in the vault' });
    this.hits = page.getByRole('grid', { name: 'Rules that hit this file' });
    this.files = page.getByRole('grid', { name: 'Scanned files' });
    this.rules = page.getByRole('grid', { name: 'Rules that hit', exact: true });
    this.where = page.getByRole('region', { name: 'Scan details' });
    this.bytes = page.locator('[data-bytes] [role=grid]');
    this.cursor = page.getByRole('status').filter({ hasText: /^0x/ });
    this.dialog = page.getByRole('dialog');
    this.alert = page.getByRole('alert');
  }

  async open(): Promise<void> {
    await this.page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name: /^Scan/ }).click();
  }

  async startOver(): Promise<void> {
    await this.open();
    const back = this.page.getByRole('button', { name: 'New scan' });
    if (await back.isVisible()) await back.click();
  }

  async pick(files: { name: string; bytes: Buffer }[]): Promise<void> {
    await pickFiles(this.page.locator('[data-picker=scan-files]'), ...files);
  }

  /** Narrows the vault to the one sample, and ticks it when the list has come to rest. */
  async findAndTick(sha256: string): Promise<void> {
    await this.find.fill(sha256);
    await expect(this.vault.locator('[data-index]')).toHaveCount(1);
    await this.tick(sha256.slice(0, 12));
  }

  async tick(sample: string): Promise<void> {
    await this.vault.getByRole('row').filter({ hasText: sample }).locator('[data-tick]').click();
  }

  async with(who: ScanWith): Promise<void> {
    await this.page.getByRole('radio', { name: who }).click({ force: true });
  }

  /** Begins, and leads to the results. */
  async scan(): Promise<void> {
    await this.page.getByRole('button', { name: /^Scan \d/ }).click();
  }

  async hunt(rules: string): Promise<void> {
    await this.page.getByText(rules).click();
    await this.page.getByRole('button', { name: /^Hunt \d/ }).click();
  }

  hit(rule: string): Locator {
    return this.hits.getByRole('row').filter({ hasText: rule });
  }

  matchesOf(rule: string): Locator {
    return this.page.getByRole('grid', { name: `Matches of ${rule}` });
  }

  /** Goes to a match of the chosen rule, and sees that the bytes are there. */
  async goTo(rule: string, { id, offset, length }: { id: string; offset: string; length: number }): Promise<void> {
    await this.matchesOf(rule).getByRole('row').filter({ hasText: offset }).first().click();
    await expect(this.cursor).toHaveText(`${offset} ${length} bytes, ${id}`);
  }

  show(filter: RegExp): Locator {
    return this.page.getByRole('toolbar', { name: 'Show' }).getByRole('button', { name: filter });
  }

  async groupBy(name: 'Rules' | 'Files' | 'Families'): Promise<void> {
    await this.page.getByRole('radiogroup', { name: 'Group by' }).getByRole('radio', { name }).click();
  }
}
