import {
  defaultFrontDraft,
  defaultProxy,
  defaultRepositoryOptions,
  defaultTimeouts,
  type WorkspaceDraft,
  type WorkspaceView,
} from '../../shared/domain/workspace.ts';
import type { Vitrine } from './vitrine.ts';

/** The passphrase that the tokens are sealed with. */
export const passphrase = 'a passphrase of crashes';

export const teamDraft = (name: string, baseUrl: string, token: string): WorkspaceDraft => ({
  name,
  repository: { baseUrl, token: { kind: 'set', token } },
  ruleEditor: null,
  allowHttp: true,
  trust: { kind: 'system' },
  timeouts: defaultTimeouts,
  options: defaultRepositoryOptions,
  proxy: defaultProxy,
  front: defaultFrontDraft,
});

/** Seals the tokens, and adds a workspace. */
export async function addTeam({ call }: Vitrine, baseUrl: string, token: string): Promise<WorkspaceView> {
  await call('secrets.create', { passphrase });
  return call('workspaces.add', teamDraft('Team', baseUrl, token));
}

export async function unlock({ call }: Vitrine): Promise<void> {
  await call('secrets.unlock', { passphrase });
}
