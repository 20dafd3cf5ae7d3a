import { Buffer } from 'node:buffer';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Certificates, type KeyPair, makeCertificates } from '../../base/certificates.fixture.ts';
import type { Connection } from '../connections.ts';
import { errorOf, failureOf } from '../failure-of.fixture.ts';
import { createRepositoryApi, type RepositoryApi } from '../repository-api.ts';
import {
  connectionTo,
  everythingOf,
  httpReply,
  onceOnly,
  type Script,
  type ScriptedServer,
  startScripted,
  tokenOfTests,
} from '../scripted-server.fixture.ts';
import { startSocks } from './proxies.fixture.ts';
import { readProxy } from './proxy.ts';

const md5 = 'a'.repeat(32);
const record = httpReply(200, JSON.stringify({ file: { md5 } }));
const token = encodeURIComponent(tokenOfTests);
const secret = 'hunter2hunter2';
let made: Certificates;
let folder: string;
const started: { close(): Promise<void> }[] = [];

beforeAll(() => {
  made = makeCertificates();
  folder = mkdtempSync(join(tmpdir(), 'vitrine-proxies-'));
  writeFileSync(join(folder, 'authority.pem'), made.authority.cert);
});
afterAll(() => rmSync(folder, { recursive: true }));
afterEach(async () => {
  vi.unstubAllEnvs();
  await Promise.all(started.splice(0).map((server) => server.close()));
});

async function start(script: Script, tls?: KeyPair): Promise<ScriptedServer> {
  const server = await startScripted(script, tls);
  started.push(server);
  return server;
}
async function socks(...options: Parameters<typeof startSocks>): ReturnType<typeof startSocks> {
  const proxy = await startSocks(...options);
  started.push(proxy);
  return proxy;
}
const through = (proxy: string, changes: Partial<Connection> = {}): RepositoryApi =>
  createRepositoryApi(
    connectionTo('https://repo.example', {
      proxyFor: async () => proxy,
      trust: { kind: 'authority', pem: made.authority.cert },
      ...changes,
    }),
    onceOnly,
  );
const trustAuthorityForProxies = (): void => void vi.stubEnv('NODE_EXTRA_CA_CERTS', join(folder, 'authority.pem'));

/** A proxy that leads every tunnel to one port of this computer. */
const leadingTo =
  (port: number): Script =>
  (socket) => {
    const target = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      socket.pipe(target).pipe(socket);
    });
    target.on('error', () => socket.destroy());
    // Read to its end: only then is it closed.
    target.on('close', () => socket.end().resume());
    socket.on('close', () => target.destroy());
  };
const withLogin = (origin: string, login = `me:${secret}`): string => origin.replace('//', `//${login}@`);

describe('the address of a proxy', () => {
  it.each([
    ['http://proxy.example', { kind: 'http', host: 'proxy.example', port: 80, login: null }],
    ['HTTP://Proxy.Example:3128/', { kind: 'http', host: 'proxy.example', port: 3128, login: null }],
    ['https://proxy.example', { kind: 'https', port: 443 }],
    ['https://proxy.example:80', { kind: 'https', port: 80 }],
    ['socks5://proxy.example', { kind: 'socks5', port: 1080 }],
    ['socks5h://[2001:db8::1]:9050', { kind: 'socks5', host: '2001:db8::1', port: 9050 }],
    ['socks5://proxy.example:80', { kind: 'socks5', port: 80 }],
    ['socks5://proxy.example:443', { kind: 'socks5', port: 443 }],
    ['socks://proxy.example', { kind: 'socks5' }],
    ['socks4a://proxy.example', { kind: 'socks4' }],
    ['socks5://m%40e:p%3As%2Fs@proxy.example', { login: { username: 'm@e', password: 'p:s/s' } }],
    ['http://me:100%@proxy.example', { login: { username: 'me', password: '100%' } }],
    ['http://me@proxy.example', { login: { username: 'me', password: '' } }],
    ['quic://proxy.example:443', { reason: 'proxy-kind', code: 'quic' }],
    ['ftp://proxy.example', { reason: 'proxy-kind', code: 'ftp' }],
    ['file:///etc/passwd', { reason: 'proxy-kind', code: 'file' }],
    ['', { reason: 'proxy-address', code: 'PROXY_ADDRESS' }],
    ['nonsense', { reason: 'proxy-address', code: 'PROXY_ADDRESS' }],
    ['http://', { reason: 'proxy-address', code: 'PROXY_ADDRESS' }],
    ['http://[', { reason: 'proxy-address', code: 'PROXY_ADDRESS' }],
    ['http://proxy.example:99999', { reason: 'proxy-address', code: 'PROXY_ADDRESS' }],
    ['http://me:a/b@proxy.example', { reason: 'proxy-address', code: 'PROXY_ADDRESS' }],
    ['http://me:1#b@proxy.example', { reason: 'proxy-address', code: 'PROXY_ADDRESS' }],
    ['http://proxy.example/proxy.pac', { reason: 'proxy-address', code: 'PROXY_ADDRESS' }],
    [`socks5://me:${'p'.repeat(256)}@proxy.example`, { reason: 'proxy-address', code: 'PROXY_LOGIN_TOO_LONG' }],
  ])('%j is read, or refused without its text', (address, due) => {
    expect(readProxy(address)).toMatchObject(due);
  });
});

describe('a call through an http proxy', () => {
  it('reaches an https service by a tunnel that shows the proxy only host and port', async () => {
    const service = await start((socket) => socket.end(record), made.good);
    const proxy = await start(leadingTo(service.port));
    expect(await through(proxy.origin).getFile(md5)).toMatchObject({ md5 });
    expect(proxy.heads).toEqual([
      expect.stringMatching(/^CONNECT repo\.example:443 HTTP\/1\.1\r\nHost: repo\.example:443\r\n/),
    ]);
    expect(proxy.heads[0]).not.toContain('api.php');
    expect(service.heads[0]).toContain(`token=${token}`);
    expect(service.heads[0]).toContain('Host: repo.example\r\n');
  });

  it('checks the certificate of the service', async () => {
    const service = await start((socket) => socket.end(record), made.wrongName);
    const proxy = await start(leadingTo(service.port));
    expect(await failureOf(() => through(proxy.origin).getFile(md5))).toMatchObject({
      kind: 'not-trusted',
      reason: 'name',
      fingerprint: made.wrongName.fingerprint,
    });
    expect(service.heads).toEqual([]);
  });

  it('requests an http service by its full address', async () => {
    const proxy = await start((socket) => socket.end(record));
    expect(await through(proxy.origin, { baseUrl: 'http://repo.example/base' }).getFile(md5)).toMatchObject({ md5 });
    expect(proxy.heads[0]).toMatch(/^GET http:\/\/repo\.example\/base\/api\.php\?action=getfile&/);
    expect(proxy.heads[0]).toContain('Host: repo.example\r\n');
  });

  it('sends the proxy’s user name and password to the proxy alone', async () => {
    const service = await start((socket) => socket.end(record), made.good);
    const proxy = await start(leadingTo(service.port));
    await through(withLogin(proxy.origin, 'me:p%40ss')).getFile(md5);
    expect(proxy.heads[0]).toContain(`Proxy-Authorization: Basic ${Buffer.from('me:p@ss').toString('base64')}\r\n`);
    expect(service.heads[0]).not.toMatch(/proxy-authorization/i);
  });

  it('sends the login for the service to the service alone', async () => {
    const service = await start((socket) => socket.end(record), made.good);
    const proxy = await start(leadingTo(service.port));
    await through(proxy.origin, { basic: { username: 'me', password: secret } }).getFile(md5);
    expect(proxy.heads[0]).not.toMatch(/authorization/i);
    expect(service.heads[0]).toContain(`Authorization: Basic ${Buffer.from(`me:${secret}`).toString('base64')}\r\n`);
  });

  it('keeps bytes that arrive with the tunnel', async () => {
    const proxy = await start((socket) => socket.end('HTTP/1.1 200 OK\r\n\r\nSSH-2.0 hello'));
    expect(await failureOf(() => through(proxy.origin).getFile(md5))).toMatchObject({ kind: 'unreachable' });
  });

  it('to loopback skips the proxy lookup and the proxy', async () => {
    const service = await start((socket) => socket.end(record));
    let asked = 0;
    const proxyFor = async (): Promise<string> => `http://127.0.0.1:${++asked}`;
    for (const host of ['127.0.0.1', 'localhost']) {
      const api = createRepositoryApi(connectionTo(`http://${host}:${service.port}`, { proxyFor }), onceOnly);
      expect(await api.getFile(md5)).toMatchObject({ md5 });
    }
    expect(asked).toBe(0);
  });
});

describe('a call through an https proxy', () => {
  it.each(['https://repo.example', 'http://repo.example'])('reaches %s', async (baseUrl) => {
    trustAuthorityForProxies();
    const isSecure = baseUrl.startsWith('https:');
    const service = await start((socket) => socket.end(record), made.good);
    const proxy = await start(isSecure ? leadingTo(service.port) : (socket) => socket.end(record), made.good);
    expect(await through(withLogin(proxy.origin), { baseUrl }).getFile(md5)).toMatchObject({ md5 });
    expect(proxy.heads).toHaveLength(1);
    expect(proxy.heads[0]).toMatch(
      isSecure ? /^CONNECT repo\.example:443 / : /^GET http:\/\/repo\.example\/api\.php\?/,
    );
    expect(proxy.heads[0]).toMatch(/\r\nProxy-Authorization: Basic /);
    await Promise.all([proxy.allClosed(), service.allClosed()]);
  });

  it('ends both its connections when the service leaves them open', async () => {
    trustAuthorityForProxies();
    const service = await start((socket) => socket.write(record), made.good);
    const proxy = await start(leadingTo(service.port), made.good);
    expect(await through(proxy.origin).getFile(md5)).toMatchObject({ md5 });
    await Promise.all([proxy.allClosed(), service.allClosed()]);
  });

  it.each<[string, keyof Certificates, string]>([
    ['that nobody known vouches for', 'selfSigned', 'DEPTH_ZERO_SELF_SIGNED_CERT'],
    ['made out to another name', 'wrongName', 'ERR_TLS_CERT_ALTNAME_INVALID'],
    ['out of date', 'expired', 'CERT_HAS_EXPIRED'],
  ])('sends nothing to one with a certificate %s', async (_, name, code) => {
    trustAuthorityForProxies();
    const proxy = await start(leadingTo(1), made[name]);
    expect(await failureOf(() => through(withLogin(proxy.origin)).getFile(md5))).toMatchObject({
      kind: 'unreachable',
      reason: 'proxy-not-trusted',
      code,
    });
    await proxy.allClosed();
    expect(proxy.heads).toEqual([]);
  });

  it('takes no authority for it from the workspace', async () => {
    const proxy = await start(leadingTo(1), made.good);
    const trust = { kind: 'authority', pem: made.authority.cert } as const;
    expect(await failureOf(() => through(proxy.origin, { trust }).getFile(md5))).toMatchObject({
      reason: 'proxy-not-trusted',
    });
  });

  it('names a proxy without TLS', async () => {
    const plain = await socks({ leadsTo: 1, answers: 'HTTP/1.1 400 Bad Request\r\n\r\n' });
    expect(await failureOf(() => through(`https://127.0.0.1:${plain.port}`).getFile(md5))).toMatchObject({
      kind: 'unreachable',
      reason: 'proxy-answer',
      code: 'ERR_SSL_WRONG_VERSION_NUMBER',
    });
  });
});

describe('a call through a SOCKS proxy', () => {
  it.each(['socks5', 'socks5h', 'socks4a'])('leaves the name to it (%s)', async (scheme) => {
    const service = await start((socket) => socket.end(record), made.good);
    const proxy = await socks({ leadsTo: service.port });
    expect(await through(`${scheme}://127.0.0.1:${proxy.port}`).getFile(md5)).toMatchObject({ md5 });
    expect(proxy.asked).toEqual(['repo.example:443']);
    expect(service.heads[0]).toMatch(/^GET \/api\.php\?/);
    await Promise.all([proxy.allClosed(), service.allClosed()]);
  });

  it('reaches an http service as if there were no proxy', async () => {
    const service = await start((socket) => socket.end(record));
    const proxy = await socks({ leadsTo: service.port });
    const address = `socks5://127.0.0.1:${proxy.port}`;
    expect(await through(address, { baseUrl: 'http://repo.example:81/base' }).getFile(md5)).toMatchObject({ md5 });
    expect(proxy.asked).toEqual(['repo.example:81']);
    expect(service.heads[0]).toMatch(/^GET \/base\/api\.php\?action=getfile&/);
  });

  it.each([
    ['http://192.0.2.7', '192.0.2.7:80'],
    ['http://[2001:db8::1]:81', 'v6 20010db8000000000000000000000001:81'],
  ])('passes an address on as an address: %s', async (baseUrl, asked) => {
    const service = await start((socket) => socket.end(record));
    const proxy = await socks({ leadsTo: service.port });
    await through(`socks5://127.0.0.1:${proxy.port}`, { baseUrl }).getFile(md5);
    expect(proxy.asked).toEqual([asked]);
  });

  it('receives a long reply whole', async () => {
    const filename = 'x'.repeat(3_000_000);
    const service = await start((socket) => socket.end(httpReply(200, JSON.stringify({ file: { md5, filename } }))));
    const proxy = await socks({ leadsTo: service.port });
    const api = through(`socks5://127.0.0.1:${proxy.port}`, { baseUrl: 'http://repo.example' });
    expect(await api.getFile(md5)).toMatchObject({ md5 });
  });

  it('gives it user name and password', async () => {
    const service = await start((socket) => socket.end(record), made.good);
    const login = { username: 'mé', password: 'p@ss:w/ö' };
    const proxy = await socks({ leadsTo: service.port, login });
    const userInfo = `${encodeURIComponent(login.username)}:${encodeURIComponent(login.password)}`;
    expect(await through(`socks5://${userInfo}@127.0.0.1:${proxy.port}`).getFile(md5)).toMatchObject({ md5 });
    expect(proxy.logins).toEqual([`${login.username}:${login.password}`]);
    expect(service.heads[0]).not.toMatch(/authorization/i);
  });

  it('checks the certificate of the service', async () => {
    const service = await start((socket) => socket.end(record), made.wrongName);
    const proxy = await socks({ leadsTo: service.port });
    expect(await failureOf(() => through(`socks5://127.0.0.1:${proxy.port}`).getFile(md5))).toMatchObject({
      kind: 'not-trusted',
      reason: 'name',
    });
    expect(service.heads).toEqual([]);
  });

  it.each<[string, Partial<Parameters<typeof startSocks>[0]>, string, object]>([
    ['that wants a login', { login: { username: 'me', password: 'x' } }, '', { reason: 'proxy-login-missing' }],
    [
      'that wants another password',
      { login: { username: 'me', password: 'x' } },
      `me:${secret}@`,
      { reason: 'proxy-login-refused' },
    ],
    ['that takes no login of ours', { acceptsNoMethod: true }, `me:${secret}@`, { reason: 'proxy-login-unsupported' }],
    [
      'that does not allow the target',
      { refusesWith: 2 },
      `me:${secret}@`,
      { reason: 'proxy-refused', code: 'SOCKS5 NotAllowed' },
    ],
    [
      'that cannot reach the target',
      { refusesWith: 4 },
      '',
      { reason: 'proxy-refused', code: 'SOCKS5 HostUnreachable' },
    ],
    ['that is a web server', { answers: 'HTTP/1.1 400 Bad Request\r\n\r\n' }, '', { reason: 'proxy-answer' }],
    ['that closes', { answers: '' }, `me:${secret}@`, { reason: 'proxy', code: 'ECONNRESET' }],
  ])('names a proxy %s', async (_, options, userInfo, due) => {
    const proxy = await socks({ leadsTo: 1, ...options });
    const error = await errorOf(() => through(`socks5://${userInfo}127.0.0.1:${proxy.port}`).getFile(md5));
    expect(error).toMatchObject({ failure: { kind: 'unreachable', address: 'https://repo.example/api.php', ...due } });
    expect(everythingOf(error)).not.toContain('hunter2');
    await proxy.allClosed();
  });

  it('names a SOCKS4 proxy that refuses', async () => {
    const proxy = await socks({ leadsTo: 1, refusesWith: 91 });
    expect(await failureOf(() => through(`socks4://127.0.0.1:${proxy.port}`).getFile(md5))).toMatchObject({
      reason: 'proxy-refused',
      code: 'SOCKS4 Failed',
    });
  });
});

describe('a failing proxy', () => {
  it.each<[string, Script, string, string]>([
    [
      'wants another password',
      (socket) => socket.end(httpReply(407, 'Proxy Authentication Required')),
      'proxy-login-refused',
      '407',
    ],
    [
      'wants another kind of login',
      (socket) => socket.end(httpReply(407, '', { 'Proxy-Authenticate': 'NTLM' })),
      'proxy-login-unsupported',
      '407 ntlm',
    ],
    [
      'answers a wrong login as tinyproxy does',
      (socket) => socket.end(httpReply(401, '', { 'WWW-Authenticate': 'Basic realm="proxy"' })),
      'proxy-login-refused',
      '401',
    ],
    ['refuses', (socket) => socket.end(httpReply(403, '')), 'proxy-refused', '403'],
    ['cannot reach it', (socket) => socket.end(httpReply(502, '')), 'proxy-refused', '502'],
    ['closes', (socket) => socket.destroy(), 'proxy', 'ECONNRESET'],
    ['resets', (socket) => socket.resetAndDestroy(), 'proxy', 'ECONNRESET'],
    ['is no proxy', (socket) => socket.end('SSH-2.0\r\n\r\n'), 'proxy-answer', 'HPE_'],
  ])('that %s is named as the proxy', async (_, script, reason, code) => {
    const proxy = await start(script);
    const error = await errorOf(() => through(withLogin(proxy.origin)).getFile(md5));
    expect(error).toMatchObject({ failure: { kind: 'unreachable', reason, code: expect.stringContaining(code) } });
    expect(everythingOf(error)).not.toContain('hunter2');
  });

  it('without a listener is named as the proxy', async () => {
    const proxy = await start(() => {});
    await proxy.close();
    started.pop();
    for (const scheme of ['http', 'https', 'socks5'])
      expect(await failureOf(() => through(`${scheme}://127.0.0.1:${proxy.port}`).getFile(md5))).toMatchObject({
        kind: 'unreachable',
        reason: 'proxy',
        code: 'ECONNREFUSED',
      });
  });

  it.each([
    ['', 'proxy-login-missing'],
    [`me:${secret}@`, 'proxy-login-refused'],
  ])('that requires a password from a plain http call is named as the proxy', async (login, reason) => {
    const proxy = await start((socket) => socket.end(httpReply(407, '')));
    const api = through(proxy.origin.replace('//', `//${login}`), { baseUrl: 'http://repo.example' });
    expect(await failureOf(() => api.getFile(md5))).toMatchObject({ kind: 'unreachable', reason, code: '407' });
  });

  it('that repeats its password has it removed from the failure', async () => {
    const proxy = await start((socket, head) => socket.end(httpReply(400, `${head.slice(-150)} ${secret}`)));
    const error = await errorOf(() =>
      through(withLogin(proxy.origin), { baseUrl: 'http://repo.example' }).getFile(md5),
    );
    expect(error).toMatchObject({ failure: { kind: 'request-refused' } });
    const shown = everythingOf(error);
    for (const form of [secret, 'hunter2', Buffer.from(`me:${secret}`).toString('base64')])
      expect(shown).not.toContain(form);
  });

  it.each(['http', 'socks5'])('that is silent causes a connection timeout (%s)', async (scheme) => {
    const proxy = await start(() => {});
    const timeouts = { connectSeconds: 0.05, firstByteSeconds: 5, idleSeconds: 5 };
    const api = through(`${scheme}://127.0.0.1:${proxy.port}`, { timeouts });
    expect(await failureOf(() => api.getFile(md5))).toMatchObject({ kind: 'timed-out', phase: 'connect' });
    await proxy.allClosed();
  });

  it.each([
    ['quic://127.0.0.1:1', 'proxy-kind', 'quic'],
    ['nonsense', 'proxy-address', 'PROXY_ADDRESS'],
    ['', 'proxy-address', 'PROXY_ADDRESS'],
  ])('with the address %j is refused, and nothing goes past it', async (address, reason, code) => {
    expect(await failureOf(() => through(address).getFile(md5))).toMatchObject({ kind: 'unreachable', reason, code });
  });
});
