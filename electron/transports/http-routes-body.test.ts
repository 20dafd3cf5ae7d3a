import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { sessionHeader } from '../../shared/transport.ts';
import { chunksOf } from './testing/byte-chunks.ts';
import { type HttpHarness, openHttpHarness } from './testing/http-harness.ts';

let page: HttpHarness;
beforeEach(async () => {
  page = await openHttpHarness();
});
afterEach(() => page.close());

const refused = (kind: string): object => ({ ok: false, failure: expect.objectContaining({ kind }) });

/** The head of a POST of our own page, for a body that is written by hand. */
function postHead(path: string, { host, origin }: HttpHarness, headers: Record<string, string>): string {
  const all = Object.entries({ host: `127.0.0.1:${host.port}`, origin, ...headers });
  return `POST ${path} HTTP/1.1\r\n${all.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`;
}

describe('a call', () => {
  test.each(['', '{', 'undefined', '{"a":1}}', "{'a':1}"])('with the body %s is bad input', async (body) => {
    expect(await page.post('/call/library.count', { body })).toMatchObject({ status: 400, json: refused('bad-input') });
  });

  test('with bytes that are no UTF-8 is bad input', async () => {
    expect(await page.post('/call/library.count', { body: new Uint8Array([0x22, 0xff, 0x22]) })).toMatchObject({
      status: 400,
      json: refused('bad-input'),
    });
  });

  test('with a name that is no percent-encoding is bad input', async () => {
    expect(await page.post('/call/%ff', {})).toMatchObject({ status: 400, json: refused('bad-input') });
  });

  test('with very deep nesting breaks nothing', async () => {
    const reply = await page.post('/call/library.count', { body: '['.repeat(100_000) + ']'.repeat(100_000) });
    expect(reply.json).toMatchObject({ ok: false });
    expect(await page.call('library.count', {})).toMatchObject({ ok: true });
  });

  test('without a declared length is read only up to the limit', async () => {
    const body = ReadableStream.from(chunksOf(40, 64 * 1024));
    const headers = {
      origin: page.origin,
      [sessionHeader]: await page.openSession(),
      'content-type': 'application/json',
    };
    const reply = await fetch(`${page.origin}/call/library.count`, { method: 'POST', headers, body, duplex: 'half' });
    expect(reply.status).toBe(413);
    expect(await reply.json()).toEqual(refused('body-too-large'));
  });

  test('that breaks off half-way is no defect and never executed', async () => {
    const other = await openHttpHarness();
    const socket = connect(other.host.port, '127.0.0.1');
    const head = postHead('/call/library.count', other, {
      [sessionHeader]: await other.openSession(),
      'content-type': 'application/json',
      'content-length': '2',
    });
    await new Promise((resolve) => socket.write(`${head}{`, resolve));
    socket.destroy();
    await other.close();
    expect(other.fakes.defects).toEqual([]);
    expect(other.fakes.carriedOut).toEqual([]);
  });
});

describe('a stalled body', () => {
  test('is given up together with the connection', async () => {
    const impatient = await openHttpHarness({ bodyIdleMs: 20 });
    const socket = connect(impatient.host.port, '127.0.0.1');
    socket.write(
      `${postHead('/session', impatient, { 'content-type': 'application/json', 'content-length': '100' })}{`,
    );
    await once(socket.resume(), 'close');
    await impatient.close();
    expect(impatient.fakes.defects).toEqual([]);
  });

  test('is given up when it was refused before it arrived', async () => {
    const impatient = await openHttpHarness({ refusedBodyMs: 20 });
    const socket = connect(impatient.host.port, '127.0.0.1');
    socket.write('POST /stage HTTP/1.1\r\nHost: evil.example\r\nContent-Length: 100000\r\n\r\nx');
    const [reply] = await once(socket, 'data');
    expect(String(reply)).toContain('403');
    await once(socket, 'close');
    await impatient.close();
  });

  test('is given up when it was refused in the middle', async () => {
    const impatient = await openHttpHarness({ refusedBodyMs: 20, callBytes: 10 });
    const socket = connect(impatient.host.port, '127.0.0.1');
    const headers = {
      [sessionHeader]: await impatient.openSession(),
      'content-type': 'application/json',
      'transfer-encoding': 'chunked',
    };
    socket.write(`${postHead('/call/library.count', impatient, headers)}14\r\n${'x'.repeat(20)}\r\n`);
    const [reply] = await once(socket, 'data');
    expect(String(reply)).toContain('413');
    await once(socket, 'close');
    await impatient.close();
  });
});
