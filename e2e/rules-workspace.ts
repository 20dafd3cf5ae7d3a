import type { Desk } from './fixtures.ts';
import { PublicationsPage } from './pages/publications-page.ts';
import { SettingsPage } from './pages/settings-page.ts';

export interface RulesAddresses {
  /** Of the rule editor. */
  baseUrl: string;
  /** The rule editor's when left out: nothing is asked of it. */
  repositoryUrl?: string;
  token: string;
}

/** Adds the workspace of a team that has a rule editor, and goes to its publications. */
export async function useRulesTeam({ page }: Pick<Desk, 'page'>, { baseUrl, repositoryUrl = baseUrl, token }: RulesAddresses): Promise<PublicationsPage> {
  const settings = new SettingsPage(page);
  await settings.addWorkspace({ name: 'Team', repository: repositoryUrl, token, ruleEditor: baseUrl });
  await settings.switchTo('Team');
  const publications = new PublicationsPage(page);
  await publications.open();
  return publications;
}
