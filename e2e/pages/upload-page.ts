import type { Locator, Page } from '@playwright/test';

/** The upload as a person finds it. */
export class UploadPage {
  readonly page: Page;
  readonly table: Locator;
  readonly outcomes: Locator;
  readonly dialog: Locator;
  readonly comment: Locator;
  readonly amounts: Locator;

  constructor(page: Page) {
    this.page = page;
    this.table = page.getByRole('grid', { name: 'Files in the draft' });
    this.outcomes = page.getByRole('toolbar', { name: 'Filter by status' });
    this.dialog = page.getByRole('dialog');
    this.comment = page.getByRole('textbox', { name: 'Comment' });
    this.amounts = page.getByLabel('File status');
  }

  async open(): Promise<void> {
    await this.page
      .getByRole('navigation', { name: 'Views' })
      .getByRole('button', { name: /^Upload/ })
      .click();
  }

  /** Files and folders of this computer, as a person drags them in: the browser reads them, and no script made them. */
  async drop(...paths: string[]): Promise<void> {
    const session = await this.page.context().newCDPSession(this.page);
    const data = { items: [], files: paths, dragOperationsMask: 1 };
    const drag = (type: 'dragEnter' | 'dragOver' | 'drop'): Promise<unknown> =>
      session.send('Input.dispatchDragEvent', { type, x: 640, y: 400, data });
    const overlay = this.page.getByText('Drop to add to the upload');
    await drag('dragEnter');
    await overlay.waitFor();
    // A drop counts only after the page has accepted the drag, which takes a moment.
    await drag('dragOver');
    await drag('dragOver');
    await drag('drop');
    await overlay.waitFor({ state: 'hidden' });
    await session.detach();
  }

  /** The row of a file; what is said of it is in its cells. */
  row(name: string): Locator {
    return this.table.getByRole('row').filter({ has: this.page.getByRole('rowheader', { name }) });
  }

  /** One line of what will become of the files: "To send". */
  amount(words: string): Locator {
    return this.amounts.getByText(words).locator('xpath=following-sibling::*[1]');
  }

  async setTlp(name: string, level: string): Promise<void> {
    await this.row(name)
      .getByRole('button', { name: `TLP of ${name}` })
      .click();
    await this.page.getByRole('menuitemradio', { name: level, exact: true }).click();
  }

  async flag(name: string, receiver: string): Promise<void> {
    await this.row(name)
      .getByRole('checkbox', { name: `Forward ${name} to ${receiver}` })
      .click();
  }

  async tagTicked(tag: string): Promise<void> {
    await this.page.getByRole('button', { name: /^Add tag…( T)?$/ }).click();
    await this.dialog.getByRole('combobox').fill(tag);
    await this.page.keyboard.press('Enter');
    await this.page.keyboard.press('Escape');
    await this.dialog.waitFor({ state: 'hidden' });
  }

  async send(): Promise<void> {
    await this.page.getByRole('button', { name: /^Send \d/ }).click();
  }

  outcome(words: RegExp): Locator {
    return this.outcomes.getByRole('button', { name: words });
  }
}
