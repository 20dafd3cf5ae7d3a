import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  defaultFrontDraft,
  defaultProxy,
  defaultRepositoryOptions,
  defaultTimeouts,
  type PasswordChange,
  type WorkspaceDraft,
  type WorkspaceView,
} from '../../shared/domain/workspace.ts';
import { fail } from '../../shared/failure.ts';
import { makeCertificates } from '../base/certificates.fixture.ts';
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
  proxy: defaultProxy,
  front: defaultFrontDraft,
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

const withNetwork = (changes: Partial<Pick<WorkspaceDraft, 'proxy' | 'front'>>): WorkspaceDraft => ({
  ...tokenless('https://one.example'),
  ...changes,
});
const proxied = (password: PasswordChange, address = 'http://proxy.example:3128'): WorkspaceDraft =>
  withNetwork({ proxy: { kind: 'fixed', address, username: 'ana', password } });
const fronted = (password: PasswordChange): WorkspaceDraft['front'] => ({
  basic: { username: 'ana', password },
  clientCertificate: { kind: 'clear' },
});
const setTo = (password: string): PasswordChange => ({ kind: 'set', password });

test('a proxy or web server password is stored as a token, never shown, and removed with its workspace', async () => {
  const { good } = makeCertificates();
  const view = await workspaces.add({
    ...proxied(setTo('proxy-password')),
    front: {
      basic: { username: 'ana', password: setTo('basic-password') },
      clientCertificate: { kind: 'pem', certificate: good.cert, key: good.key, passphrase: null },
    },
  });
  const { id } = view;
  expect(view).toMatchObject({
    proxy: { kind: 'fixed', address: 'http://proxy.example:3128', username: 'ana', hasPassword: true },
    front: {
      basic: { username: 'ana', hasPassword: true },
      clientCertificate: { kind: 'pem', subject: 'CN=good', fingerprint: good.fingerprint, hasKey: true },
    },
  });
  await tokens.set(`workspace/${id}/package-password`, 'infected');
  const [journalled] = db.sql.prepare('SELECT detail FROM journal WHERE workspace_id = ?').all(id);
  expect(JSON.parse(String(journalled?.['detail']))).toMatchObject({
    proxy: 'fixed',
    front: 'password, client certificate',
    proxyPassword: 'set',
    frontPassword: 'set',
    clientKey: 'set',
  });
  const stored = [JSON.stringify([view, await workspaces.list(), journalled, store.get(id)])];
  for (const secret of ['proxy-password', 'basic-password', good.key.split('\n')[1] ?? '', 'BEGIN CERTIFICATE'])
    expect(stored.filter((text) => text.includes(secret))).toEqual([]);
  await workspaces.remove(id, { forgetLibrary: false, stopWork: async () => {} });
  expect(tokens.names()).toEqual([]);
});

test('a kept password stays, a cleared one goes, and so does one whose proxy goes', async () => {
  let basedOn = await workspaces.add(proxied(setTo('proxy-password')));
  const { id } = basedOn;
  const name = `workspace/${id}/proxy`;
  basedOn = await workspaces.edit({ id, draft: proxied({ kind: 'keep' }), basedOn });
  expect([basedOn.proxy, await tokens.get(name)]).toMatchObject([{ hasPassword: true }, 'proxy-password']);
  basedOn = await workspaces.edit({ id, draft: proxied({ kind: 'clear' }), basedOn });
  expect([basedOn.proxy, await tokens.get(name)]).toMatchObject([{ hasPassword: false }, null]);
  basedOn = await workspaces.edit({ id, draft: proxied(setTo('again')), basedOn });
  basedOn = await workspaces.edit({ id, draft: withNetwork({ proxy: { kind: 'none' } }), basedOn });
  expect([basedOn.proxy, await tokens.get(name)]).toEqual([{ kind: 'none' }, null]);
});

test('a changed password is restored when the workspace cannot be stored', async () => {
  const basedOn = await workspaces.add(proxied(setTo('proxy-password')));
  vi.spyOn(store, 'replace').mockImplementation(full);
  const edited = { ...proxied(setTo('other')), front: fronted(setTo('basic-password')) };
  await expect(workspaces.edit({ id: basedOn.id, draft: edited, basedOn })).rejects.toMatchObject({
    failure: { kind: 'disk-full' },
  });
  expect([await tokens.get(`workspace/${basedOn.id}/proxy`), tokens.names()]).toEqual([
    'proxy-password',
    [`workspace/${basedOn.id}/proxy`],
  ]);
});

test('a proxy password is not carried to another proxy', async () => {
  const basedOn = await workspaces.add(proxied(setTo('proxy-password')));
  const moved = proxied({ kind: 'keep' }, 'http://other.example:3128');
  const refused = { failure: { kind: 'secret-for-other-host', secret: 'proxy' } };
  await expect(workspaces.edit({ id: basedOn.id, draft: moved, basedOn })).rejects.toMatchObject(refused);
  await expect(workspaces.test(basedOn.id, moved)).rejects.toMatchObject(refused);
});

test('the password of a web server is carried to no new host of either service', async () => {
  const first = { ...tokenless('https://one.example'), front: fronted(setTo('basic-password')) };
  const basedOn = await workspaces.add(first);
  const kept = { ...first, front: fronted({ kind: 'keep' }) };
  const ruleEditor = (baseUrl: string): WorkspaceDraft['ruleEditor'] => ({ baseUrl, token: { kind: 'keep' } });
  for (const moved of [
    { ...kept, repository: ruleEditor('https://two.example') },
    { ...kept, ruleEditor: ruleEditor('https://two.example') },
  ])
    await expect(workspaces.edit({ id: basedOn.id, draft: moved, basedOn })).rejects.toMatchObject({
      failure: { kind: 'secret-for-other-host', secret: 'basic' },
    });
  const same = { ...kept, ruleEditor: ruleEditor('https://one.example/rules') };
  expect(await workspaces.edit({ id: basedOn.id, draft: same, basedOn })).toMatchObject({
    front: { basic: { hasPassword: true } },
  });
});

test('a client certificate that cannot be used is refused before anything is stored', async () => {
  const unusable = withNetwork({
    front: { basic: null, clientCertificate: { kind: 'pkcs12', base64: 'bm9uZQ==', passphrase: null } },
  });
  const before = store.list().length;
  const refused = { failure: { kind: 'client-certificate-unreadable' } };
  await expect(workspaces.add(unusable)).rejects.toMatchObject(refused);
  await expect(workspaces.test(null, unusable)).rejects.toMatchObject(refused);
  expect([store.list().length, tokens.names()]).toEqual([before, []]);
});

test('a kept client certificate keeps its facts, and a workspace without one keeps none', async () => {
  const { good } = makeCertificates();
  const none = await workspaces.add(withNetwork({}));
  const kept = withNetwork({ front: { basic: null, clientCertificate: { kind: 'keep' } } });
  expect((await workspaces.edit({ id: none.id, draft: kept, basedOn: none })).front.clientCertificate).toBeNull();
  const pem = { kind: 'pem', certificate: good.cert, key: good.key, passphrase: null } as const;
  const basedOn = await workspaces.add(withNetwork({ front: { basic: null, clientCertificate: pem } }));
  expect((await workspaces.edit({ id: basedOn.id, draft: kept, basedOn })).front).toEqual(basedOn.front);
});

test('a password that is set elsewhere affects only an edit of that password', async () => {
  const basedOn = await workspaces.add({ ...withNetwork({}), front: fronted({ kind: 'clear' }) });
  const { id } = basedOn;
  await tokens.set(`workspace/${id}/basic`, 'set elsewhere');
  const keeping = { ...withNetwork({}), front: fronted({ kind: 'keep' }) };
  await workspaces.edit({ id, draft: keeping, basedOn });
  const setting = { ...withNetwork({}), front: fronted(setTo('of here')) };
  await expect(workspaces.edit({ id, draft: setting, basedOn })).rejects.toMatchObject({
    failure: { kind: 'workspace-changed' },
  });
});
