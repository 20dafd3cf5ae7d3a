import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Trust } from '../../../shared/domain/workspace.ts';
import { type Certificates, type KeyPair, makeCertificates } from '../certificates.fixture.ts';
import { failureOf } from '../failure-of.fixture.ts';
import { createRepositoryApi, type RepositoryApi } from '../repository-api.ts';
import { connectionTo, httpReply, onceOnly, type ScriptedServer, startScripted } from '../scripted-server.fixture.ts';
import { readAuthority, systemAuthorities } from './trust.ts';

const md5 = 'a'.repeat(32);
let made: Certificates;
let server: ScriptedServer | undefined;

beforeAll(() => void (made = makeCertificates()));
afterEach(async () => {
  await server?.close();
  server = undefined;
});

async function serve(pair: KeyPair, trust: Trust): Promise<{ api: RepositoryApi; service: ScriptedServer }> {
  const service = await startScripted((socket) => socket.end(httpReply(200, JSON.stringify({ file: { md5 } }))), pair);
  server = service;
  return { api: createRepositoryApi(connectionTo(service.origin, { trust }), onceOnly), service };
}
const authority = (): Trust => ({ kind: 'authority', pem: made.authority.cert });

describe('a trusted server', () => {
  it('has a certificate from the workspace’s own authority', async () => {
    const { api } = await serve(made.good, authority());
    expect(await api.getFile(md5)).toMatchObject({ md5 });
  });

  it('has a certificate from one of several authorities in the text', async () => {
    const { api } = await serve(made.good, {
      kind: 'authority',
      pem: `# ours\n${made.selfSigned.cert}\n${made.authority.cert}`,
    });
    expect(await api.getFile(md5)).toMatchObject({ md5 });
  });

  it.each<keyof Certificates>(['good', 'selfSigned', 'expired', 'wrongName'])(
    'has the pinned certificate (%s), whatever else is wrong with it',
    async (name) => {
      const { api } = await serve(made[name], { kind: 'pin', fingerprint: made[name].fingerprint });
      expect(await api.getFile(md5)).toMatchObject({ md5 });
    },
  );
});

describe('a server refused before any byte of the request', () => {
  it.each<[string, keyof Certificates, () => Trust, string]>([
    ['when nobody known vouches for it', 'good', () => ({ kind: 'system' }), 'authority'],
    ['when it vouches for itself', 'selfSigned', () => ({ kind: 'system' }), 'authority'],
    ['when another authority does', 'selfSigned', authority, 'authority'],
    ['when it is made out to another name', 'wrongName', authority, 'name'],
    ['when it is out of date', 'expired', authority, 'expired'],
    [
      'when it is not the pinned one, though an authority vouches for it',
      'good',
      () => ({ kind: 'pin', fingerprint: made.selfSigned.fingerprint }),
      'pin',
    ],
  ])('%s', async (_, name, trust, reason) => {
    const { api, service } = await serve(made[name], trust());
    const failure = await failureOf(() => api.getFile(md5));
    expect(failure).toMatchObject({
      kind: 'not-trusted',
      service: 'repository',
      address: `${service.origin}/api.php`,
      reason,
      fingerprint: made[name].fingerprint,
    });
    await service.allClosed();
    expect(service.heads).toEqual([]);
  });

  it('when it does not use TLS', async () => {
    const plain = createServer((socket) =>
      socket
        .on('error', () => {})
        .resume()
        .end(httpReply(400, 'plain http')),
    ).listen(0, '127.0.0.1');
    await once(plain, 'listening');
    const { port } = plain.address() as AddressInfo;
    const api = createRepositoryApi(connectionTo(`https://127.0.0.1:${port}`), onceOnly);
    expect(await failureOf(() => api.getFile(md5))).toMatchObject({
      kind: 'unreachable',
      reason: 'protocol',
      code: expect.stringContaining('ERR_SSL'),
    });
    plain.close();
    await once(plain, 'close');
  });
});

it('system certificates that Node cannot read are ignored, and all other authorities still count', () => {
  const unreadable = (): never => {
    throw new Error('X509 to PEM conversion');
  };
  expect([systemAuthorities(() => ['one']), systemAuthorities(unreadable)]).toEqual([['one'], []]);
});

describe('a PEM authority', () => {
  it('is read as a list of its certificates', () => {
    expect(readAuthority('')).toEqual([]);
    expect(readAuthority(`x\n${made.authority.cert}${made.good.cert}`)).toHaveLength(2);
  });

  it.each([
    ['text that is none', 'hello', 'NO_CERTIFICATE'],
    ['a key', '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----', 'NO_CERTIFICATE'],
    ['a certificate of garbage', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----', 'ERR_OSSL_'],
  ])('is refused before anything is sent when it is %s', async (_, pem, code) => {
    const failure = await failureOf(() => readAuthority(pem));
    expect(failure).toMatchObject({ kind: 'trust-file-unreadable', code: expect.stringContaining(code) });
    const { api, service } = await serve(made.good, { kind: 'authority', pem });
    expect(await failureOf(() => api.getFile(md5))).toEqual(failure);
    expect(service.heads).toEqual([]);
  });
});
