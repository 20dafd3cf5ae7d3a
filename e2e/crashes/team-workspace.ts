import {
  defaultRepositoryOptions,
  defaultTimeouts,
  type WorkspaceDraft,
  type WorkspaceView,
} from '../../shared/domain/workspace.ts';
import type { Desk } from './desk.ts';

/** What the tokens of a desk are sealed with. */
export const passphrase = 'a passphrase of crashes';

export const teamDraft = (name: string, baseUrl: string, token: string): WorkspaceDraft => ({
  name,
  repository: { baseUrl, token: { kind: 'set', token } },
  ruleEditor: null,
  allowHttp: true,
  trust: { kind: 'system' },
  timeouts: defaultTimeouts,
  options: defaultRepositoryOptions,
});

/** Seals the tokens of a desk, and adds a workspace. */
export async function addTeam({ call }: Desk, baseUrl: string, token: string): Promise<WorkspaceView> {
  await call('secrets.create', { passphrase });
  return call('workspaces.add', teamDraft('Team', baseUrl, token));
}

export async function unlock({ call }: Desk): Promise<void> {
  await call('secrets.unlock', { passphrase });
}
