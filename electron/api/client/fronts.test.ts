import { execFileSync, spawn } from 'node:child_process';
import { Buffer } from 'node:buffer';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createSecureServer, createServer as createHttp2Server } from 'node:http2';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Certificates, makeCertificates } from '../../base/certificates.fixture.ts';
import type { ClientCertificate, Connection } from '../connections.ts';
import { errorOf, failureOf } from '../failure-of.fixture.ts';
import { createRepositoryApi, type RepositoryApi } from '../repository-api.ts';
import { createRuleEditorApi } from '../rule-editor-api.ts';
import {
  connectionTo,
  everythingOf,
  httpReply,
  onceOnly,
  type Script,
  type ScriptedServer,
  startScripted,
} from '../scripted-server.fixture.ts';
import { checkClientCertificate } from './trust.ts';

const md5 = 'a'.repeat(32);
const record = httpReply(200, JSON.stringify({ file: { md5 } }));
const password = 'correct horse';
const basic = { username: 'mé', password: 'hunter2:hunter2' };
const authorization = `Basic ${Buffer.from(`${basic.username}:${basic.password}`).toString('base64')}`;
let made: Certificates;
let folder: string;
const started: (() => Promise<unknown>)[] = [];

beforeAll(() => {
  made = makeCertificates();
  folder = mkdtempSync(join(tmpdir(), 'vitrine-fronts-'));
  for (const name of ['authority', 'good', 'client', 'selfSigned'] as const) {
    writeFileSync(join(folder, `${name}.pem`), made[name].cert);
    writeFileSync(join(folder, `${name}.key`), made[name].key);
  }
});
afterAll(() => rmSync(folder, { recursive: true }));
afterEach(async () => void (await Promise.all(started.splice(0).map((stop) => stop()))));

/** The output of the openssl command over the certificates. */
const openssl = (...words: string[]): Buffer => execFileSync('openssl', words, { cwd: folder, stdio: 'pipe' });

async function start(script: Script, tls?: TlsOptions & { key: string; cert: string }): Promise<ScriptedServer> {
  const server = await startScripted(script, tls);
  started.push(() => server.close());
  return server;
}
async function listening(server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => sockets.add(socket.on('error', () => {})));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  started.push(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, 'close');
  });
  return (server.address() as AddressInfo).port;
}
const to = (origin: string, changes: Partial<Connection> = {}): RepositoryApi =>
  createRepositoryApi(
    connectionTo(origin, { trust: { kind: 'authority', pem: made.authority.cert }, ...changes }),
    onceOnly,
  );
const clientPem = (pair: keyof Certificates = 'client'): ClientCertificate => ({
  kind: 'pem',
  certificate: made[pair].cert,
  key: made[pair].key,
  passphrase: null,
});

describe('a web server that requires a login', () => {
  const guarding: Script = (socket, head) =>
    socket.end(
      head.includes(`\r\nAuthorization: ${authorization}\r\n`)
        ? record
        : httpReply(401, '<html>Authorization Required', { 'WWW-Authenticate': 'Basic realm="files"' }),
    );

  it('gets it with the token of the service', async () => {
    const service = await start(guarding);
    expect(await to(service.origin, { basic }).getFile(md5)).toMatchObject({ md5 });
    expect(service.heads[0]).toContain('&token=');
  });

  it.each<[string, Partial<Connection>, boolean]>([
    ['without one', {}, false],
    ['with a wrong one', { basic: { ...basic, password: 'hunter3' } }, true],
  ])('is named %s', async (_, changes, sent) => {
    const service = await start(guarding);
    const error = await errorOf(() => to(service.origin, changes).getFile(md5));
    expect(error).toMatchObject({
      failure: {
        kind: 'front-login',
        service: 'repository',
        address: `${service.origin}/api.php`,
        scheme: 'basic',
        sent,
      },
    });
    expect(everythingOf(error)).not.toContain('hunter');
    expect(service.heads).toHaveLength(1);
  });

  it('that repeats it has it removed from the failure', async () => {
    const service = await start((socket, head) => socket.end(httpReply(400, `${head.slice(-160)} ${basic.password}`)));
    const shown = everythingOf(await errorOf(() => to(service.origin, { basic }).getFile(md5)));
    expect(shown).toContain('request-refused');
    for (const form of [basic.password, authorization.slice(6)]) expect(shown).not.toContain(form);
  });

  it('is the only one that gets it: a redirect leads elsewhere without', async () => {
    const target = await start((socket) => socket.end(httpReply(200, 'PK\x03\x04 of a package')));
    const service = await start((socket) => socket.end(httpReply(302, '', { Location: `${target.origin}/x` })));
    await drained(service.origin, { basic });
    expect(service.heads[0]).toContain('\r\nAuthorization: Basic ');
    expect(target.heads[0]).not.toMatch(/authorization/i);
  });

  it('gets it again where a redirect leads to its own address', async () => {
    const service = await start((socket, _, number) =>
      socket.end(number === 1 ? httpReply(302, '', { Location: '/x' }) : httpReply(200, 'PK\x03\x04 of a package')),
    );
    await drained(service.origin, { basic });
    expect(service.heads.map((head) => head.includes(`Authorization: ${authorization}`))).toEqual([true, true]);
  });
});

async function drained(origin: string, changes: Partial<Connection>): Promise<void> {
  const trust = { kind: 'authority', pem: made.authority.cert } as const;
  const connection = connectionTo(origin, { service: 'rule-editor', trust, ...changes });
  const reply = await createRuleEditorApi(connection, onceOnly).downloadPublication('12', {
    publicLink: true,
    encrypted: false,
  });
  for await (const chunk of reply.chunks) expect(chunk.length).toBeGreaterThan(0);
}

describe('a server that requires a client certificate', () => {
  const requiring = (version: 'TLSv1.2' | 'TLSv1.3') => ({
    ...made.good,
    ca: [made.authority.cert],
    requestCert: true,
    rejectUnauthorized: true,
    minVersion: version,
    maxVersion: version,
  });
  const versions = ['TLSv1.2', 'TLSv1.3'] as const;

  it.each(versions)('is reached with one in PEM (%s)', async (version) => {
    const service = await start((socket) => socket.end(record), requiring(version));
    expect(await to(service.origin, { clientCertificate: clientPem() }).getFile(md5)).toMatchObject({ md5 });
  });

  it.each([
    ['AES', []],
    ['PKCS#8', ['-v2', 'aes256']],
  ])('is reached with a key under a passphrase (%s)', async (name, words) => {
    const command = name === 'AES' ? ['ec', '-aes256'] : ['pkcs8', '-topk8', ...words];
    const key = openssl(...command, '-in', 'client.key', '-passout', `pass:${password}`).toString();
    const service = await start((socket) => socket.end(record), requiring('TLSv1.3'));
    const clientCertificate = { kind: 'pem', certificate: made.client.cert, key, passphrase: password } as const;
    expect(await to(service.origin, { clientCertificate }).getFile(md5)).toMatchObject({ md5 });
  });

  it('is reached with a PKCS#12 file', async () => {
    const service = await start((socket) => socket.end(record), requiring('TLSv1.3'));
    const clientCertificate = { kind: 'pkcs12', bytes: pkcs12(), passphrase: password } as const;
    expect(await to(service.origin, { clientCertificate }).getFile(md5)).toMatchObject({ md5 });
  });

  it.each(versions)('is named when it gets none (%s)', async (version) => {
    const service = await start((socket) => socket.end(record), requiring(version));
    expect(await failureOf(() => to(service.origin).getFile(md5))).toMatchObject({
      kind: 'client-certificate',
      address: `${service.origin}/api.php`,
      sent: false,
    });
    expect(service.heads).toEqual([]);
  });

  it.each(['-tls1_2', '-tls1_3'])('is named when it refuses the one it gets (%s)', async (version) => {
    const port = await opensslServer(version, '-CAfile', 'authority.pem');
    const api = to(`https://127.0.0.1:${port}`, { clientCertificate: clientPem('selfSigned') });
    expect(await failureOf(() => api.getFile(md5))).toMatchObject({ kind: 'client-certificate', sent: true });
  });

  it('is not what a handshake without a common cipher is about', async () => {
    const port = await listening(
      createTlsServer({ ...made.good, maxVersion: 'TLSv1.2', ciphers: 'ECDHE-RSA-AES128-GCM-SHA256' }),
    );
    const api = to(`https://127.0.0.1:${port}`, { clientCertificate: clientPem() });
    expect(await failureOf(() => api.getFile(md5))).toMatchObject({ kind: 'unreachable', reason: 'protocol' });
  });

  it('is the only one that gets it: a redirect leads elsewhere without', async () => {
    let seen: unknown;
    const target = createTlsServer({ ...made.good, requestCert: true, rejectUnauthorized: false }, (socket) => {
      seen = socket.getPeerCertificate().subject;
      socket.once('data', () => socket.end(httpReply(200, 'PK\x03\x04 of a package')));
    });
    const port = await listening(target);
    const service = await start(
      (socket) => socket.end(httpReply(302, '', { Location: `https://127.0.0.1:${port}/x` })),
      requiring('TLSv1.3'),
    );
    await drained(service.origin, { clientCertificate: clientPem() });
    expect(seen).toBeUndefined();
  });

  /** A server of OpenSSL itself: Node’s closes the connection without an alert. */
  async function opensslServer(...words: string[]): Promise<string> {
    const server = spawn(
      'openssl',
      [
        's_server',
        '-accept',
        '127.0.0.1:0',
        '-cert',
        'good.pem',
        '-key',
        'good.key',
        '-Verify',
        '1',
        '-verify_return_error',
        ...words,
      ],
      { cwd: folder, stdio: ['pipe', 'pipe', 'ignore'] },
    );
    started.push(async () => {
      server.kill();
      await once(server, 'exit');
    });
    let text = '';
    for await (const chunk of server.stdout) {
      text += String(chunk);
      const port = /ACCEPT 127\.0\.0\.1:(\d+)/.exec(text)?.[1];
      if (port !== undefined) return port;
    }
    throw new Error(`openssl did not listen: ${text}`);
  }
});

function pkcs12(...words: string[]): Buffer {
  openssl(
    'pkcs12',
    '-export',
    '-in',
    'client.pem',
    '-inkey',
    'client.key',
    '-passout',
    `pass:${password}`,
    '-out',
    'client.p12',
    ...words,
  );
  return readFileSync(join(folder, 'client.p12'));
}

describe('a client certificate that cannot be used', () => {
  const encrypted = (): string =>
    openssl('ec', '-aes256', '-in', 'client.key', '-passout', `pass:${password}`).toString();
  it.each<[string, () => ClientCertificate, string]>([
    ['whose passphrase is wrong', () => ({ ...pem(), key: encrypted(), passphrase: 'other' }), 'passphrase'],
    ['whose passphrase is missing', () => ({ ...pem(), key: encrypted(), passphrase: null }), 'passphrase'],
    ['whose key is another one’s', () => ({ ...pem(), key: made.good.key }), 'key'],
    ['without a key', () => ({ ...pem(), key: '' }), 'format'],
    ['whose key is text', () => ({ ...pem(), key: 'hello' }), 'format'],
    ['whose certificate is text', () => ({ ...pem(), certificate: 'hello' }), 'format'],
    [
      'in PKCS#12 with a wrong passphrase',
      () => ({ kind: 'pkcs12', bytes: pkcs12(), passphrase: 'other' }),
      'passphrase',
    ],
    ['in PKCS#12 without a passphrase', () => ({ kind: 'pkcs12', bytes: pkcs12(), passphrase: null }), 'passphrase'],
    [
      'in PKCS#12 that was cut',
      () => ({ kind: 'pkcs12', bytes: pkcs12().subarray(0, 300), passphrase: password }),
      'format',
    ],
    ['in no PKCS#12', () => ({ kind: 'pkcs12', bytes: Buffer.from('hello'), passphrase: password }), 'format'],
    [
      'in PKCS#12 with an encryption of the nineties',
      () => ({ kind: 'pkcs12', bytes: pkcs12('-legacy'), passphrase: password }),
      'encryption',
    ],
  ])('%s is named before anything is sent', async (_, certificate, reason) => {
    const clientCertificate = certificate();
    const service = await start((socket) => socket.end(record), made.good);
    const error = await errorOf(() => to(service.origin, { clientCertificate }).getFile(md5));
    expect(error).toMatchObject({ failure: { kind: 'client-certificate-unreadable', reason } });
    expect(service.connections()).toBe(0);
    expect(everythingOf(error)).not.toMatch(/PRIVATE KEY|correct horse/);
    expect(await failureOf(() => checkClientCertificate(clientCertificate))).toMatchObject({ reason });
  });

  const pem = (): Extract<ClientCertificate, { kind: 'pem' }> => ({
    kind: 'pem',
    certificate: made.client.cert,
    key: made.client.key,
    passphrase: null,
  });
});

describe('a server that speaks only HTTP/2', () => {
  it.each<[string, () => Server, string]>([
    ['and ends the handshake', () => createSecureServer({ ...made.good, allowHTTP1: false }), 'https'],
    ['and begins without agreeing on it', () => createTlsServer(made.good, sendSettings), 'https'],
    ['over plain http', () => createHttp2Server(), 'http'],
    ['and leaves at once', () => createServer(sendGoaway), 'http'],
  ])('is named when it does so %s', async (_, make, scheme) => {
    const port = await listening(make());
    expect(await failureOf(() => to(`${scheme}://127.0.0.1:${port}`).getFile(md5))).toMatchObject({
      kind: 'unreachable',
      reason: 'http2',
    });
  });

  const sendSettings = (socket: Socket): void =>
    void socket
      .on('error', () => {})
      .write(Buffer.from('00000604000000000000030000006400000408000000000000ef0001', 'hex'));
  const sendGoaway = (socket: Socket): void =>
    void socket
      .on('error', () => {})
      .once('data', () => socket.end(Buffer.from('0000080700000000000000000000000001', 'hex')));
});
