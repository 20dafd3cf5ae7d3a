import { createHash, randomBytes } from 'node:crypto';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, type InputType, zstdCompressSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import type { Call } from '../call.ts';
import { failureOf } from '../failure-of.fixture.ts';
import { createRepositoryApi } from '../repository-api.ts';
import {
  connectionTo,
  httpReply,
  instantTiming,
  onceOnly,
  type ScriptedServer,
  startScripted,
} from '../scripted-server.fixture.ts';
import { createClient } from './client.ts';

const md5 = 'a'.repeat(32);
const call: Call = { action: 'getfile', parameters: [], hashes: [md5] };
const text = '{"file":null}'.repeat(20);
let server: ScriptedServer;
afterEach(() => server.close());

async function served(body: Uint8Array | string, encoding: string, status = 200): Promise<string> {
  server = await startScripted((socket) =>
    socket.end(httpReply(status, body, { 'Content-Encoding': encoding, 'Content-Type': 'text/html' })),
  );
  return server.origin;
}
const read = async (body: Uint8Array | string, encoding: string, limits = {}): Promise<string> => {
  const client = createClient(connectionTo(await served(body, encoding)), {
    limits: { ...onceOnly.limits, ...limits },
  });
  return Buffer.from((await client.read(call)).body).toString();
};

const packers: [string, (bytes: InputType) => Buffer][] = [
  ['gzip', gzipSync],
  ['x-gzip', gzipSync],
  ['GZIP', gzipSync],
  ['deflate', deflateSync],
  ['deflate', deflateRawSync],
  ['br', brotliCompressSync],
  ['zstd', zstdCompressSync],
  ['identity, gzip', gzipSync],
  ['gzip, br', (bytes) => brotliCompressSync(gzipSync(bytes))],
];

describe('a reply that is compressed although identity was requested', () => {
  it.each(packers)('is decompressed, as %s', async (encoding, pack) => {
    expect(await read(pack(text), encoding)).toBe(text);
  });

  it.each(packers.filter(([encoding]) => encoding !== 'gzip, br'))(
    'may have two stray bytes behind its %s',
    async (encoding, pack) => {
      expect(await read(Buffer.concat([pack(text), Buffer.from('{}')]), encoding)).toBe(text);
    },
  );

  it.each(packers.filter(([encoding]) => encoding !== 'gzip, br'))(
    'may have two stray bytes behind its %s that come later',
    async (encoding, pack) => {
      const reply = httpReply(200, Buffer.concat([pack(text), Buffer.from('{}')]), { 'Content-Encoding': encoding });
      server = await startScripted((socket) => {
        socket.write(reply.subarray(0, -2));
        setImmediate(() => socket.end(reply.subarray(-2)));
      });
      const client = createClient(connectionTo(server.origin), onceOnly);
      expect(Buffer.from((await client.read(call)).body).toString()).toBe(text);
    },
  );

  it('gives all that came before its end is missing', async () => {
    const bytes = randomBytes(300_000);
    const api = createRepositoryApi(connectionTo(await served(gzipSync(bytes).subarray(0, -10), 'gzip')), onceOnly);
    let received = 0;
    const { chunks } = await api.downloadFile(md5);
    const reading = async (): Promise<void> => {
      for await (const chunk of chunks) received += chunk.length;
    };
    expect(await failureOf(reading)).toMatchObject({ kind: 'encoding-unusable', reason: 'broken' });
    expect(received).toBeGreaterThan(299_000);
  });

  it.each(packers)('that is cut off is a failure, as %s', async (encoding, pack) => {
    const whole = pack(randomBytes(5000));
    expect(await failureOf(() => read(whole.subarray(0, 3000), encoding))).toMatchObject({
      kind: 'encoding-unusable',
      reason: 'broken',
      service: 'repository',
    });
  });

  it.each<[string, (bytes: InputType) => Buffer]>([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
  ])('that is damaged is a failure, as %s', async (encoding, pack) => {
    const whole = pack(randomBytes(5000));
    whole.fill(0x5a, 20, 3000);
    expect(await failureOf(() => read(whole, encoding))).toMatchObject({ kind: 'encoding-unusable', reason: 'broken' });
  });

  it.each(['gzip', 'zstd'])('may be sent as it is under the name of %s', async (encoding) => {
    expect(await read(text, encoding)).toBe(text);
    await server.close();
    expect(await read('', encoding)).toBe('');
  });

  it.each(['compress', 'aes128gcm', 'x'.repeat(100), 'gzip, gzip, gzip, gzip'])(
    'in an unknown way is a failure that names it: %s',
    async (encoding) => {
      expect(await failureOf(() => read(gzipSync(text), encoding))).toMatchObject({
        kind: 'encoding-unusable',
        reason: 'unknown',
        encoding: encoding.length > 40 ? '(unreadable)' : encoding,
      });
      await server.allClosed();
    },
  );

  it('is limited by what it becomes', async () => {
    expect(await failureOf(() => read(gzipSync(Buffer.alloc(100_000)), 'gzip', { replyBytes: 50_000 }))).toMatchObject({
      kind: 'reply-too-large',
      limitBytes: 50_000,
    });
    await server.allClosed();
  });

  it('that expands a thousand times over is a failure', async () => {
    const zeros = brotliCompressSync(Buffer.alloc(8 * 1024 * 1024));
    expect(await failureOf(() => read(zeros, 'br'))).toMatchObject({ kind: 'encoding-unusable', reason: 'expansion' });
    await server.allClosed();
  });

  it('that breaks off on the way is a lost connection, and is tried again', async () => {
    const sent = gzipSync(randomBytes(5000));
    server = await startScripted((socket, _, number) =>
      number < 3
        ? socket.end(httpReply(200, sent, { 'Content-Encoding': 'gzip' }).subarray(0, -1000))
        : socket.end(httpReply(200, gzipSync(text), { 'Content-Encoding': 'gzip' })),
    );
    const client = createClient(connectionTo(server.origin), { timing: instantTiming() });
    expect(Buffer.from((await client.read(call)).body).toString()).toBe(text);
  });

  it.each([
    [gzipSync('Not enough rights'), 'gzip', 'Not enough rights'],
    [Buffer.from('x'), 'compress', ''],
  ])('keeps the meaning of its status', async (body, encoding, words) => {
    const client = createClient(connectionTo(await served(body, encoding, 400)), onceOnly);
    expect(await failureOf(() => client.read(call))).toMatchObject({
      kind: 'request-refused',
      status: 400,
      text: words,
    });
  });
});

it('a compressed download gives the bytes of the file, and announces no length', async () => {
  const bytes = Buffer.concat([randomBytes(300_000), Buffer.alloc(300_000)]);
  const api = createRepositoryApi(connectionTo(await served(gzipSync(bytes), 'gzip')), onceOnly);
  const reply = await api.downloadFile(createHash('md5').update(bytes).digest('hex'));
  expect(reply.expectedBytes).toBeNull();
  const chunks: Uint8Array[] = [];
  for await (const chunk of reply.chunks) chunks.push(chunk);
  expect(Buffer.concat(chunks).equals(bytes)).toBe(true);
});

it('a compressed download that is left early closes its connection', async () => {
  const api = createRepositoryApi(connectionTo(await served(gzipSync(randomBytes(900_000)), 'gzip')), onceOnly);
  const { chunks } = await api.downloadFile(md5);
  for await (const _ of chunks) break;
  expect(server.connections()).toBe(1);
  await server.allClosed();
});
