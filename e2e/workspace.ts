import {
  defaultFrontDraft,
  defaultProxy,
  defaultRepositoryOptions,
  defaultTimeouts,
  type WorkspaceDraft,
} from '../shared/domain/workspace.ts';
import type { Vitrine } from './fixtures.ts';
import type { TypedWorkspace } from './pages/settings-page.ts';

/**
 * Adds a workspace past the page and works in it, as a person does in the settings: for tests that begin there.
 * Resolves when the page has it. @returns its id
 */
export async function workIn({ page, call }: Pick<Vitrine, 'page' | 'call'>, typed: TypedWorkspace): Promise<string> {
  const { id } = await call('workspaces.add', draftOf(typed));
  await call('workspaces.switch', { id });
  await page.getByRole('button', { name: `Workspace: ${typed.name}`, exact: true }).waitFor();
  return id;
}

function draftOf({ name, repository, token, ruleEditor }: TypedWorkspace): WorkspaceDraft {
  const service = (baseUrl: string) => ({ baseUrl, token: { kind: 'set' as const, token } });
  return {
    name,
    repository: service(repository),
    ruleEditor: ruleEditor === undefined ? null : service(ruleEditor),
    allowHttp: false,
    trust: { kind: 'system' },
    timeouts: defaultTimeouts,
    options: defaultRepositoryOptions,
    proxy: defaultProxy,
    front: defaultFrontDraft,
  };
}
