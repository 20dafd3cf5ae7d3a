import type { Locator, Page } from '@playwright/test';

export interface TypedWorkspace {
  name: string;
  repository: string;
  token: string;
  /** With the same token. */
  ruleEditor?: string;
}

export type SettingsSection =
  | 'Appearance'
  | 'Workspaces'
  | 'Storage'
  | 'Downloads'
  | 'Uploads'
  | 'Watched folder'
  | 'Scans'
  | 'Rule updates'
  | 'Export'
  | 'Tokens'
  | 'Keyboard'
  | 'About';

/** The settings as a person finds them. */
export class SettingsPage {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  async open(section: SettingsSection): Promise<void> {
    await this.page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name: 'Settings' }).click();
    await this.page.getByRole('navigation', { name: 'Sections' }).getByRole('button', { name: section }).click();
  }

  workspace(name: string): Locator {
    return this.page.getByRole('region', { name, exact: true });
  }

  async fillWorkspace({ name, repository, token, ruleEditor }: TypedWorkspace): Promise<void> {
    await this.open('Workspaces');
    await this.page.getByRole('button', { name: 'Add workspace' }).click();
    await this.page.getByRole('textbox', { name: 'Name', exact: true }).fill(name);
    await this.#fillService('Repository', repository, token);
    if (ruleEditor !== undefined) await this.#fillService('Rule editor', ruleEditor, token);
  }

  async #fillService(name: string, address: string, token: string): Promise<void> {
    const service = this.page.getByRole('group', { name });
    await service.getByLabel('Address').fill(address);
    if (token !== '') await service.getByLabel('Token', { exact: true }).fill(token);
  }

  async save(): Promise<void> {
    await this.page.getByRole('button', { name: 'Save', exact: true }).click();
  }

  async addWorkspace(typed: TypedWorkspace): Promise<void> {
    await this.fillWorkspace(typed);
    await this.save();
    await this.workspace(typed.name).waitFor();
  }

  async switchTo(name: string): Promise<void> {
    await this.workspace(name).getByRole('button', { name: 'Switch' }).click();
    await this.workspace(name).getByText('current').waitFor();
  }

  /** In the dialog of the web host; `name` as its list has it. */
  async chooseFolder(name: string, verb: string): Promise<void> {
    const dialog = this.page.getByRole('dialog');
    await dialog.getByRole('option', { name }).click();
    await dialog.getByText(name, { exact: true }).waitFor();
    await dialog.getByRole('button', { name: verb }).click();
    await dialog.waitFor({ state: 'detached' });
  }

  async sealTokens(passphrase: string): Promise<void> {
    await this.open('Tokens');
    await this.page.getByLabel('Passphrase', { exact: true }).fill(passphrase);
    await this.page.getByLabel('Repeat passphrase').fill(passphrase);
    await this.page.getByRole('button', { name: 'Create sealed file' }).click();
    await this.page.getByText('Tokens are in the sealed file').waitFor();
  }

  async unlockTokens(passphrase: string): Promise<void> {
    await this.open('Tokens');
    await this.page.getByLabel('Passphrase', { exact: true }).fill(passphrase);
    await this.page.getByRole('button', { name: 'Unlock' }).click();
    await this.page.getByText('Tokens are in the sealed file').waitFor();
  }
}
