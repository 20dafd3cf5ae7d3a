import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  defaultRepositoryOptions,
  defaultTimeouts,
  type WorkspaceDraft,
  type WorkspaceView,
} from '../../shared/domain/workspace.ts';
import { fail } from '../../shared/failure.ts';
import { EventHub } from '../event-hub.ts';
import { SettingsStore } from '../storage/settings/settings-store.ts';
import { WorkspaceStore } from '../storage/settings/workspace-store.ts';
import { makeTestFolder, openTestDatabase } from '../storage/testing/database.fixture.ts';
import { openTokenStore, type TokenStore } from '../storage/tokens/token-store.ts';
import { Workspaces } from './workspaces.ts';

const folder = makeTestFolder();
const { db, journal } = openTestDatabase(folder.path);
const store = new WorkspaceStore(db, journal);
let tokens: TokenStore;
let workspaces: Workspaces;

beforeEach(async () => {
  tokens = await openTokenStore({ directory: folder.path, keychain: null });
  workspaces = new Workspaces({
    workspaces: store,
    settings: new SettingsStore(db),
    tokens,
    events: new EventHub(),
    connect: () => fail({ kind: 'lab-down', restarts: 0 }),
    proxyFor: async () => null,
    keepOutOfLogs: () => {},
  });
});
afterEach(() => vi.restoreAllMocks());

const draft = (baseUrl: string, token: string): WorkspaceDraft => ({
  name: 'Team',
  repository: { baseUrl, token: { kind: 'set', token } },
  ruleEditor: null,
  allowHttp: false,
  trust: { kind: 'system' },
  timeouts: defaultTimeouts,
  options: defaultRepositoryOptions,
});
const tokenless = (baseUrl: string): WorkspaceDraft => ({
  ...draft(baseUrl, ''),
  repository: { baseUrl, token: { kind: 'keep' } },
});
const full = () => fail({ kind: 'disk-full', path: folder.path });

test('a workspace that cannot be stored leaves no token behind', async () => {
  vi.spyOn(store, 'add').mockImplementation(full);
  await expect(workspaces.add(draft('https://one.example', 'token-of-one'))).rejects.toMatchObject({
    failure: { kind: 'disk-full' },
  });
  expect(tokens.names()).toEqual([]);
});

test('an edit that cannot be stored gives the old address no new token', async () => {
  const basedOn = await workspaces.add(draft('https://one.example', 'token-of-one'));
  const { id } = basedOn;
  vi.spyOn(store, 'replace').mockImplementation(full);
  await expect(
    workspaces.edit({ id, draft: draft('https://two.example', 'token-of-two'), basedOn }),
  ).rejects.toMatchObject({ failure: { kind: 'disk-full' } });
  expect(await tokens.get(`workspace/${id}/repository`)).toBe('token-of-one');
  expect(store.get(id)?.repository?.baseUrl).toBe('https://one.example');
});

test('the journal distinguishes a token change from a name change', async () => {
  const { id, ...added } = await workspaces.add(draft('https://one.example', 'token-of-one'));
  const cleared: WorkspaceDraft = {
    ...tokenless('https://one.example'),
    repository: { baseUrl: 'https://one.example', token: { kind: 'clear' } },
  };
  let basedOn: WorkspaceView = { id, ...added };
  for (const change of [
    tokenless('https://one.example'),
    draft('https://one.example', 'token-of-two'),
    cleared,
    tokenless('https://one.example'),
  ]) {
    basedOn = await workspaces.edit({ id, draft: change, basedOn });
  }
  const rows = db.sql
    .prepare(
      `SELECT outcome, detail ->> 'repositoryToken' AS token, detail FROM journal WHERE workspace_id = ?
        ORDER BY number`,
    )
    .all(id);
  expect(rows.map(({ outcome, token }) => [outcome, token])).toEqual([
    ['added', 'set'],
    ['changed', 'kept'],
    ['changed', 'set'],
    ['changed', 'cleared'],
    ['changed', null],
  ]);
  expect(JSON.stringify(rows)).not.toContain('token-of');
});

test('a workspace keeps its tokens until its work has ended', async () => {
  const { id } = await workspaces.add(draft('https://one.example', 'token-of-one'));
  const seen: unknown[] = [];
  const stopWork = async (): Promise<void> =>
    void seen.push(store.get(id)?.id, await tokens.get(`workspace/${id}/repository`));
  await workspaces.remove(id, { forgetLibrary: false, stopWork });
  expect(seen).toEqual([id, 'token-of-one']);
  expect([store.get(id), tokens.names()]).toEqual([null, []]);
});

test('work continues for a workspace that cannot be removed', async () => {
  const stopWork = vi.fn(async () => {});
  await expect(workspaces.remove('lab', { forgetLibrary: true, stopWork })).rejects.toMatchObject({
    failure: { kind: 'workspace-built-in' },
  });
  expect(stopWork).not.toHaveBeenCalled();
});

test('a workspace without a token may change its host', async () => {
  const added = await workspaces.add(tokenless('https://one.example'));
  const { id } = added;
  const moved = await workspaces.edit({ id, draft: tokenless('https://two.example'), basedOn: added });
  expect(moved).toMatchObject({ repository: { baseUrl: 'https://two.example', hasToken: false } });
  await tokens.set(`workspace/${id}/repository`, 'token-of-two');
  await expect(
    workspaces.edit({ id, draft: tokenless('https://three.example'), basedOn: moved }),
  ).rejects.toMatchObject({ failure: { kind: 'token-for-other-host' } });
});

test('a token in an unused store is not carried to another host', async () => {
  const basedOn = await workspaces.add(draft('https://one.example', 'token-of-one'));
  const cleared = vi.spyOn(tokens, 'delete');
  vi.spyOn(tokens, 'names').mockReturnValue([]);
  await workspaces.edit({ id: basedOn.id, draft: tokenless('https://two.example'), basedOn });
  expect(cleared).toHaveBeenCalledWith(`workspace/${basedOn.id}/repository`);
});

test.each([
  ['a certificate of garbage', '-----BEGIN CERTIFICATE-----\nnope\n-----END CERTIFICATE-----'],
  ['half a certificate', '-----BEGIN CERTIFICATE-----\nMIIB'],
  ['blank', ' \n'],
])('a certificate authority that is %s is refused before anything is stored', async (_, pem) => {
  const trusting: WorkspaceDraft = {
    ...draft('https://one.example', 'token-of-one'),
    trust: { kind: 'authority', pem },
  };
  const refused = { failure: { kind: 'trust-file-unreadable' } };
  const before = store.list().length;
  await expect(workspaces.add(trusting)).rejects.toMatchObject(refused);
  expect([store.list().length, tokens.names()]).toEqual([before, []]);
  const basedOn = await workspaces.add(draft('https://one.example', 'token-of-one'));
  const { id } = basedOn;
  await expect(workspaces.edit({ id, draft: trusting, basedOn })).rejects.toMatchObject(refused);
  await expect(workspaces.test(id, trusting)).rejects.toMatchObject(refused);
  expect(store.get(id)?.trust).toEqual({ kind: 'system' });
});

const changed = { failure: { kind: 'workspace-changed' } };

test('an edit based on an outdated workspace is refused and removes nothing', async () => {
  const basedOn = await workspaces.add(draft('https://one.example', 'token-of-one'));
  const { id } = basedOn;
  const ofElsewhere: WorkspaceDraft = {
    ...tokenless('https://one.example'),
    ruleEditor: { baseUrl: 'https://rules.example', token: { kind: 'set', token: 'token-of-rules' } },
    trust: { kind: 'pin', fingerprint: 'a'.repeat(64) },
    timeouts: { ...defaultTimeouts, idleSeconds: 300 },
  };
  const now = await workspaces.edit({ id, draft: ofElsewhere, basedOn });
  const renamed = { ...tokenless('https://one.example'), name: 'Renamed' };
  await expect(workspaces.edit({ id, draft: renamed, basedOn })).rejects.toMatchObject(changed);
  expect((await workspaces.list()).workspaces.find((one) => one.id === id)).toEqual(now);
  expect([now.ruleEditor, await tokens.get(`workspace/${id}/rule-editor`)]).toEqual([
    { baseUrl: 'https://rules.example', hasToken: true },
    'token-of-rules',
  ]);
  const { ruleEditor, ...kept } = ofElsewhere;
  const again = await workspaces.edit({
    id,
    draft: { ...kept, ruleEditor: ruleEditor && { ...ruleEditor, token: { kind: 'keep' } }, name: 'Renamed' },
    basedOn: now,
  });
  expect(again).toEqual({ ...now, name: 'Renamed' });
});

test('one of two simultaneous edits of a workspace is refused', async () => {
  const basedOn = await workspaces.add(draft('https://one.example', 'token-of-one'));
  const edits = ['One', 'Two'].map((name) =>
    workspaces.edit({ id: basedOn.id, draft: { ...draft('https://one.example', `token-of-${name}`), name }, basedOn }),
  );
  expect(await Promise.allSettled(edits)).toMatchObject([
    { status: 'fulfilled' },
    { status: 'rejected', reason: changed },
  ]);
  expect([store.get(basedOn.id)?.name, await tokens.get(`workspace/${basedOn.id}/repository`)]).toEqual([
    'One',
    'token-of-One',
  ]);
});

test('a token added or removed elsewhere affects only an edit of that token', async () => {
  const basedOn = await workspaces.add(tokenless('https://one.example'));
  const { id } = basedOn;
  await tokens.set(`workspace/${id}/repository`, 'token-of-elsewhere');
  await expect(
    workspaces.edit({ id, draft: draft('https://one.example', 'token-of-here'), basedOn }),
  ).rejects.toMatchObject(changed);
  await expect(
    workspaces.edit({
      id,
      draft: {
        ...tokenless('https://one.example'),
        repository: null,
        ruleEditor: { baseUrl: 'https://rules.example', token: { kind: 'keep' } },
      },
      basedOn,
    }),
  ).rejects.toMatchObject(changed);
  expect(
    await workspaces.edit({ id, draft: { ...tokenless('https://one.example'), name: 'Renamed' }, basedOn }),
  ).toMatchObject({ name: 'Renamed', repository: { hasToken: true } });
  expect(await tokens.get(`workspace/${id}/repository`)).toBe('token-of-elsewhere');
});
