import type { Locator, Page } from '@playwright/test';

/** The bulk download as a person finds it. */
export class BulkPage {
  readonly page: Page;
  readonly field: Locator;
  readonly outcomes: Locator;
  readonly halted: Locator;
  readonly dialog: Locator;

  constructor(page: Page) {
    this.page = page;
    // Exact: the look-up's own field ends with these words, too.
    this.field = page.getByRole('textbox', { name: 'Text with hashes', exact: true });
    this.outcomes = page.getByRole('toolbar', { name: 'Filter by status' });
    this.halted = page.getByRole('alert');
    this.dialog = page.getByRole('dialog');
  }

  async open(): Promise<void> {
    await this.page
      .getByRole('navigation', { name: 'Views' })
      .getByRole('button', { name: /^Bulk download/ })
      .click();
  }

  /** As from the clipboard. */
  async paste(text: string): Promise<void> {
    await this.field.evaluate((field, pasted) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', pasted);
      field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    }, text);
  }

  /** What is copied, to the real clipboard; the news of it is waited for. */
  async copy(what: string | RegExp): Promise<void> {
    await this.page.getByRole('button', { name: 'Copy', exact: true }).click();
    await this.page.getByRole('menuitem', { name: what }).click();
    await this.page.getByText(/^Copied \d/).waitFor();
  }

  async start(): Promise<void> {
    await this.page.getByRole('button', { name: /^Download \d/ }).click();
  }

  /** A line of what the text holds, such as "MD5". */
  count(words: string): Locator {
    return this.page.getByRole('region', { name: 'List' }).getByText(words);
  }

  /** One of the counts that are the filter. */
  outcome(words: string | RegExp): Locator {
    return this.outcomes.getByRole('button', { name: words });
  }

  /** The sentence that a job ends with. */
  ended(sentence: string | RegExp): Locator {
    return this.page.getByText(sentence).first();
  }

  rows(): Locator {
    return this.page.getByRole('grid').last().getByRole('row');
  }
}
