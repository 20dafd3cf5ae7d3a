import { expect, test } from 'vitest';
import { defaultFront, defaultProxy, defaultTimeouts } from '../../shared/domain/workspace.ts';
import { makeCertificates } from '../base/certificates.fixture.ts';
import { readClientCertificate } from './client-certificate.ts';
import { createConnect, type WorkspaceAddresses } from './connections.ts';

const address = 'https://repo.example';
const plain: WorkspaceAddresses = {
  repository: { baseUrl: address },
  ruleEditor: null,
  trust: { kind: 'system' },
  timeouts: defaultTimeouts,
  proxy: defaultProxy,
  front: defaultFront,
};

async function connected(workspace: Partial<WorkspaceAddresses>, secrets: Record<string, string> = {}) {
  const read: string[] = [];
  const hidden: string[] = [];
  const connect = createConnect({
    workspace: () => ({ ...plain, ...workspace }),
    token: async (name) => {
      read.push(name);
      return secrets[name] ?? null;
    },
    lab: async () => ({ repositoryUrl: 'http://127.0.0.1:1', ruleEditorUrl: 'http://127.0.0.1:2', token: 'lab' }),
    labTimeouts: defaultTimeouts,
    proxyFor: async () => 'http://system.example:1',
    keepOutOfLogs: (secret) => void hidden.push(secret),
    noteAction: () => {},
  });
  return { connection: await connect('w-1', 'repository'), lab: await connect('lab', 'repository'), read, hidden };
}

test('an automatic proxy is that of the environment or system, and no secret but the token is read', async () => {
  const { connection, read } = await connected({});
  expect(await connection.proxyFor(address)).toBe('http://system.example:1');
  expect(connection).toMatchObject({ basic: null, clientCertificate: null });
  expect(read).toEqual(['workspace/w-1/repository']);
});

test('a workspace without a proxy uses none', async () => {
  const { connection } = await connected({ proxy: { kind: 'none' } });
  expect(await connection.proxyFor(address)).toBeNull();
});

test('a proxy of the workspace is used with its encoded login, which is kept out of the log', async () => {
  const proxy = { kind: 'fixed', address: 'socks5://[::1]:1080', username: 'ana/team' } as const;
  const { connection, hidden } = await connected({ proxy }, { 'workspace/w-1/proxy': 'p@ss:$& word' });
  expect(await connection.proxyFor(address)).toBe('socks5://ana%2Fteam:p%40ss%3A%24%26%20word@[::1]:1080');
  expect(hidden).toContain('p@ss:$& word');
});

test('a proxy without a user name is used without a login', async () => {
  const { connection, read } = await connected({
    proxy: { kind: 'fixed', address: 'http://proxy.example:3128', username: null },
  });
  expect(await connection.proxyFor(address)).toBe('http://proxy.example:3128');
  expect(read).toEqual(['workspace/w-1/repository']);
});

test('the login and the certificate for a web server in front come from the token store', async () => {
  const { good } = makeCertificates();
  const read = readClientCertificate({ kind: 'pem', certificate: good.cert, key: good.key, passphrase: null });
  const { connection, lab, hidden } = await connected(
    { front: { basic: { username: 'ana' }, clientCertificate: read.facts } },
    { 'workspace/w-1/basic': 'basic password', 'workspace/w-1/client-key': read.secret },
  );
  expect(connection.basic).toEqual({ username: 'ana', password: 'basic password' });
  expect(connection.clientCertificate).toEqual({
    kind: 'pem',
    certificate: good.cert,
    key: good.key,
    passphrase: null,
  });
  expect(hidden).toEqual(expect.arrayContaining(['basic password', good.key.split('\n')[1]]));
  expect(lab).toMatchObject({ basic: null, clientCertificate: null });
});

test('a certificate whose key is not stored is not sent', async () => {
  const clientCertificate = { kind: 'pkcs12', subject: '', validFrom: '', validTo: '', fingerprint: '' } as const;
  const { connection } = await connected({ front: { basic: null, clientCertificate } });
  expect(connection.clientCertificate).toBeNull();
});
