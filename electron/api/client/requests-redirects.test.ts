import { Buffer } from 'node:buffer';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Certificates, makeCertificates } from '../../base/certificates.fixture.ts';
import type { Connection } from '../connections.ts';
import { failureOf } from '../failure-of.fixture.ts';
import { createRuleEditorApi } from '../rule-editor-api.ts';
import {
  connectionTo,
  httpReply,
  instantTiming,
  onceOnly,
  type Script,
  type ScriptedServer,
  startScripted,
  tokenOfTests,
} from '../scripted-server.fixture.ts';
import type { ResolveHost } from './address.ts';
import type { ClientOptions } from './client.ts';

const packed = Buffer.from('PK\x03\x04 the rest of a package', 'latin1');
const sending: Script = (socket) => socket.end(httpReply(200, packed));
const leadingTo =
  (location: string, status = 302): Script =>
  (socket) =>
    socket.end(httpReply(status, 'elsewhere', { Location: location, 'Set-Cookie': 'session=1' }));
/** Leads each request to the first path that was not asked for yet. */
const counting =
  (ends: number): Script =>
  (socket, head, number) =>
    (number <= ends ? leadingTo(`/${number}`) : sending)(socket, head, number);

let made: Certificates;
const started: ScriptedServer[] = [];
beforeAll(() => void (made = makeCertificates()));
afterEach(async () => void (await Promise.all(started.splice(0).map((server) => server.close()))));

async function start(script: Script, tls?: { key: string; cert: string }): Promise<ScriptedServer> {
  const server = await startScripted(script, tls);
  started.push(server);
  return server;
}
const authority = (): Connection['trust'] => ({ kind: 'authority', pem: made.authority.cert });

async function download(
  origin: string,
  changes: Partial<Connection> = {},
  options: ClientOptions = onceOnly,
): Promise<Buffer> {
  const api = createRuleEditorApi(connectionTo(origin, { service: 'rule-editor', ...changes }), options);
  const parts: Uint8Array[] = [];
  for await (const chunk of (await api.downloadPublication('12', { publicLink: true, encrypted: false })).chunks)
    parts.push(chunk);
  return Buffer.concat(parts);
}

describe('a redirect', () => {
  it('to another origin is followed without token or cookies', async () => {
    const target = await start(sending);
    const service = await start(leadingTo(`${target.origin}/signed?X-Signature=a%2Fb&when=%C3%A9#part`));
    expect(await download(service.origin)).toEqual(packed);
    expect(service.heads[0]).toContain(
      'GET /api.php?action=downloadpublication&id=12&public_link=true&encrypted=false' +
        `&token=${encodeURIComponent(tokenOfTests)} HTTP/1.1\r\n`,
    );
    expect(target.heads).toEqual([
      `GET /signed?X-Signature=a%2Fb&when=%C3%A9 HTTP/1.1\r\nHost: 127.0.0.1:${target.port}\r\nAccept: */*\r\n` +
        'Accept-Encoding: identity\r\nUser-Agent: Vitrine\r\nConnection: close\r\n\r\n',
    ]);
    await Promise.all(started.map((server) => server.allClosed()));
  });

  it.each([301, 302, 303, 307, 308])('of status %i is followed', async (status) => {
    const service = await start((socket, head, number) =>
      (number === 1 ? leadingTo('/there', status) : sending)(socket, head, number),
    );
    expect(await download(service.origin)).toEqual(packed);
  });

  it.each([
    [300, 'redirected'],
    [304, 'redirected'],
    [305, 'redirected'],
  ])('of status %i is not a redirect', async (status, kind) => {
    const service = await start(leadingTo('/there', status));
    expect(await failureOf(() => download(service.origin))).toMatchObject({ kind, status });
    expect(service.heads).toHaveLength(1);
  });

  it.each([
    ['/file.zip?a=b', '/file.zip?a=b'],
    ['file.zip', '/base/file.zip'],
    ['../other/./file.zip', '/other/file.zip'],
    ['?id=12', '/base/api.php?id=12'],
    [' /file.zip ', '/file.zip'],
    ['/règles 1', '/r%c3%a8gles%201'],
    ['//[origin]/file.zip', '/file.zip'],
    ['HTTP://[origin]//file.zip', '//file.zip'],
  ])('to %j is resolved to its intended address', async (location, path) => {
    const service = await start((socket, head, number) =>
      (number === 1 ? leadingTo(location.replace('[origin]', `127.0.0.1:${service.port}`)) : sending)(
        socket,
        head,
        number,
      ),
    );
    expect(await download(`${service.origin}/base`)).toEqual(packed);
    expect(service.heads[1]).toContain(`GET ${path} HTTP/1.1\r\n`);
  });

  it('may lead to another, up to five times', async () => {
    const service = await start(counting(5));
    expect(await download(service.origin)).toEqual(packed);
    expect(service.heads).toHaveLength(6);
  });

  it('to a path that resembles a host name is relative to its own host', async () => {
    const service = await start((socket, head, number) =>
      (number === 1 ? leadingTo(`${service.origin}//evil.example/x`) : number === 2 ? leadingTo('y') : sending)(
        socket,
        head,
        number,
      ),
    );
    expect(await download(service.origin)).toEqual(packed);
    expect(service.heads[2]).toContain('GET //evil.example/y HTTP/1.1\r\n');
  });
});

describe('a refused redirect', () => {
  it.each([
    ['file:///etc/passwd', 'scheme', 'file:'],
    ['ftp://127.0.0.1/x', 'scheme', 'ftp:'],
    ['data:text/plain,rule', 'scheme', 'data:'],
    ['http://me:hunter2@127.0.0.1/x?y=secret', 'user-info', 'http://127.0.0.1/x'],
    ['http://me@127.0.0.1/x', 'user-info', 'http://127.0.0.1/x'],
    ['http://', 'no-location', '(unreadable)'],
    ['http://[::1', 'no-location', '(unreadable)'],
  ])('to %j', async (location, reason, target) => {
    const service = await start(leadingTo(location));
    expect(await failureOf(() => download(service.origin))).toEqual({
      kind: 'redirect-refused',
      service: 'rule-editor',
      target,
      reason,
    });
    expect(service.heads).toHaveLength(1);
    await service.allClosed();
  });

  it('to a host name that is too long to parse', async () => {
    const service = await start(leadingTo(`//${'é.'.repeat(2500)}example`));
    expect(await failureOf(() => download(service.origin))).toMatchObject({
      kind: 'redirect-refused',
      reason: 'no-location',
    });
  });

  it.each<[string, Record<string, string>]>([
    ['without a target', {}],
    ['with an empty one', { Location: ' ' }],
  ])('%s', async (_, headers) => {
    const service = await start((socket) => socket.end(httpReply(302, '', headers)));
    expect(await failureOf(() => download(service.origin))).toEqual({
      kind: 'redirect-refused',
      service: 'rule-editor',
      target: `${service.origin}/api.php`,
      reason: 'no-location',
    });
  });

  it('after the fifth redirect', async () => {
    const service = await start(counting(6));
    expect(await failureOf(() => download(service.origin))).toEqual({
      kind: 'redirect-refused',
      service: 'rule-editor',
      target: `${service.origin}/6`,
      reason: 'too-many',
    });
    expect(service.heads).toHaveLength(6);
  });

  it('in a circle', async () => {
    const service = await start(leadingTo('/again?secret=1'));
    expect(await failureOf(() => download(service.origin, {}, { timing: instantTiming() }))).toMatchObject({
      target: `${service.origin}/again`,
      reason: 'too-many',
    });
    expect(service.heads).toHaveLength(6);
  });

  it('from https to http', async () => {
    const target = await start(sending);
    const service = await start(leadingTo(`${target.origin}/x`), made.good);
    expect(await failureOf(() => download(service.origin, { trust: authority() }))).toMatchObject({
      kind: 'redirect-refused',
      target: `${target.origin}/x`,
      reason: 'downgrade',
    });
    expect(target.heads).toEqual([]);
  });
});

describe('a service with a public address', () => {
  /**
   * Its name does not show where it is, and so it counts as public: it is reached through a proxy that plays it too.
   */
  const behindProxy = async (
    location: string,
    resolve: ResolveHost,
  ): Promise<{ proxy: ScriptedServer; outcome: Promise<Buffer> }> => {
    const proxy = await start((socket, head, number) =>
      (number === 1 ? leadingTo(location) : sending)(socket, head, number),
    );
    const proxyFor = async (address: string): Promise<string | null> =>
      address.includes('direct') ? null : proxy.origin;
    return { proxy, outcome: download('http://repo.example', { proxyFor }, { ...onceOnly, resolve }) };
  };
  const noName: ResolveHost = async (host) => Promise.reject(new Error(`asked for ${host}`));

  it.each([
    'http://127.0.0.1:[port]/x',
    'http://localhost:[port]/x',
    'http://[::1]:[port]/x',
    'http://[::ffff:7f00:1]:[port]/x',
    'http://2130706433:[port]/x',
    'http://0.0.0.0:[port]/x',
    'http://169.254.169.254/latest',
    'http://10.0.0.1/x',
    'http://x.localhost./x',
  ])('may not redirect to %s', async (location) => {
    const target = await start(sending);
    const { outcome } = await behindProxy(location.replace('[port]', String(target.port)), noName);
    expect(await failureOf(() => outcome)).toMatchObject({ kind: 'redirect-refused', reason: 'private-target' });
    expect(target.connections()).toBe(0);
  });

  it.each([
    ['is private', [{ address: '127.0.0.1', family: 4 }]],
    ['is private in IPv6', [{ address: 'fe80::1%lo', family: 6 }]],
    [
      'is private among public ones',
      [
        { address: '1.1.1.1', family: 4 },
        { address: '::ffff:127.0.0.1', family: 6 },
      ],
    ],
  ])('may not redirect to a name whose address %s', async (_, addresses) => {
    const target = await start(sending);
    const { outcome } = await behindProxy(`http://direct.example:${target.port}/x?secret=1`, async () => addresses);
    expect(await failureOf(() => outcome)).toEqual({
      kind: 'redirect-refused',
      service: 'rule-editor',
      target: `http://direct.example:${target.port}/x`,
      reason: 'private-target',
    });
    expect(target.connections()).toBe(0);
  });

  it('may redirect to a name that a proxy resolves', async () => {
    const { proxy, outcome } = await behindProxy('http://cdn.example/x?y=1', noName);
    expect(await outcome).toEqual(packed);
    expect(proxy.heads[1]).toMatch(/^GET http:\/\/cdn\.example\/x\?y=1 HTTP\/1\.1\r\nHost: cdn\.example\r\n/);
  });
});

describe('a service with a private address', () => {
  it('may redirect to another by a name resolved once, and to the checked address', async () => {
    const target = await start(sending);
    const service = await start((socket, head, number) =>
      (number === 1 ? leadingTo(`http://cdn.example:${target.port}/x`) : sending)(socket, head, number),
    );
    const asked: string[] = [];
    const resolve: ResolveHost = async (host) => {
      asked.push(host);
      return [{ address: '127.0.0.1', family: 4 }];
    };
    expect(await download(`http://repo.example:${service.port}`, {}, { ...onceOnly, resolve })).toEqual(packed);
    expect(asked).toEqual(['repo.example', 'cdn.example']);
    expect(target.heads[0]).toContain(`Host: cdn.example:${target.port}\r\n`);
  });

  it.each<[string, ResolveHost, string]>([
    [
      'is unknown',
      async () => Promise.reject(Object.assign(new Error('getaddrinfo ENOTFOUND cdn.example'), { code: 'ENOTFOUND' })),
      'ENOTFOUND',
    ],
    ['has no address', async () => [], 'ENOTFOUND'],
  ])('does not reach a name that %s', async (_, resolve, code) => {
    const service = await start(leadingTo('http://cdn.example/x?secret=1'));
    expect(await failureOf(() => download(service.origin, {}, { ...onceOnly, resolve }))).toEqual({
      kind: 'unreachable',
      service: 'rule-editor',
      address: 'http://cdn.example/x',
      reason: 'name',
      code,
    });
  });
});

describe('the certificate of a redirect target', () => {
  it('is verified against the workspace’s own authority', async () => {
    const target = await start(sending, made.good);
    const service = await start(leadingTo(`${target.origin}/x`));
    expect(await download(service.origin, { trust: authority() })).toEqual(packed);
    expect(await failureOf(() => download(service.origin))).toMatchObject({
      kind: 'not-trusted',
      address: `${target.origin}/x`,
      reason: 'authority',
      fingerprint: made.good.fingerprint,
    });
  });

  it('may be the pinned one on the service itself', async () => {
    const pair = made.selfSigned;
    const service = await start(
      (socket, head, number) => (number === 1 ? leadingTo('/x') : sending)(socket, head, number),
      pair,
    );
    expect(await download(service.origin, { trust: { kind: 'pin', fingerprint: pair.fingerprint } })).toEqual(packed);
  });

  it('is verified without the pin on another server', async () => {
    const pair = made.selfSigned;
    const target = await start(sending, pair);
    const service = await start(leadingTo(`${target.origin}/x`), pair);
    const failure = await failureOf(() =>
      download(service.origin, { trust: { kind: 'pin', fingerprint: pair.fingerprint } }),
    );
    expect(failure).toMatchObject({ kind: 'not-trusted', address: `${target.origin}/x`, reason: 'authority' });
    expect(target.heads).toEqual([]);
  });
});

describe('a failing redirect target', () => {
  it.each<[number, string, string]>([
    [400, 'Bad', 'request-refused'],
    [401, '', 'request-refused'],
    [403, '<?xml version="1.0"?><Error>expired</Error>', 'request-refused'],
    [404, '', 'request-refused'],
    [404, '<html>gone</html>', 'request-refused'],
    [405, '', 'request-refused'],
    [406, '', 'request-refused'],
    [410, 'gone', 'request-refused'],
    [429, '', 'slow-down'],
    [500, 'broken', 'service-failed'],
    [201, 'x', 'unreadable-reply'],
    [204, '', 'empty-reply'],
    [304, '', 'redirect-refused'],
    [200, 'Publication not found', 'request-refused'],
  ])('answering %i %j is reported with its address', async (status, body, kind) => {
    const target = await start((socket) => socket.end(httpReply(status, body)));
    const service = await start(leadingTo(`${target.origin}/x?y=secret`));
    const failure = await failureOf(() => download(service.origin));
    expect(failure.kind).toBe(kind);
    expect(JSON.stringify(failure)).toContain(`"${target.origin}/x"`);
  });

  it('is requested again from the beginning when a retry can help', async () => {
    const target = await start((socket, head, number) =>
      number === 1 ? socket.end(httpReply(503, '')) : number === 2 ? socket.destroy() : sending(socket, head, number),
    );
    const service = await start((socket, head, number) =>
      leadingTo(`${target.origin}/${number}`)(socket, head, number),
    );
    expect(await download(service.origin, {}, { timing: instantTiming() })).toEqual(packed);
    expect(service.heads).toHaveLength(3);
    expect(target.heads.map((head) => head.split(' ')[1])).toEqual(['/1', '/2', '/3']);
  });

  it.each<[string, Script, object]>([
    ['silent', () => {}, { kind: 'timed-out', phase: 'first-byte' }],
    [
      'silent in the middle',
      (socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc'),
      { kind: 'timed-out', phase: 'idle' },
    ],
    [
      'broken off',
      (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc'),
      { kind: 'connection-lost', receivedBytes: 3 },
    ],
    ['a reset', (socket) => socket.resetAndDestroy(), { kind: 'unreachable', reason: 'reset' }],
  ])('with %s is reported with its address', async (_, script, failure) => {
    const target = await start(script);
    const service = await start(leadingTo(`${target.origin}/x?y=secret`));
    const timeouts = { connectSeconds: 5, firstByteSeconds: 0.2, idleSeconds: 0.2 };
    expect(await failureOf(() => download(service.origin, { timeouts }))).toMatchObject({
      ...failure,
      address: `${target.origin}/x`,
    });
    await Promise.all(started.map((server) => server.allClosed()));
  });

  it('is not waited for longer than the caller allows', async () => {
    const caller = new AbortController();
    const target = await start(() => caller.abort());
    const service = await start(leadingTo(`${target.origin}/x`));
    const api = createRuleEditorApi(connectionTo(service.origin), onceOnly);
    expect(
      await failureOf(() =>
        api.downloadPublication('1', { publicLink: false, encrypted: false }, { signal: caller.signal }),
      ),
    ).toEqual({ kind: 'cancelled' });
    await Promise.all(started.map((server) => server.allClosed()));
  });
});

it('a redirect is followed by no other call', async () => {
  const target = await start(sending);
  const service = await start(leadingTo(`${target.origin}/x`));
  const api = createRuleEditorApi(connectionTo(service.origin), onceOnly);
  expect(await failureOf(() => api.checkVersion('1', true))).toMatchObject({
    kind: 'redirected',
    target: `${target.origin}/x`,
  });
  expect(target.connections()).toBe(0);
});
