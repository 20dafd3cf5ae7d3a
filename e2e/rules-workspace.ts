import type { Vitrine } from './fixtures.ts';
import { PublicationsPage } from './pages/publications-page.ts';
import { workIn } from './workspace.ts';

export interface RulesAddresses {
  /** Of the rule editor. */
  baseUrl: string;
  /** The rule editor's when left out: nothing is asked of it. */
  repositoryUrl?: string;
  token: string;
}

/** Works in the workspace of a team that has a rule editor, and goes to its publications. */
export async function useRulesTeam(
  vitrine: Pick<Vitrine, 'page' | 'call'>,
  { baseUrl, repositoryUrl = baseUrl, token }: RulesAddresses,
): Promise<PublicationsPage> {
  await workIn(vitrine, { name: 'Team', repository: repositoryUrl, token, ruleEditor: baseUrl });
  const publications = new PublicationsPage(vitrine.page);
  await publications.open();
  return publications;
}
