import '../../test/page-surroundings.ts';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { WorkspaceDraft, WorkspaceView } from '../../../shared/domain/workspace.ts';
import { fail } from '../../../shared/failure.ts';
import { open } from '../../test/open-page.fixture.tsx';
import { putIn } from '../../test/put-in.ts';
import { lab } from '../../test/quiet-host.ts';
import {
  addsHost,
  joinedNetwork,
  movesProxy,
  networkDraft,
  networkFields,
  withoutSecrets,
} from './workspace-network.ts';

const plain: WorkspaceView = {
  ...lab,
  id: 'w-1',
  name: 'Team',
  builtIn: false,
  repository: { baseUrl: 'https://team.example', hasToken: true },
};
const team: WorkspaceView = {
  ...plain,
  proxy: { kind: 'fixed', address: 'http://proxy.example:3128', username: 'ana', hasPassword: true },
  front: {
    basic: { username: 'ana', hasPassword: true },
    clientCertificate: {
      kind: 'pem',
      subject: 'CN=Ana, O=Team',
      validFrom: '2026-01-01T00:00:00.000Z',
      validTo: '2027-01-01T00:00:00.000Z',
      fingerprint: 'ab'.repeat(32),
      hasKey: true,
    },
  },
};
const pem = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n';
const key = '-----BEGIN PRIVATE KEY-----\nMIGH\n-----END PRIVATE KEY-----\n';

async function openForm(view: WorkspaceView, answers: Parameters<typeof open>[0] = {}) {
  const page = await open({
    'workspaces.list': () => ({ workspaces: [lab, view], current: 'lab', damaged: [] }),
    'workspaces.edit': () => view,
    ...answers,
  });
  await page.user.click(screen.getByRole('button', { name: 'Settings' }));
  await page.user.click(await screen.findByRole('button', { name: 'Workspaces' }));
  await page.user.click(await screen.findByRole('button', { name: 'Edit' }));
  const drafts = (): WorkspaceDraft[] =>
    page.bridge.inputsOf('workspaces.edit').map((input) => (input as { draft: WorkspaceDraft }).draft);
  const save = () => page.user.click(screen.getByRole('button', { name: 'Save' }));
  return { ...page, drafts, save };
}

const field = (name: string) => screen.getByLabelText(name, { selector: 'input, textarea' });
const chosen = (content: string | Uint8Array<ArrayBuffer>, name: string) => new File([content], name);

async function choose(user: Awaited<ReturnType<typeof openForm>>['user'], label: string, file: File): Promise<void> {
  const button = screen.getByRole('button', { name: `Choose file: ${label}` });
  const input = button.parentElement?.querySelector('input[type=file]');
  await user.upload(input instanceof HTMLInputElement ? input : expect.fail('no file input'), file);
}

test('the network settings are folded until one is set, and a wrong one is reported beside its field', async () => {
  const { user, drafts, save } = await openForm(plain);
  expect(screen.queryByRole('radio', { name: 'This proxy' })).toBeNull();
  await user.click(screen.getByText('Network'));
  await user.click(await screen.findByRole('radio', { name: 'This proxy' }));
  await putIn(user, field('Proxy address'), 'http://ana@proxy.example:3128');
  await user.click(screen.getByRole('checkbox', { name: /^A web server in front/ }));
  await user.click(screen.getByRole('checkbox', { name: /^The server asks for a client certificate/ }));
  await save();
  for (const problem of [
    'Enter the user name and password in their own fields',
    'Enter the user name',
    'Enter the password',
    'Paste the certificate as PEM text, starting with BEGIN CERTIFICATE',
    'Paste the private key as PEM text, starting with BEGIN PRIVATE KEY',
  ])
    expect(screen.getByText(problem)).toBeDefined();
  expect(document.activeElement).toBe(field('Proxy address'));
  expect(drafts()).toEqual([]);
});

test('a proxy and a login are saved with their passwords', async () => {
  const { user, drafts, save } = await openForm(plain);
  await user.click(screen.getByText('Network'));
  await user.click(await screen.findByRole('radio', { name: 'This proxy' }));
  await putIn(user, field('Proxy address'), 'SOCKS5://Proxy.example:1080/');
  await putIn(user, field('Proxy user name'), 'ana');
  await putIn(user, field('Proxy password'), ' with spaces ');
  await user.click(screen.getByRole('checkbox', { name: /^A web server in front/ }));
  await putIn(user, field('Web server user name'), 'bob');
  await putIn(user, field('Web server password'), 'basic');
  await save();
  await waitFor(() =>
    expect(drafts()).toMatchObject([
      {
        proxy: {
          kind: 'fixed',
          address: 'socks5://proxy.example:1080',
          username: 'ana',
          password: { kind: 'set', password: ' with spaces ' },
        },
        front: {
          basic: { username: 'bob', password: { kind: 'set', password: 'basic' } },
          clientCertificate: { kind: 'clear' },
        },
      },
    ]),
  );
});

test('a key that comes with its certificate goes to its own field', async () => {
  const { user, drafts, save } = await openForm(plain);
  await user.click(screen.getByText('Network'));
  await user.click(await screen.findByRole('checkbox', { name: /^The server asks for a client certificate/ }));
  await choose(user, 'Client certificate (PEM)', chosen(key + pem, 'ana.pem'));
  await waitFor(() => expect(field('Client certificate (PEM)')).toHaveProperty('value', pem));
  expect(field('Private key (PEM)')).toHaveProperty('value', key);
  await save();
  await waitFor(() =>
    expect(drafts()[0]?.front.clientCertificate).toEqual({ kind: 'pem', certificate: pem, key, passphrase: null }),
  );
});

test('a PKCS#12 file is sent with its passphrase, and one that is too large is not', async () => {
  const { user, drafts, save } = await openForm(plain);
  await user.click(screen.getByText('Network'));
  await user.click(await screen.findByRole('checkbox', { name: /^The server asks for a client certificate/ }));
  await user.click(screen.getByRole('radio', { name: /^PKCS#12 file/ }));
  await choose(user, 'PKCS#12 file', chosen(new Uint8Array(64 * 1024 + 1), 'large.p12'));
  expect(await screen.findByText('The file has more than 64 KiB')).toBeDefined();
  await choose(user, 'PKCS#12 file', chosen(new Uint8Array([0x30, 0x82, 0xff]), 'ana.p12'));
  await waitFor(() => expect(field('PKCS#12 file')).toHaveProperty('value', 'ana.p12'));
  await putIn(user, field('Key passphrase'), 'of the key');
  await save();
  await waitFor(() =>
    expect(drafts()[0]?.front.clientCertificate).toEqual({
      kind: 'pkcs12',
      base64: 'MIL/',
      passphrase: 'of the key',
    }),
  );
});

test('a CA is chosen as a DER file, and one that is none is reported beside the field', async () => {
  let answer = () => ({ pem });
  const { user, bridge } = await openForm(plain, { 'workspaces.readAuthority': () => answer() });
  await user.click(screen.getByRole('radio', { name: 'Plus a custom CA' }));
  await choose(user, 'CA certificate', chosen(new Uint8Array([0x30, 0x82, 0xff]), 'ca.der'));
  await waitFor(() => expect(field('CA certificate')).toHaveProperty('value', pem));
  expect(bridge.inputsOf('workspaces.readAuthority')).toEqual([{ base64: 'MIL/' }]);
  answer = () => fail({ kind: 'trust-file-unreadable', path: '', code: 'X' });
  await choose(user, 'CA certificate', chosen('text', 'ca.txt'));
  expect(await screen.findByText(/^Cannot read the certificate authority file/)).toBeDefined();
});

test('stored secrets show only that they are there, and stay unless they are replaced', async () => {
  const { user, drafts, save } = await openForm(team);
  const certificate = within(screen.getByRole('group', { name: 'Client certificate' }));
  for (const shown of ['CN=Ana, O=Team', '2026-01-01 to 2027-01-01', 'ab'.repeat(32)])
    expect(certificate.getByText(shown)).toBeDefined();
  await save();
  await waitFor(() =>
    expect(drafts()).toMatchObject([
      {
        proxy: { username: 'ana', password: { kind: 'keep' } },
        front: { basic: { password: { kind: 'keep' } }, clientCertificate: { kind: 'keep' } },
      },
    ]),
  );
  await user.click(await screen.findByRole('button', { name: 'Edit' }));
  await user.click(screen.getByRole('checkbox', { name: /^The server asks for a client certificate/ }));
  await user.click(
    within(screen.getByRole('group', { name: 'Proxy password' })).getByRole('button', { name: 'Remove' }),
  );
  await save();
  await waitFor(() =>
    expect(drafts()[1]).toMatchObject({
      proxy: { password: { kind: 'clear' } },
      front: { clientCertificate: { kind: 'clear' } },
    }),
  );
});

test('a stored secret is announced as not sent where the host or the proxy changes', async () => {
  const { user } = await openForm(team);
  await putIn(user, within(screen.getByRole('group', { name: 'Repository' })).getByLabelText('Address'), '.other');
  await putIn(user, field('Proxy address'), '0');
  for (const notice of [
    /^The host changed, so the stored password is not sent/,
    /^The host changed, so the stored certificate is not sent/,
    /^The proxy changed, so the stored password is not sent/,
  ])
    expect(screen.getByText(notice)).toBeDefined();
});

test('a change elsewhere is taken over, except where it was changed here', () => {
  const [before, now] = [networkFields(plain), networkFields(team)];
  expect(joinedNetwork({ own: before, before, now })).toEqual(now);
  const own = { ...before, proxy: { ...before.proxy, kind: 'none' as const } };
  const joined = joinedNetwork({ own, before, now });
  expect([joined.proxy.kind, joined.basic, joined.certificate]).toEqual(['none', now.basic, now.certificate]);
});

test('what is kept of a form that is left holds no secret', () => {
  const typed = { stored: false, intent: 'set' as const, typed: 'secret' };
  const fields = networkFields(null);
  const left = withoutSecrets({
    proxy: { ...fields.proxy, password: typed },
    basic: { ...fields.basic, password: typed },
    certificate: {
      ...fields.certificate,
      certificate: 'secret',
      key: 'secret',
      passphrase: 'secret',
      file: { name: 'a', base64: 'secret' },
    },
  });
  expect(JSON.stringify(left)).not.toContain('secret');
});

test('a proxy without a user name has no password, and none moves that is not stored', () => {
  const fields = networkFields(team);
  const nameless = { ...fields, proxy: { ...fields.proxy, username: ' ' } };
  expect(networkDraft(nameless).proxy).toMatchObject({ username: null, password: { kind: 'clear' } });
  expect(movesProxy(team.proxy, fields.proxy)).toBe(false);
  expect(movesProxy(plain.proxy, fields.proxy)).toBe(false);
  expect(addsHost(team, ['https://team.example/path', ''])).toBe(false);
  expect(addsHost(team, ['https://team.example', 'https://rules.example'])).toBe(true);
});
