import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { sessionHeader } from '../../shared/transport.ts';
import { type HttpHarness, openHttpHarness } from './testing/http-harness.ts';

let page: HttpHarness;
beforeEach(async () => {
  page = await openHttpHarness();
});
afterEach(() => page.close());

const refused = (kind: string): object => ({ ok: false, failure: expect.objectContaining({ kind }) });
const reason = (why: string): object => ({ ok: false, failure: { kind: 'sender-refused', reason: why } });

describe('a sender', () => {
  test.each([
    'evil.example',
    '127.0.0.1',
    'localhost',
    '127.0.0.1:1',
    '127.0.0.1.evil.example:PORT',
    'evil@127.0.0.1:PORT',
    '[::1]:PORT',
    '0.0.0.0:PORT',
  ])('that calls the host "%s" is refused everywhere', async (name) => {
    const host = name.replace('PORT', String(page.host.port));
    for (const path of ['/', '/events', '/export/x'])
      expect(await page.raw({ path, headers: { host } })).toMatchObject({ status: 403, json: reason('host') });
    expect(await page.post('/session', { headers: { host, origin: `http://${host}` } })).toMatchObject({
      status: 403,
      json: reason('host'),
    });
  });

  test('without a Host header is refused', async () => {
    const socket = connect(page.host.port, '127.0.0.1');
    socket.write('GET / HTTP/1.0\r\n\r\n');
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 403 .*"reason":"host"/s);
  });

  test.each([
    'http://evil.example',
    'null',
    'http://127.0.0.1:1',
    'https://127.0.0.1:PORT',
    'http://localhost:PORT',
    'http://127.0.0.1:PORT.evil.example',
    '',
  ])('of the origin "%s" is refused', async (sent) => {
    const origin = sent.replace('PORT', String(page.host.port));
    expect(await page.post('/call/library.count', { headers: { origin } })).toMatchObject({
      status: 403,
      json: reason('origin'),
    });
    expect(await page.raw({ path: '/', headers: { host: `127.0.0.1:${page.host.port}`, origin } })).toMatchObject({
      status: 403,
      json: reason('origin'),
    });
  });

  test.each(['/session', '/call/library.count', '/stage'])(
    'that posts to %s without an origin is refused',
    async (path) => {
      expect(await page.post(path, { headers: { origin: null } })).toMatchObject({
        status: 403,
        json: reason('origin'),
      });
    },
  );

  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonp',
    '',
  ])('that posts %s is refused', async (type) => {
    for (const path of ['/session', '/call/library.count']) {
      expect(await page.post(path, { headers: { 'content-type': type } })).toMatchObject({
        status: 415,
        json: reason('media-type'),
      });
    }
  });

  test('may declare its JSON as UTF-8', async () => {
    expect(
      await page.post('/call/library.count', { headers: { 'content-type': 'Application/JSON; charset=utf-8' } }),
    ).toMatchObject({ status: 200 });
  });

  test.each([
    ['GET', '/session'],
    ['GET', '/call/library.count'],
    ['PUT', '/call/library.count'],
    ['GET', '/stage'],
    ['POST', '/events'],
    ['POST', '/'],
    ['DELETE', '/index.html'],
    ['HEAD', '/export/x'],
    ['POST', '/export/x'],
  ])('with %s %s is refused', async (method, path) => {
    const { status } = await page.raw({
      method,
      path,
      headers: { origin: page.origin, 'content-type': 'application/json' },
    });
    expect(status).toBe(405);
  });

  test('gets no permission for another origin', async () => {
    const reply = await page.raw({
      method: 'OPTIONS',
      path: '/call/library.count',
      headers: {
        origin: 'http://evil.example',
        'access-control-request-method': 'POST',
        'access-control-request-headers': sessionHeader,
      },
    });
    expect(reply.status).toBe(403);
    expect(Object.keys(reply.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  });

  test('never gets a cookie', async () => {
    const reply = await page.post('/call/library.count', {});
    expect(reply.headers['set-cookie']).toBeUndefined();
    expect(reply.headers['cache-control']).toBe('no-store');
  });
});

describe('a session', () => {
  test.each(['/events', '/stage', '/call/library.count', '/call/__proto__'])('is required at %s', async (path) => {
    const send = (key: string | null) =>
      path === '/events'
        ? page.raw({ path, headers: key === null ? {} : { [sessionHeader]: key } })
        : page.post(path, { headers: { [sessionHeader]: key } });
    expect(await send(null)).toMatchObject({ status: 401, json: refused('session-missing') });
    expect(await send('B'.repeat(43))).toMatchObject({ status: 401, json: refused('session-refused') });
  });

  test.each(['{}', '[]', 'null', '{"secret":1}', '{"secret":""}', '{"secret":{"length":43}}'])(
    'is refused for %s',
    async (body) => {
      expect(await page.post('/session', { body })).toMatchObject({ status: 401, json: refused('link-used') });
    },
  );

  test('is refused for a long body', async () => {
    expect(await page.post('/session', { body: JSON.stringify({ secret: 'x'.repeat(2000) }) })).toMatchObject({
      status: 413,
      json: refused('body-too-large'),
    });
  });

  test('of one tab reveals nothing about another', async () => {
    const [one, other] = [await page.openSession(), await page.openSession()];
    expect(one).not.toBe(other);
    for (const key of [one, other])
      expect(await page.post('/call/library.count', { headers: { [sessionHeader]: key } })).toMatchObject({
        status: 200,
      });
  });
});
