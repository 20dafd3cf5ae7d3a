import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { fileNameHeader, sessionHeader } from '../../shared/transport.ts';
import { type HttpHarness, openHttpHarness } from './testing/http-harness.ts';
import { spokenRaw, statusesIn } from './testing/spoken-raw.ts';

/** What no browser would send and any other program of this computer can: bytes written by hand. */
let page: HttpHarness;
let ownHost: string;
let ownHeaders: string;
/** A call that would be carried out, were it read as a request. */
let hidden: string;

beforeAll(async () => {
  page = await openHttpHarness({ refusedBodyMs: 50 });
  ownHost = `Host: 127.0.0.1:${page.host.port}\r\n`;
  ownHeaders =
    `${ownHost}Origin: ${page.origin}\r\n${sessionHeader}: ${await page.openSession()}\r\n` +
    'Content-Type: application/json\r\n';
  hidden = `POST /call/library.count HTTP/1.1\r\n${ownHeaders}Content-Length: 2\r\n\r\n{}`;
});
afterAll(() => page.close());
beforeEach(() => {
  page.fakes.carriedOut.length = 0;
});

const speak = (bytes: string): Promise<string> => spokenRaw(page.host.port, bytes);

test('the hidden call of these attacks is valid on its own', async () => {
  expect(statusesIn(await speak(hidden))).toEqual([200]);
  expect(page.fakes.carriedOut).toEqual(['library.count']);
});

describe('an ambiguous request with a smuggled call, not executed:', () => {
  test.each<[string, string, string]>([
    ['a length beside chunks', 'Content-Length: 5\r\nTransfer-Encoding: chunked\r\n', '0\r\n\r\n'],
    ['chunks beside a length', 'Transfer-Encoding: chunked\r\nContent-Length: 5\r\n', '0\r\n\r\n'],
    ['chunks that are not the last coding', 'Transfer-Encoding: chunked, identity\r\n', '0\r\n\r\n'],
    ['chunks of a made-up kind', 'Transfer-Encoding: xchunked\r\n', '0\r\n\r\n'],
    ['two codings', 'Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n', '0\r\n\r\n'],
    ['a coding behind a vertical tab', 'Transfer-Encoding:\x0bchunked\r\nContent-Length: 5\r\n', '0\r\n\r\n'],
    ['two lengths', 'Content-Length: 0\r\nContent-Length: 5\r\n', ''],
    ['the same length twice', 'Content-Length: 0\r\nContent-Length: 0\r\n', ''],
    ['a list of lengths', 'Content-Length: 0, 5\r\n', ''],
    ['a length with a sign', 'Content-Length: +0\r\n', ''],
    ['a length below nothing', 'Content-Length: -1\r\n', ''],
    ['a length in hexadecimal', 'Content-Length: 0x0\r\n', ''],
    ['a length beyond 64 bits', 'Content-Length: 18446744073709551616\r\n', ''],
    ['a space before the colon', 'Content-Length : 0\r\n', ''],
    ['a folded line', 'Transfer-Encoding:\r\n chunked\r\n', '0\r\n\r\n'],
    ['a line that ends in CR alone', 'X: a\rContent-Length: 0\r\n', ''],
    ['lines that end in LF alone', 'Content-Length: 0\n\n', ''],
    ['a null in a line', 'X: a\0b\r\nContent-Length: 0\r\n', ''],
    ['a chunk whose lines end in LF alone', 'Transfer-Encoding: chunked\r\n', '0\n\n'],
    ['a chunk longer than 64 bits tell', 'Transfer-Encoding: chunked\r\n', '10000000000000000\r\n'],
    ['a chunk that is longer than it said', 'Transfer-Encoding: chunked\r\n', '2\r\nabXX0\r\n\r\n'],
    ['an extension of a chunk with a line end in it', 'Transfer-Encoding: chunked\r\n', '2;\n\r\nab\r\n0\r\n\r\n'],
  ])('%s', async (_title, lines, begin) => {
    const replies = await speak(`POST /call/no.such HTTP/1.1\r\n${ownHost}${lines}\r\n${begin}${hidden}`);
    expect(page.fakes.carriedOut).toEqual([]);
    for (const status of statusesIn(replies)) expect([400, 403]).toContain(status);
  });

  test.each(['GET', 'POST', 'HEAD'])('the body of a %s that is refused', async (method) => {
    const replies = await speak(
      `${method} / HTTP/1.1\r\nHost: evil.example\r\nContent-Length: ${hidden.length}\r\n\r\n${hidden}`,
    );
    expect(statusesIn(replies)).toEqual([403]);
    expect(page.fakes.carriedOut).toEqual([]);
  });
});

describe('a duplicate header, refused:', () => {
  const call = (lines: string): string => `POST /call/library.count HTTP/1.1\r\n${lines}Content-Length: 2\r\n\r\n{}`;

  test.each<[string, string, number]>([
    ['a host of ours, then another', 'Host: evil.example\r\n', 403],
    ['a host of ours, twice', '', 403],
    ['our origin, then another', 'Origin: http://evil.example\r\n', 403],
    ['a key, then another', `${sessionHeader}: ${'A'.repeat(43)}\r\n`, 401],
  ])('%s', async (_title, more, status) => {
    const again = more === '' ? ownHost : more;
    expect(statusesIn(await speak(call(ownHeaders + again)))).toEqual([status]);
    expect(page.fakes.carriedOut).toEqual([]);
  });

  test('a form content type, then JSON', async () => {
    const types = ownHeaders.replace('Content-Type', 'Content-Type: text/plain\r\nContent-Type');
    expect(statusesIn(await speak(call(types)))).toEqual([415]);
  });

  test('a key that comes after the body', async () => {
    const [, key = ''] = /x-[^:]+: ([\w-]{43})/i.exec(ownHeaders) ?? [];
    const head =
      `POST /call/library.count HTTP/1.1\r\n${ownHost}Origin: ${page.origin}\r\n` +
      `Content-Type: application/json\r\nTransfer-Encoding: chunked\r\nTrailer: ${sessionHeader}\r\n\r\n`;
    expect(statusesIn(await speak(`${head}2\r\n{}\r\n0\r\n${sessionHeader}: ${key}\r\n\r\n`))).toEqual([401]);
    expect(page.fakes.carriedOut).toEqual([]);
  });
});

describe('another name for the host, ignored:', () => {
  test.each(['X-Forwarded-Host', 'X-Host', 'X-Original-Host', 'Forwarded'])('%s', async (header) => {
    const own = `127.0.0.1:${page.host.port}`;
    const value = header === 'Forwarded' ? `host=${own}` : own;
    expect(statusesIn(await speak(`GET / HTTP/1.1\r\nHost: evil.example\r\n${header}: ${value}\r\n\r\n`))).toEqual([
      403,
    ]);
  });

  test('an address with another host is no path of the host', async () => {
    expect(statusesIn(await speak(`GET http://evil.example/ HTTP/1.1\r\n${ownHost}\r\n`))).toEqual([404]);
    expect(
      statusesIn(
        await speak(`POST http://evil.example/call/library.count HTTP/1.1\r\n${ownHeaders}Content-Length: 2\r\n\r\n{}`),
      ),
    ).toEqual([405]);
    expect(page.fakes.carriedOut).toEqual([]);
  });
});

describe('another protocol, not accepted:', () => {
  test('CONNECT opens no tunnel', async () => {
    expect(await speak(`CONNECT 127.0.0.1:22 HTTP/1.1\r\n${ownHost}\r\n`)).toBe('');
  });

  test.each(['websocket', 'h2c', 'TLS/1.0'])('an upgrade to %s', async (protocol) => {
    const replies = await speak(
      `GET /events HTTP/1.1\r\n${ownHost}Connection: Upgrade\r\nUpgrade: ${protocol}\r\n` +
        'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n',
    );
    expect(statusesIn(replies)).toEqual([401]);
  });

  test.each([
    'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
    'EHLO evil.example\r\n\r\n',
  ])('%j', async (bytes) => {
    expect(statusesIn(await speak(bytes))).toEqual([400]);
  });

  test('TRACE returns none of the sent data', async () => {
    const replies = await speak(`TRACE / HTTP/1.1\r\n${ownHeaders}\r\n`);
    expect(statusesIn(replies)).toEqual([405]);
    expect(replies).not.toContain(page.origin);
  });

  test.each(['X-HTTP-Method-Override', 'X-HTTP-Method', 'X-Method-Override'])(
    '%s does not turn a POST into a GET',
    async (header) => {
      expect(
        statusesIn(await speak(`POST / HTTP/1.1\r\n${ownHeaders}${header}: GET\r\nContent-Length: 0\r\n\r\n`)),
      ).toEqual([405]);
    },
  );
});

describe('request data that never becomes a header:', () => {
  const lineEnds = [
    '%0d%0aSet-Cookie:%20a=b',
    '%0aSet-Cookie:%20a=b',
    '%E5%98%8D%E5%98%8ASet-Cookie:%20a=b',
    '%250d%250aSet-Cookie:%20a=b',
  ];
  const headersOf = (replies: string): string => replies.slice(0, replies.indexOf('\r\n\r\n')).toLowerCase();

  test.each(lineEnds)('a path with %s', async (attempt) => {
    for (const path of [`/${attempt}`, `/export/${attempt}`, `/assets/${attempt}.js?${attempt}`]) {
      const replies = await speak(`GET ${path} HTTP/1.1\r\n${ownHost}\r\n`);
      expect(statusesIn(replies)).toEqual([404]);
      expect(headersOf(replies)).not.toContain('set-cookie');
    }
  });

  test.each(lineEnds)('a name with %s, of a call or of a file', async (attempt) => {
    const called = await speak(`POST /call/${attempt} HTTP/1.1\r\n${ownHeaders}Content-Length: 2\r\n\r\n{}`);
    const staging = ownHeaders.replace('application/json', 'application/octet-stream');
    const staged = await speak(
      `POST /stage HTTP/1.1\r\n${staging}${fileNameHeader}: ${attempt}\r\nContent-Length: 1\r\n\r\nx`,
    );
    expect([...statusesIn(called), ...statusesIn(staged)]).toEqual([200, 200]);
    expect(headersOf(called) + headersOf(staged)).not.toContain('set-cookie');
  });

  test.each([
    ['one long line', `X: ${'x'.repeat(20_000)}\r\n`],
    ['many short ones', 'x: y\r\n'.repeat(4_000)],
  ])('%s', async (_title, lines) => {
    expect(statusesIn(await speak(`GET / HTTP/1.1\r\n${ownHost}${lines}\r\n`))).toEqual([431]);
  });
});

describe('a slow sender', () => {
  async function connected(to: HttpHarness, bytes: string): Promise<Socket> {
    const socket = connect(to.host.port, '127.0.0.1');
    await once(socket, 'connect');
    if (bytes !== '') socket.write(bytes);
    return socket;
  }

  test.each<[string, string, number]>([
    ['says nothing', '', 408],
    ['begins a line', 'GE', 408],
    ['never ends its headers', 'GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: ', 408],
    ['was answered and begins once more', 'GET / HTTP/1.1\r\nHost: evil.example\r\n\r\nGET / HT', 403],
  ])('that %s is cut off', async (_title, bytes, status) => {
    const impatient = await openHttpHarness({ headersMs: 20 });
    expect(statusesIn(await text(await connected(impatient, bytes)))).toEqual([status]);
    await impatient.close();
  });

  test('takes the place of others during its header timeout and no longer', async () => {
    const small = await openHttpHarness({ headersMs: 100, connections: 4 });
    const slow = await Promise.all(Array.from({ length: 4 }, () => connected(small, 'GET / HTTP/1.1\r\nX: ')));
    await expect(fetch(small.origin)).rejects.toThrow();
    await Promise.all(slow.map((socket) => once(socket.resume(), 'close')));
    expect((await fetch(small.origin)).status).toBe(200);
    await small.close();
  });

  test.each(['/session', '/call/library.count'])(
    'with a body to %s, byte by byte without a pause, is cut off',
    async (path) => {
      const impatient = await openHttpHarness({ bodyIdleMs: 60_000, callBodyMs: 60 });
      const key = await impatient.openSession();
      const socket = await connected(
        impatient,
        `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1:${impatient.host.port}\r\nOrigin: ${impatient.origin}\r\n` +
          `${sessionHeader}: ${key}\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n`,
      );
      // What is written after the host hung up is refused.
      socket.on('error', () => {});
      const drip = setInterval(() => socket.write(' '), 5);
      const replies = await text(socket).catch(() => '');
      clearInterval(drip);
      expect(replies).toBe('');
      expect([impatient.fakes.carriedOut, impatient.fakes.defects]).toEqual([[], []]);
      await impatient.close();
    },
  );
});
