import { Buffer } from 'node:buffer';
import { createHash, randomBytes } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import { failureOf } from './failure-of.fixture.ts';
import { createRepositoryApi, type RepositoryApi } from './repository-api.ts';
import {
  connectionTo,
  httpReply,
  instantTiming,
  onceOnly,
  type Script,
  type ScriptedServer,
  startScripted,
  tokenOfTests,
} from './scripted-server.fixture.ts';

const md5 = 'a'.repeat(32);
const md5Of = (bytes: string | Uint8Array): string => createHash('md5').update(bytes).digest('hex');
let server: ScriptedServer;

async function serve(script: Script, options = onceOnly): Promise<RepositoryApi> {
  server = await startScripted(script);
  return createRepositoryApi(connectionTo(server.origin), options);
}
async function bytesOf(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const chunk of chunks) parts.push(chunk);
  return Buffer.concat(parts);
}
afterEach(() => server.close());

describe('getfile', () => {
  it('sends the hash in lower case and returns the record', async () => {
    const api = await serve((socket) =>
      socket.end(httpReply(200, JSON.stringify({ file: { md5, size: '3' } }), { 'Content-Type': 'text/html' })),
    );
    expect(await api.getFile(md5.toUpperCase())).toMatchObject({ md5, sizeBytes: 3 });
    expect(server.heads[0]).toContain(`?action=getfile&hash=${md5}&`);
  });

  it.each([
    ['{"file":null}', 200],
    ['{"file":false}', 200],
    ['{"error":{"code":"unknown-hash","message":"no such sample"}}', 404],
  ])('answered with %s (%i) reports an unknown hash', async (body, status) => {
    const api = await serve((socket) => socket.end(httpReply(status, body)));
    expect(await failureOf(() => api.getFile(md5))).toEqual({ kind: 'unknown-hash', service: 'repository', hash: md5 });
  });

  it('refuses the record of another sample', async () => {
    const other = 'b'.repeat(32);
    const api = await serve((socket) => socket.end(httpReply(200, JSON.stringify({ file: { md5: other } }))));
    expect(await failureOf(() => api.getFile(md5))).toEqual({
      kind: 'wrong-record',
      service: 'repository',
      address: `${server.origin}/api.php`,
      md5,
      recordMd5: other,
    });
  });

  describe('with thousands of comments', () => {
    const comments = Array.from({ length: 4000 }, (_, at) => ({
      id: at + 1,
      parent: null,
      content: `remark ${at}, and the token ${tokenOfTests}`,
      author: 'analyst',
      created: null,
    }));
    const serveRecord = (file: object): Promise<RepositoryApi> =>
      serve((socket) => socket.end(httpReply(200, JSON.stringify({ file }))));

    it('returns all of them, without the token', async () => {
      const api = await serveRecord({ md5, comments });
      const record = await api.getFile(md5.toUpperCase());
      expect(record.comments).toHaveLength(4000);
      expect(record.comments.at(-1)).toMatchObject({
        id: '4000',
        content: expect.stringMatching(/^remark 3999, and the token /),
      });
      expect(JSON.stringify(record)).not.toContain(tokenOfTests);
    });

    it('fails like a small record', async () => {
      const other = 'b'.repeat(32);
      const api = await serveRecord({ md5: other, comments });
      expect(await failureOf(() => api.getFile(md5))).toEqual({
        kind: 'wrong-record',
        service: 'repository',
        address: `${server.origin}/api.php`,
        md5,
        recordMd5: other,
      });
    });
  });
});

describe('downloadfile', () => {
  it('returns the bytes in pieces as they arrive', async () => {
    const sample = randomBytes(3_000_000);
    const api = await serve((socket) => socket.end(httpReply(200, sample)));
    const { expectedBytes, chunks } = await api.downloadFile(md5Of(sample).toUpperCase());
    const received: Uint8Array[] = [];
    for await (const chunk of chunks) received.push(chunk);
    expect(expectedBytes).toBe(3_000_000);
    expect(Buffer.concat(received).equals(sample)).toBe(true);
    expect(received.length).toBeGreaterThan(1);
    expect(server.heads[0]).toContain(`?action=downloadfile&file=${md5Of(sample)}&`);
    await server.allClosed();
  });

  const sample = 'the bytes of a sample';
  const announced = (length: number): string => `HTTP/1.1 200 OK\r\nContent-Length: ${length}\r\n\r\n`;
  it.each<[string, Script, string, number | null]>([
    [
      'stray bytes inside the length',
      (socket) => socket.end(httpReply(200, `${sample}{}`)),
      `${sample}{}`,
      sample.length + 2,
    ],
    [
      'stray bytes after the length, at once',
      (socket) => socket.write(Buffer.concat([httpReply(200, sample), Buffer.from('{}')])),
      sample,
      sample.length,
    ],
    [
      'stray bytes after the length, later',
      (socket) => socket.write(httpReply(200, sample), () => setImmediate(() => socket.write('{}'))),
      sample,
      sample.length,
    ],
    [
      'garbage after the length',
      (socket) => socket.end(`${announced(sample.length)}${sample}HTTP/9.9 \0\0\r\n\r\n`),
      sample,
      sample.length,
    ],
    ['stray bytes and no length', (socket) => socket.end(`HTTP/1.1 200 OK\r\n\r\n${sample}{}`), `${sample}{}`, null],
    [
      'chunks',
      (socket) => socket.write(`HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n15\r\n${sample}\r\n0\r\n\r\n{}`),
      sample,
      null,
    ],
    ['206', (socket) => socket.end(httpReply(206, sample)), sample, sample.length],
    [
      'a length that is too long',
      (socket) => socket.end(announced(sample.length + 2) + sample),
      sample,
      sample.length + 2,
    ],
  ])('passes on what arrived with %s', async (_, script, bytes, expected) => {
    const api = await serve(script);
    const reply = await api.downloadFile(md5Of(sample));
    expect((await bytesOf(reply.chunks)).toString()).toBe(bytes);
    expect(reply.expectedBytes).toBe(expected);
    await server.allClosed();
  });

  it('reports the number of missing bytes when the connection is cut', async () => {
    const api = await serve((socket) => socket.end(announced(2_000_000) + 'x'.repeat(1_500_000)));
    const { chunks } = await api.downloadFile(md5);
    expect(await failureOf(() => bytesOf(chunks))).toMatchObject({
      kind: 'connection-lost',
      receivedBytes: 1_500_000,
      expectedBytes: 2_000_000,
    });
  });

  it('closes the connection when its reader stops or cancels', async () => {
    const pour: Script = (socket) => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      const more = (): void => {
        while (socket.writable && socket.write(Buffer.alloc(65_536)));
      };
      socket.on('drain', more);
      more();
    };
    const api = await serve(pour);
    for await (const chunk of (await api.downloadFile(md5)).chunks) {
      expect(chunk.length).toBeGreaterThan(0);
      break;
    }
    await server.allClosed();
    const controller = new AbortController();
    const { chunks } = await api.downloadFile(md5, { signal: controller.signal });
    expect(
      await failureOf(async () => {
        for await (const chunk of chunks) controller.abort(chunk.length);
      }),
    ).toEqual({ kind: 'cancelled' });
    await server.allClosed();
  });

  it('closes the connection when reading never begins', async () => {
    server = await startScripted((socket) => socket.write(announced(1_000_000)));
    const timeouts = { connectSeconds: 5, firstByteSeconds: 5, idleSeconds: 0.05 };
    const { expectedBytes } = await createRepositoryApi(
      connectionTo(server.origin, { timeouts }),
      onceOnly,
    ).downloadFile(md5);
    expect(expectedBytes).toBe(1_000_000);
    await server.allClosed();
  });

  it.each<[string, string, object]>([
    [
      'an error in JSON',
      '{"error":{"code":"x","message":"gone"}}',
      { kind: 'request-refused', status: 200, text: 'gone' },
    ],
    ['a database’s error', 'SQLSTATE[HY000] [2002] x{}', { kind: 'service-failed', text: 'SQLSTATE[HY000] [2002] x' }],
    ['an error in JSON with stray bytes', '{"error":"gone"}{}', { kind: 'request-refused', status: 200, text: 'gone' }],
    ['a page', '<!DOCTYPE html><title>Login</title>', { kind: 'html-reply', status: 200 }],
    ['nothing', '', { kind: 'empty-reply', status: 200 }],
    ['nothing but the stray bytes', '{}', { kind: 'empty-reply', status: 200 }],
  ])('rejects %s under status 200 as a sample', async (_, body, failure) => {
    const api = await serve((socket) => socket.end(httpReply(200, body)));
    expect(await failureOf(() => api.downloadFile(md5))).toMatchObject(failure);
  });

  it.each([
    ['an error in JSON', '{"error":"this is my content"}'],
    ['a page', '<!DOCTYPE html><title>Phish</title>'],
    ['nothing', ''],
  ])('accepts %s as the sample when its MD5 matches', async (_, content) => {
    for (const body of [content, `${content}{}`]) {
      const api = await serve((socket) => socket.end(httpReply(200, body)));
      expect((await bytesOf((await api.downloadFile(md5Of(content))).chunks)).toString()).toBe(body);
      await server.close();
    }
    server = await startScripted(() => {});
  });

  it.each<[number, string, string]>([
    [403, 'Not enough rights', 'forbidden-or-unknown'],
    [403, '{"error":{"code":"forbidden","message":"x"}}', 'forbidden-or-unknown'],
    [404, '{"error":{"code":"unknown-hash","message":"x"}}', 'unknown-hash'],
    [404, '', 'action-unknown'],
    [401, '', 'token-refused'],
    [204, '', 'empty-reply'],
    [416, 'x', 'request-refused'],
  ])('answered with %i %s returns no sample', async (status, body, kind) => {
    const api = await serve((socket) => socket.end(httpReply(status, body)));
    expect(await failureOf(() => api.downloadFile(md5))).toMatchObject({ kind });
  });

  it('is retried while no byte of the sample was passed on', async () => {
    const timing = instantTiming();
    const api = await serve(
      (socket, _, number) => (number < 3 ? socket.end(httpReply(502, '')) : socket.end(httpReply(200, sample))),
      { ...onceOnly, limits: {}, timing } as typeof onceOnly,
    );
    expect((await bytesOf((await api.downloadFile(md5Of(sample))).chunks)).toString()).toBe(sample);
    expect(timing.slept).toEqual([500, 1000]);
  });
});
