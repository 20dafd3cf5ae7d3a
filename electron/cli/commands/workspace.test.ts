import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { OperationInput } from '../../../shared/contract.ts';
import type { WorkspaceView } from '../../../shared/domain/workspace.ts';
import { runInMemory, usualWorkspaces } from '../memory-run.fixture.ts';

const folder = mkdtempSync(join(tmpdir(), 'vitrine-workspace-command-'));
afterAll(() => rmSync(folder, { recursive: true }));
function file(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

const [usual] = usualWorkspaces.workspaces;
const team: WorkspaceView = usual ?? expect.fail('no workspace');
const pem = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n';
const fingerprint = 'ab'.repeat(32);
const fronted: WorkspaceView = {
  ...team,
  proxy: { kind: 'fixed', address: 'http://proxy.example:3128', username: 'ana', hasPassword: true },
  front: {
    basic: { username: 'ana', hasPassword: true },
    clientCertificate: {
      kind: 'pem',
      subject: 'CN=Ana',
      validFrom: '2026-01-01T00:00:00.000Z',
      validTo: '2027-01-01T00:00:00.000Z',
      fingerprint,
      hasKey: true,
    },
  },
};

async function run(args: string[], { view = team, input = null as string | null, store = 'keychain' as const } = {}) {
  const ran = await runInMemory(['workspace', ...args], () => ({
    input,
    answers: {
      'workspaces.list': () => ({ workspaces: [view], current: view.id, damaged: [] }),
      'workspaces.add': () => view,
      'workspaces.edit': () => view,
      'workspaces.test': () => ({ tests: [] }),
      'workspaces.readAuthority': ({ base64 }) => ({ pem: `read:${base64}` }),
      'host.describe': () => describedWith(store),
    },
  }));
  const added = ran.inputsOf('workspaces.add') as OperationInput<'workspaces.add'>[];
  const edited = ran.inputsOf('workspaces.edit') as OperationInput<'workspaces.edit'>[];
  return { ...ran, draft: added[0] ?? edited[0]?.draft };
}

const describedWith = (store: 'keychain') => ({
  name: 'Vitrine',
  version: '0.0.0',
  platform: 'web' as const,
  isPackaged: false,
  capabilities: {
    chooseFolder: false,
    openFolders: false,
    browserDownload: false,
    windowControls: false,
    notifications: false,
    staysInTray: false,
    restarts: false,
  },
  dataDirectory: '',
  exportFolder: null,
  secrets: { store, state: 'open' as const, backend: null },
  lab: { state: 'running' as const, restarts: 0, failure: null },
});

describe('the proxy', () => {
  const add = (...options: string[]) => run(['add', 'Other', '--repository', 'https://repo.example', ...options]);

  test('a new workspace has an automatic one, and none or a fixed one by its address', async () => {
    expect((await add()).draft).toMatchObject({
      proxy: { kind: 'automatic' },
      front: { basic: null, clientCertificate: { kind: 'clear' } },
    });
    expect((await add('--proxy', 'none')).draft?.proxy).toEqual({ kind: 'none' });
    expect((await add('--proxy', 'SOCKS5://Proxy.example:01080/')).draft?.proxy).toEqual({
      kind: 'fixed',
      address: 'socks5://proxy.example:1080',
      username: null,
      password: { kind: 'clear' },
    });
  });

  test('its password comes from a file, and is asked for by no argument', async () => {
    const path = file('password', 'p@ss word\n');
    const { draft } = await add('--proxy', 'http://ana%40team@proxy.example:3128', '--proxy-password-file', path);
    expect(draft?.proxy).toMatchObject({ username: 'ana@team', password: { kind: 'set', password: 'p@ss word' } });
    for (const options of [
      ['--proxy', 'http://ana:secret@proxy.example:3128'],
      ['--proxy', 'http://ana@proxy.example:3128', '--proxy-password', 'secret'],
    ]) {
      const { code, said, asked } = await add(...options);
      expect([code, asked.filter(({ name }) => name === 'workspaces.add')]).toEqual([2, []]);
      expect(said[0]).toContain('not accepted as arguments');
      expect(said[0]).toContain('--proxy-password-file FILE or VITRINE_PROXY_PASSWORD');
      expect(said.join()).not.toContain('secret');
    }
  });

  test.each([
    ['an address without a port', ['--proxy', 'http://proxy.example']],
    ['an unknown kind', ['--proxy', 'ftp://proxy.example:21']],
    ['a port that is none', ['--proxy', 'http://proxy.example:70000']],
    ['a password without a user name', ['--proxy', 'http://p.example:1', '--proxy-password-file', '-']],
  ])('%s is wrong usage', async (_what, options) => {
    const { code, inputsOf } = await add(...options);
    expect([code, inputsOf('workspaces.add')]).toEqual([2, []]);
  });
});

describe('an edit', () => {
  const edit = (view: WorkspaceView, options: string[], input: string | null = null) =>
    run(['edit', 'Team', ...options], { view, input });

  test('keeps what no option names', async () => {
    expect((await edit(fronted, ['--allow-http'])).draft).toMatchObject({
      proxy: { kind: 'fixed', username: 'ana', password: { kind: 'keep' } },
      front: {
        basic: { username: 'ana', password: { kind: 'keep' } },
        clientCertificate: { kind: 'keep' },
      },
    });
  });

  test('removes a login and a certificate with an empty name', async () => {
    expect((await edit(fronted, ['--basic-user', '', '--client-certificate', ''])).draft?.front).toEqual({
      basic: null,
      clientCertificate: { kind: 'clear' },
    });
  });

  test('sets a login with the password of stdin', async () => {
    const { draft } = await edit(team, ['--basic-user', 'bob', '--basic-password-file', '-'], 'from stdin\n');
    expect(draft?.front?.basic).toEqual({ username: 'bob', password: { kind: 'set', password: 'from stdin' } });
  });

  test('a kept password stays with its user name and its proxy', async () => {
    expect((await edit(fronted, ['--basic-user', 'bob'])).draft?.front?.basic?.password).toEqual({ kind: 'clear' });
    const same = await edit(fronted, ['--proxy', 'http://ana@proxy.example:3128']);
    expect(same.draft?.proxy).toMatchObject({ password: { kind: 'keep' } });
    const other = await edit(fronted, ['--proxy', 'http://ana@other.example:3128']);
    expect(other.draft?.proxy).toMatchObject({ password: { kind: 'clear' } });
  });

  test('takes a certificate with its key, or a PKCS#12 file, and a passphrase', async () => {
    const passphrase = file('passphrase', 'of the key');
    const certificate = await edit(team, [
      '--client-certificate',
      file('c.pem', pem),
      '--client-key',
      file('c.key', 'KEY'),
      '--client-key-passphrase-file',
      passphrase,
    ]);
    expect(certificate.draft?.front?.clientCertificate).toEqual({
      kind: 'pem',
      certificate: pem,
      key: 'KEY',
      passphrase: 'of the key',
    });
    const pkcs12 = await edit(team, ['--client-pkcs12', file('c.p12', Buffer.from([0x30, 0x82, 0xff]))]);
    expect(pkcs12.draft?.front?.clientCertificate).toEqual({ kind: 'pkcs12', base64: 'MIL/', passphrase: null });
  });

  test('the host reads an authority that is DER', async () => {
    const { draft } = await edit(team, ['--authority', file('ca.der', Buffer.from([0x30, 0x82, 0xff]))]);
    expect(draft?.trust).toEqual({ kind: 'authority', pem: 'read:MIL/' });
    expect((await edit(team, ['--authority', file('ca.pem', pem)])).draft?.trust).toEqual({ kind: 'authority', pem });
  });

  test.each([
    ['two kinds of certificates', ['--client-certificate', 'a', '--client-pkcs12', 'b']],
    ['a key without a certificate', ['--client-key', 'a']],
    ['a password without a user name', ['--basic-password-file', '-']],
    ['two secrets of stdin', ['--proxy-password-file', '-', '--basic-password-file', '-']],
    ['a PKCS#12 file of more than 64 KiB', ['--client-pkcs12', 'large.p12']],
  ])('%s is wrong usage', async (_what, options) => {
    file('large.p12', new Uint8Array(64 * 1024 + 1));
    const paths = options.map((one) => (one === 'large.p12' ? join(folder, one) : one));
    const { code, inputsOf } = await edit(team, paths, 'secret');
    expect([code, inputsOf('workspaces.edit')]).toEqual([2, []]);
  });
});

test('the settings of a workspace are shown without a secret', async () => {
  const { lines } = await run(['show', 'Team'], { view: fronted });
  expect(lines).toEqual([
    'ID\tteam',
    'name\tTeam',
    'repository\thttps://repo.example/path',
    'rule editor\thttps://rules.example',
    'plain HTTP\tnot allowed',
    'TLS\tsystem',
    'proxy\thttp://proxy.example:3128, ana, password stored',
    'web server login\tana, password stored',
    'client certificate\tCN=Ana, 2026-01-01T00:00:00.000Z to 2027-01-01T00:00:00.000Z, ' +
      `SHA-256 ${fingerprint}, key stored`,
    'comments decoded twice\tno',
    'optional actions\tused',
    'timeouts\t1 s, 1 s, 1 s',
  ]);
  expect((await run(['show', '--json'])).json).toEqual([team]);
});

test('a given token is tested instead of the stored one, also in a Vitrine that is open', async () => {
  const path = file('token', 'given-token\n');
  const { code, inputsOf } = await run(['test', 'Team', '--rule-editor-token-file', path], { view: fronted });
  expect(code).toBe(0);
  expect(inputsOf('workspaces.test')).toMatchObject([
    {
      id: 'team',
      draft: {
        repository: { baseUrl: 'https://repo.example/path', token: { kind: 'keep' } },
        ruleEditor: { token: { kind: 'set', token: 'given-token' } },
        proxy: { address: 'http://proxy.example:3128', password: { kind: 'keep' } },
        front: { clientCertificate: { kind: 'keep' } },
      },
    },
  ]);
  const alone = { ...team, ruleEditor: null };
  expect((await run(['test', '--rule-editor-token-file', path], { view: alone })).code).toBe(2);
  expect((await run(['test', '--rule-editor-token-file', path], { view: { ...team, builtIn: true } })).code).toBe(2);
});
