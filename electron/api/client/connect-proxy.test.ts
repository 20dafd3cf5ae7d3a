import { Buffer } from 'node:buffer';
import { connect } from 'node:net';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Certificates, makeCertificates } from '../certificates.fixture.ts';
import type { Connection } from '../connections.ts';
import { errorOf, failureOf } from '../failure-of.fixture.ts';
import { createRepositoryApi } from '../repository-api.ts';
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

const md5 = 'a'.repeat(32);
const record = httpReply(200, JSON.stringify({ file: { md5 } }));
const token = encodeURIComponent(tokenOfTests);
let made: Certificates;
const started: ScriptedServer[] = [];

beforeAll(() => void (made = makeCertificates()));
afterEach(async () => void (await Promise.all(started.splice(0).map((server) => server.close()))));

async function start(script: Script, tls?: { key: string; cert: string }): Promise<ScriptedServer> {
  const server = await startScripted(script, tls);
  started.push(server);
  return server;
}
const through = (proxy: string, changes: Partial<Connection> = {}) =>
  createRepositoryApi(
    connectionTo('https://repo.example', {
      proxyFor: async () => proxy,
      trust: { kind: 'authority', pem: made.authority.cert },
      ...changes,
    }),
    onceOnly,
  );

/** A proxy that leads every tunnel to one port of this computer. */
const leadingTo =
  (port: number): Script =>
  (socket) => {
    const target = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      socket.pipe(target).pipe(socket);
    });
    target.on('error', () => socket.destroy());
    socket.on('close', () => target.destroy());
  };

describe('a call through a proxy', () => {
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
    await through(proxy.origin.replace('//', '//me:p%40ss@')).getFile(md5);
    expect(proxy.heads[0]).toContain(`Proxy-Authorization: Basic ${Buffer.from('me:p@ss').toString('base64')}\r\n`);
    expect(service.heads[0]).not.toMatch(/proxy-authorization/i);
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

describe('a failing proxy', () => {
  it.each<[string, Script, string]>([
    ['wants another password', (socket) => socket.end(httpReply(407, 'Proxy Authentication Required')), '407'],
    ['refuses', (socket) => socket.end(httpReply(403, '')), '403'],
    ['cannot reach it', (socket) => socket.end(httpReply(502, '')), '502'],
    ['closes', (socket) => socket.destroy(), 'ECONNRESET'],
    ['is no proxy', (socket) => socket.end('SSH-2.0\r\n\r\n'), 'HPE_'],
  ])('that %s is named as the proxy', async (_, script, code) => {
    const proxy = await start(script);
    const error = await errorOf(() => through(proxy.origin.replace('//', '//me:hunter2hunter2@')).getFile(md5));
    expect(error).toMatchObject({
      failure: { kind: 'unreachable', reason: 'proxy', code: expect.stringContaining(code) },
    });
    expect(everythingOf(error)).not.toContain('hunter2');
  });

  it('without a listener is named as the proxy', async () => {
    const proxy = await start(() => {});
    await proxy.close();
    started.pop();
    expect(await failureOf(() => through(proxy.origin).getFile(md5))).toMatchObject({
      kind: 'unreachable',
      reason: 'proxy',
      code: 'ECONNREFUSED',
    });
  });

  it('that requires a password from a plain http call is named as the proxy', async () => {
    const proxy = await start((socket) => socket.end(httpReply(407, '')));
    expect(await failureOf(() => through(proxy.origin, { baseUrl: 'http://repo.example' }).getFile(md5))).toMatchObject(
      { kind: 'unreachable', reason: 'proxy', code: '407' },
    );
  });

  it('that is silent causes a connection timeout', async () => {
    const proxy = await start(() => {});
    const timeouts = { connectSeconds: 0.05, firstByteSeconds: 5, idleSeconds: 5 };
    expect(await failureOf(() => through(proxy.origin, { timeouts }).getFile(md5))).toMatchObject({
      kind: 'timed-out',
      phase: 'connect',
    });
    await proxy.allClosed();
  });

  it.each(['socks5://127.0.0.1:1', 'https://127.0.0.1:1', 'nonsense', ''])(
    'with the address %j is named as the proxy',
    async (address) => {
      expect(await failureOf(() => through(address).getFile(md5))).toMatchObject({
        kind: 'unreachable',
        reason: 'proxy',
        code: 'PROXY_ADDRESS',
      });
    },
  );
});
