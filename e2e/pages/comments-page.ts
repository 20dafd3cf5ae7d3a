import type { Locator, Page } from '@playwright/test';

/** A sample's conversation as a person finds it, wherever it is shown. */
export class CommentsPage {
  readonly page: Page;
  readonly field: Locator;
  readonly list: Locator;

  constructor(page: Page) {
    this.page = page;
    this.field = page.getByRole('textbox', { name: /^(Comment|Reply)/ });
    this.list = page.getByRole('grid', { name: 'All comments' });
  }

  async openView(): Promise<void> {
    await this.page
      .getByRole('navigation', { name: 'Views' })
      .getByRole('button', { name: /^Comments/ })
      .click();
  }

  /** The innermost item of the thread that holds this text. */
  comment(text: string): Locator {
    return this.page.getByRole('listitem').filter({ hasText: text }).last();
  }

  async write(text: string): Promise<void> {
    await this.field.fill(text);
    await this.field.press('Control+Enter');
  }

  async replyTo(text: string): Promise<void> {
    await this.comment(text)
      .getByRole('button', { name: /^Reply/ })
      .click();
  }
}
