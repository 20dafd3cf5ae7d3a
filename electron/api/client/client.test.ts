import { Buffer } from 'node:buffer';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import type { Call } from '../call.ts';
import { failingReplies } from '../failing-replies.fixture.ts';
import { failureOf } from '../failure-of.fixture.ts';
import { createRepositoryApi } from '../repository-api.ts';
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
import { type Client, type ClientOptions, createClient } from './client.ts';

const md5 = 'a'.repeat(32);
const call: Call = { action: 'getfile', parameters: [['hash', md5]], hashes: [md5] };
/** Only the phase a test is about is short: on a busy machine any of them may take long. */
const { timeouts: patient } = connectionTo('');
const short = {
  connect: { ...patient, connectSeconds: 0.05 },
  'first-byte': { ...patient, firstByteSeconds: 0.05 },
  idle: { ...patient, idleSeconds: 0.05 },
};
let server: ScriptedServer;

async function serve(script: Script, options: ClientOptions = onceOnly, timeouts = patient): Promise<Client> {
  server = await startScripted(script);
  return createClient(connectionTo(server.origin, { timeouts }), options);
}
afterEach(() => server.close());

describe('a call', () => {
  it('sends action, parameters and then the token, and requests uncompressed bytes', async () => {
    const client = await serve((socket) => socket.end(httpReply(200, 'ok')));
    await client.read({
      ...call,
      parameters: [
        ['hash', md5],
        ['a b', 'c&d'],
      ],
    });
    const [line, ...headers] = server.heads[0]?.trim().split('\r\n') ?? [];
    expect(line).toBe(
      `GET /api.php?action=getfile&hash=${md5}&a%20b=c%26d&token=${encodeURIComponent(tokenOfTests)} HTTP/1.1`,
    );
    expect(headers.toSorted()).toEqual([
      'Accept-Encoding: identity',
      'Accept: */*',
      'Connection: close',
      `Host: 127.0.0.1:${server.port}`,
      'User-Agent: Vitrine',
    ]);
  });

  it('is sent without a token when there is none', async () => {
    server = await startScripted((socket) => socket.end(httpReply(401, '')));
    const client = createClient(connectionTo(server.origin, { token: null }), onceOnly);
    expect(await failureOf(() => client.read(call))).toEqual({ kind: 'token-missing', service: 'repository' });
    expect(server.heads[0]).not.toContain('token');
  });

  it('never returns a cookie and never reuses a connection', async () => {
    const client = await serve((socket) =>
      socket.write(httpReply(200, 'ok', { 'Set-Cookie': 'PHPSESSID=1', Connection: 'keep-alive' })),
    );
    await client.read(call);
    await client.read(call);
    expect(server.heads.join('')).not.toMatch(/cookie/i);
    expect(server.connections()).toBe(2);
    await server.allClosed();
  });

  it.each<[string, Script]>([
    ['with a length', (socket) => socket.write(httpReply(200, 'body'))],
    [
      'in chunks',
      (socket) =>
        socket.write(
          'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nbo\r\n2;x=y\r\ndy\r\n0\r\nTrailer: x\r\n\r\n',
        ),
    ],
    ['until the connection closes', (socket) => socket.end('HTTP/1.0 200 OK\r\n\r\nbody')],
    [
      'after early hints',
      (socket) =>
        socket.write(
          Buffer.concat([
            Buffer.from('HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n'),
            httpReply(200, 'body'),
          ]),
        ),
    ],
    [
      'byte by byte',
      (socket) => {
        for (const byte of httpReply(200, 'body')) socket.write(Uint8Array.of(byte));
      },
    ],
    ['with bytes after the end', (socket) => socket.write(Buffer.concat([httpReply(200, 'body'), Buffer.from('{}')]))],
    [
      'with another reply after the end',
      (socket) => socket.write(Buffer.concat([httpReply(200, 'body'), httpReply(200, 'other')])),
    ],
    ['with a reset after the end', (socket) => socket.write(httpReply(200, 'body'), () => socket.resetAndDestroy())],
  ])('reads a reply %s', async (_, script) => {
    const client = await serve(script);
    expect(Buffer.from((await client.read(call)).body).toString()).toBe('body');
  });

  it.each(failingReplies)('fails when answered with %s', async (_, script, kind) => {
    server = await startScripted(script);
    const timeouts = kind === 'timed-out' ? { ...patient, firstByteSeconds: 0.2, idleSeconds: 0.2 } : patient;
    const api = createRepositoryApi(connectionTo(server.origin, { timeouts }), onceOnly);
    // Nothing was sent that could be too large.
    expect(await failureOf(() => api.getFile(md5))).toMatchObject({
      kind: kind === 'too-large-for-service' ? 'request-refused' : kind,
    });
    await server.allClosed();
  });

  it('reads a reply only up to its limit', async () => {
    const client = await serve((socket) => socket.end(httpReply(200, 'x'.repeat(5000))), {
      limits: { replyBytes: 4999, attempts: 1 },
    });
    expect(await failureOf(() => client.read(call))).toMatchObject({ kind: 'reply-too-large', limitBytes: 4999 });
    const endless = createClient(connectionTo(server.origin), { limits: { replyBytes: 5000, attempts: 1 } });
    expect((await endless.read(call)).body).toHaveLength(5000);
  });

  it('ends at its limit even when the reply is endless', async () => {
    const client = await serve(
      (socket) => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        const pour = (): void => {
          while (socket.writable && socket.write(Buffer.alloc(65_536)));
        };
        socket.on('drain', pour);
        pour();
      },
      { limits: { replyBytes: 1_000_000, attempts: 1 } },
    );
    expect(await failureOf(() => client.read(call))).toMatchObject({ kind: 'reply-too-large' });
    await server.allClosed();
  });

  it('to a port without a listener is refused', async () => {
    const client = await serve(() => {});
    await server.close();
    expect(await failureOf(() => client.read(call))).toMatchObject({
      kind: 'unreachable',
      reason: 'refused',
      code: 'ECONNREFUSED',
    });
    server = await startScripted(() => {});
  });

  it('to an unknown host name reports the unknown name', async () => {
    await serve(() => {});
    const client = createClient(connectionTo('http://no-such-host.invalid'), onceOnly);
    expect(await failureOf(() => client.read(call))).toMatchObject({ kind: 'unreachable', reason: 'name' });
  });
});

describe('the time limits of a call', () => {
  it('bound the connection, TLS included', async () => {
    await serve(() => {});
    const mute = createServer().listen(0, '127.0.0.1');
    await once(mute, 'listening');
    const address = mute.address();
    const port = typeof address === 'object' ? address?.port : 0;
    const sockets: { destroy(): void }[] = [];
    mute.on('connection', (socket) => sockets.push(socket));
    const client = createClient(connectionTo(`https://127.0.0.1:${port}`, { timeouts: short.connect }), onceOnly);
    expect(await failureOf(() => client.read(call))).toMatchObject({
      kind: 'timed-out',
      phase: 'connect',
      seconds: 0.05,
    });
    for (const socket of sockets) socket.destroy();
    mute.close();
  });

  it.each<[string, Script, 'first-byte' | 'idle']>([
    ['the first byte', () => {}, 'first-byte'],
    ['a head that never ends', (socket) => socket.write('HTTP/1.1 200 OK\r\nX-Slow: '), 'first-byte'],
    [
      'hints without a reply',
      (socket) => {
        const hint = (): void =>
          void (socket.writable && socket.write('HTTP/1.1 103 Early Hints\r\n\r\n', () => setImmediate(hint)));
        hint();
      },
      'first-byte',
    ],
    ['silence in the body', (socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nbo'), 'idle'],
    ['silence in an error', (socket) => socket.write('HTTP/1.1 500 No\r\nContent-Length: 9\r\n\r\nbo'), 'idle'],
  ])('bound %s', async (_, script, phase) => {
    const client = await serve(script, onceOnly, short[phase]);
    expect(await failureOf(() => client.read(call))).toMatchObject({ kind: 'timed-out', phase, seconds: 0.05 });
    await server.allClosed();
  });

  it('end a transfer that drips, and leave one that progresses', async () => {
    // A clock that jumps ten seconds whenever it is read, so that every wait seems that long.
    const jumping = (): ClientOptions['timing'] => {
      let now = 0;
      return { ...instantTiming(), now: () => (now += 10_000) };
    };
    const drip =
      (bytes: number): Script =>
      (socket) => {
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 8000000\r\n\r\n');
        let left = 8_000_000;
        const more = (): void => {
          if (left <= 0 || !socket.writable) return;
          left -= bytes;
          socket.write(Buffer.alloc(Math.min(bytes, left + bytes)), () => setImmediate(more));
        };
        more();
      };
    const slow = await serve(drip(100), { timing: jumping(), limits: { attempts: 1 } } as ClientOptions);
    expect(await failureOf(() => slow.read(call))).toEqual({
      kind: 'timed-out',
      service: 'repository',
      address: `${server.origin}/api.php`,
      phase: 'stalled',
      seconds: 60,
    });
    await server.close();
    const steady = await serve(drip(400_000), { timing: jumping(), limits: { attempts: 1 } } as ClientOptions);
    expect((await steady.read(call)).body).toHaveLength(8_000_000);
  });
});

describe('a temporarily failing call', () => {
  it('is resent after the pause that the service requests', async () => {
    const timing = instantTiming();
    const client = await serve(
      (socket, _, number) =>
        socket.end(
          number === 1
            ? httpReply(503, 'busy', { 'Retry-After': '7' })
            : number === 2
              ? httpReply(429, '')
              : httpReply(200, 'ok'),
        ),
      { timing },
    );
    expect(Buffer.from((await client.read(call)).body).toString()).toBe('ok');
    expect(timing.slept).toEqual([7000, 1000]);
  });

  it('is resent when the reply breaks off', async () => {
    const timing = instantTiming();
    const client = await serve(
      (socket, _, number) =>
        socket.end(number === 1 ? 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nbo' : httpReply(200, 'ok')),
      { timing },
    );
    expect(Buffer.from((await client.read(call)).body).toString()).toBe('ok');
    expect(timing.slept).toEqual([500]);
  });

  it('is abandoned after three attempts', async () => {
    const timing = instantTiming();
    const client = await serve((socket) => socket.destroy(), { timing });
    expect(await failureOf(() => client.read(call))).toMatchObject({ kind: 'unreachable', reason: 'reset' });
    expect(server.heads).toHaveLength(3);
    expect(timing.slept).toEqual([500, 1000]);
  });
});

describe('a cancelled call', () => {
  it('does not start when it was cancelled before', async () => {
    const client = await serve((socket) => socket.end(httpReply(200, 'ok')));
    expect(await failureOf(() => client.read(call, { signal: AbortSignal.abort() }))).toEqual({ kind: 'cancelled' });
    expect(server.connections()).toBe(0);
  });

  it.each<[string, string]>([
    ['before the first byte', ''],
    ['in the head', 'HTTP/1.1 200 OK\r\nX: '],
    ['in the body', 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nbo'],
    ['in an error', 'HTTP/1.1 503 No\r\nContent-Length: 9\r\n\r\nbo'],
  ])('ends %s and leaves no connection', async (_, written) => {
    const controller = new AbortController();
    const client = await serve(
      (socket) =>
        socket.write(written, () => setImmediate(() => controller.abort(new Error('the caller’s own reason')))),
      { timing: instantTiming() },
    );
    expect(await failureOf(() => client.read(call, { signal: controller.signal }))).toEqual({ kind: 'cancelled' });
    await server.allClosed();
    expect(server.connections()).toBe(1);
  });

  it('ends during the proxy lookup', async () => {
    const controller = new AbortController();
    await serve(() => {});
    const proxyFor = (): Promise<null> => new Promise(() => setImmediate(() => controller.abort()));
    const client = createClient(connectionTo('http://repo.example', { proxyFor }), onceOnly);
    expect(await failureOf(() => client.read(call, { signal: controller.signal }))).toEqual({ kind: 'cancelled' });
  });

  it('ends while it waits to be resent', async () => {
    const controller = new AbortController();
    const client = await serve(
      (socket) =>
        socket.end(httpReply(503, '', { 'Retry-After': '10' }), () =>
          setImmediate(() => setImmediate(() => controller.abort())),
        ),
      {},
    );
    expect(await failureOf(() => client.read(call, { signal: controller.signal }))).toEqual({ kind: 'cancelled' });
    expect(server.heads).toHaveLength(1);
  });
});
