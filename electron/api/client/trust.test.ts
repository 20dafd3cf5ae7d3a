import { Buffer } from 'node:buffer';
import { execFileSync } from 'node:child_process';
import { randomUUID, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Trust } from '../../../shared/domain/workspace.ts';
import { type Certificates, type KeyPair, makeCertificates } from '../../base/certificates.fixture.ts';
import { failureOf } from '../failure-of.fixture.ts';
import { createRepositoryApi, type RepositoryApi } from '../repository-api.ts';
import { connectionTo, httpReply, onceOnly, type ScriptedServer, startScripted } from '../scripted-server.fixture.ts';
import { authorityPem, readAuthority, systemAuthorities } from './trust.ts';

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

describe('the certificate of a server given as an authority', () => {
  it('is named as none when another one issued it', async () => {
    const { api, service } = await serve(made.good, { kind: 'authority', pem: made.good.cert });
    expect(await failureOf(() => api.getFile(md5))).toMatchObject({
      kind: 'not-trusted',
      reason: 'not-authority',
      fingerprint: made.good.fingerprint,
    });
    expect(service.heads).toEqual([]);
  });

  it('vouches for itself when it issued itself', async () => {
    const { api } = await serve(made.selfSignedLeaf, { kind: 'authority', pem: made.selfSignedLeaf.cert });
    expect(await api.getFile(md5)).toMatchObject({ md5 });
  });

  it('is not blamed when an authority is there too, or when another part of the certificate is wrong', async () => {
    const pem = `${made.selfSigned.cert}${made.wrongName.cert}`;
    const both = await serve(made.good, { kind: 'authority', pem });
    expect(await failureOf(() => both.api.getFile(md5))).toMatchObject({ reason: 'authority' });
    await both.service.close();
    const { api } = await serve(made.wrongName, authority());
    expect(await failureOf(() => api.getFile(md5))).toMatchObject({ reason: 'name' });
  });
});

describe('the file that NODE_EXTRA_CA_CERTS names', () => {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-extra-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  afterEach(() => void vi.unstubAllEnvs());
  const name = (text: string): void => {
    const path = join(folder, `${randomUUID()}.pem`);
    writeFileSync(path, text);
    vi.stubEnv('NODE_EXTRA_CA_CERTS', path);
  };

  it.each<[string, () => Trust]>([
    ['those of the system', () => ({ kind: 'system' })],
    ['an authority of the workspace', () => ({ kind: 'authority', pem: made.selfSigned.cert })],
  ])('adds its certificates to %s', async (_, trust) => {
    name(`# ours\n${made.authority.cert}`);
    const { api } = await serve(made.good, trust());
    expect(await api.getFile(md5)).toMatchObject({ md5 });
  });

  it.each([
    ['without a certificate', 'hello'],
    ['with a broken one', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----'],
  ])('%s leaves the others as they are', async (_, text) => {
    name(text);
    const { api, service } = await serve(made.good, authority());
    expect(await api.getFile(md5)).toMatchObject({ md5 });
    await service.close();
    const other = await serve(made.good, { kind: 'system' });
    expect(await failureOf(() => other.api.getFile(md5))).toMatchObject({ reason: 'authority' });
  });

  it('that does not exist leaves the others as they are', async () => {
    vi.stubEnv('NODE_EXTRA_CA_CERTS', join(folder, 'nothing.pem'));
    const { api } = await serve(made.good, authority());
    expect(await api.getFile(md5)).toMatchObject({ md5 });
  });
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

describe('the file of an authority', () => {
  const pem = (certificate: KeyPair): string => new X509Certificate(certificate.cert).toString().trim();
  const der = (): Buffer => new X509Certificate(made.authority.cert).raw;
  const pkcs7 = (form: string): Buffer => {
    const folder = mkdtempSync(join(tmpdir(), 'vitrine-pkcs7-'));
    try {
      writeFileSync(join(folder, 'ca.pem'), made.authority.cert);
      return execFileSync('openssl', ['crl2pkcs7', '-nocrl', '-certfile', 'ca.pem', '-outform', form], { cwd: folder });
    } finally {
      rmSync(folder, { recursive: true });
    }
  };

  it('is read as PEM with text around it', () => {
    const file = Buffer.from(`subject=ours\r\n${made.authority.cert}\n# and\n${made.selfSigned.cert}`);
    expect(readAuthority(authorityPem(file)).map((block) => block.trim())).toEqual([
      pem(made.authority),
      pem(made.selfSigned),
    ]);
  });

  it('is read as DER', () => {
    expect(authorityPem(der()).trim()).toBe(pem(made.authority));
    expect(readAuthority(authorityPem(Uint8Array.from(der())))).toHaveLength(1);
  });

  it.each<[string, () => Uint8Array, string]>([
    ['PKCS#7 as PEM', () => pkcs7('PEM'), 'PKCS7'],
    ['PKCS#7 as DER', () => pkcs7('DER'), 'PKCS7'],
    ['text', () => Buffer.from('hello'), 'NO_CERTIFICATE'],
    ['empty', () => new Uint8Array(), 'NO_CERTIFICATE'],
    ['DER that was cut', () => der().subarray(0, 200), 'ERR_OSSL_'],
    ['DER of another kind', () => Buffer.from('3082000401020304', 'hex'), 'ERR_OSSL_'],
  ])('is refused when it is %s', async (_, bytes, code) => {
    expect(await failureOf(() => authorityPem(bytes()))).toMatchObject({
      kind: 'trust-file-unreadable',
      code: expect.stringContaining(code),
    });
  });
});
