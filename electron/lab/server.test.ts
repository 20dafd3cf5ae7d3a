import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Action } from './action.ts';
import { LabError } from './errors.ts';
import { type LabLimits, type LabServer, serveLab } from './server.ts';

const generous: LabLimits = { connections: 10, headersMs: 60_000, bodyMs: 60_000, dropMs: 1_000, idleMs: 60_000 };

async function server(
  answer: Action['answer'],
  limits: Partial<LabLimits> = {},
  method: Action['method'] = 'GET',
): Promise<LabServer & { report: ReturnType<typeof vi.fn> }> {
  const report = vi.fn();
  const started = await serveLab({
    port: 0,
    services: new Map([['/s/api.php', new Map([['act', { method, right: 'read', answer }]])]]),
    callerOf: async () => ({ token: 1, name: 'ana', rights: new Set(['read'] as const) }),
    report,
    limits: { ...generous, ...limits },
  });
  onTestFinished(() => started.close(0));
  return { ...started, report };
}

const target = '/s/api.php?action=act&token=secret-token';
const endless: Action['answer'] = async ({ response }) => {
  response.writeHead(200);
  const more = (): void => {
    while (!response.destroyed && response.write(Buffer.alloc(65_536)));
  };
  response.on('drain', more);
  more();
  await once(response, 'close');
};
const done: Action['answer'] = async ({ response }) => void response.end('done');

async function open(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  await once(socket, 'connect');
  return socket;
}

async function heardUntilClosed(socket: Socket): Promise<string> {
  let heard = '';
  socket.on('data', (chunk: Buffer) => (heard += chunk.toString()));
  await once(socket, 'close');
  return heard;
}

test('the server does not wait for headers that never arrive', async () => {
  const { port } = await server(done, { headersMs: 50 });
  const socket = await open(port);
  socket.write('GET / HTTP/1.1\r\nHost: ');
  expect(await heardUntilClosed(socket)).toMatch(/^HTTP\/1\.1 408 .*"code":"request-timeout"/s);
});

test('the server disconnects a client that stops reading', async () => {
  const letGo = Promise.withResolvers<boolean>();
  const { port } = await server((call) => endless(call).then(() => letGo.resolve(call.response.writableFinished)), {
    idleMs: 100,
  });
  const socket = await open(port);
  socket.pause();
  socket.write(`GET ${target} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`);
  expect(await letGo.promise).toBe(false);
  socket.destroy();
});

test('the server waits for an action that takes its time, before and after its reply begins', async () => {
  const { port } = await server(
    async (call) => {
      for await (const _ of call.body(1_000));
      call.response.setTimeout(20);
      for (let times = 0; times < 3; times += 1) await once(call.response, 'timeout');
      call.response.write('half');
      await once(call.response, 'timeout');
      call.response.end('done');
    },
    {},
    'POST',
  );
  const response = await fetch(`http://127.0.0.1:${port}${target}`, { method: 'POST', body: 'body' });
  expect(await response.text()).toBe('halfdone');
});

test('the server disconnects a client that sends nothing more once a slow action waits for it', async () => {
  const ended = Promise.withResolvers<unknown>();
  const { port } = await server(
    async (call) => {
      const chunks = call.body(1_000)[Symbol.asyncIterator]();
      await chunks.next();
      call.response.setTimeout(20);
      await once(call.response, 'timeout');
      await chunks.next().catch(ended.resolve);
    },
    {},
    'POST',
  );
  const socket = await open(port);
  socket.write(`${post(port, 1000)}half`);
  expect(await heardUntilClosed(socket)).toBe('');
  expect(await ended.promise).toBeInstanceOf(Error);
});

test('the server refuses connections over its limit, and serves them again when there is capacity', async () => {
  const { port } = await server(done, { connections: 2 });
  const held = [await open(port), await open(port)];
  expect(await heardUntilClosed(await open(port))).toBe('');
  const freed = held.map((socket) => once(socket, 'close'));
  for (const socket of held) socket.destroy();
  await Promise.all(freed);
  await expect
    .poll(async () =>
      fetch(`http://127.0.0.1:${port}${target}`).then(
        (reply) => reply.text(),
        () => 'turned away',
      ),
    )
    .toBe('done');
});

test('the server answers a defect without its detail and logs it without the token', async () => {
  const { port, report } = await server(() => Promise.reject(new TypeError('detail')));
  const response = await fetch(`http://127.0.0.1:${port}${target}`);
  expect([response.status, await response.json()]).toEqual([
    500,
    { error: { code: 'internal', message: expect.not.stringContaining('detail') } },
  ]);
  expect(report).toHaveBeenCalledExactlyOnceWith(expect.any(TypeError));
  expect(JSON.stringify(report.mock.calls)).not.toContain('secret-token');
});

test('the server cuts a reply off at a defect midway, so it cannot pass as complete', async () => {
  const { port } = await server(async ({ response }) => {
    response.writeHead(200);
    response.write('half');
    throw new TypeError('defect');
  });
  const response = await fetch(`http://127.0.0.1:${port}${target}`).catch(() => null);
  await expect(response === null ? Promise.reject(new Error('cut off')) : response.text()).rejects.toThrow();
});

test('closing lets a running reply end and accepts no new connection', async () => {
  let finish = (): void => {};
  const { port, close } = await server(async ({ response }) => {
    response.writeHead(200);
    response.write('first half, ');
    finish = () => void response.end('second half');
  });
  const [response]: IncomingMessage[] = await once(get({ port, host: '127.0.0.1', path: target }), 'response');
  const closed = close(60_000);
  const refused = await fetch(`http://127.0.0.1:${port}${target}`).then(
    () => 'taken',
    () => 'refused',
  );
  finish();
  const chunks: string[] = [];
  for await (const chunk of response ?? []) chunks.push(String(chunk));
  await closed;
  expect([refused, chunks.join('')]).toEqual(['refused', 'first half, second half']);
});

test('closing cuts off what does not end within the grace period', async () => {
  const { port, close } = await server(endless);
  const request = get({ port, host: '127.0.0.1', path: target });
  request.on('error', () => {});
  const [response]: IncomingMessage[] = await once(request, 'response');
  response?.on('error', () => {});
  await close(0);
  response?.resume();
  await once(request, 'close');
  expect(response?.complete).toBe(false);
});

const takeAll: Action['answer'] = async ({ body, response }) => {
  let bytes = 0;
  for await (const chunk of body(1_000_000)) bytes += chunk.length;
  response.end(`took ${bytes}`);
};
const post = (port: number, length: number): string =>
  `POST ${target} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Length: ${length}\r\nConnection: close\r\n\r\n`;

test('closing waits for what an action does after it was cut off', async () => {
  const begun = Promise.withResolvers<void>();
  const recording = Promise.withResolvers<void>();
  const { port, close } = await server(async () => {
    begun.resolve();
    await recording.promise;
  });
  const socket = await open(port);
  socket.write(`GET ${target} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`);
  await begun.promise;
  const ended: string[] = [];
  const closing = close(0).then(() => ended.push('lab'));
  await once(socket, 'close');
  // As long as an action that has its answer from a database.
  await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  ended.push('action');
  recording.resolve();
  await closing;
  expect(ended).toEqual(['action', 'lab']);
});

test('the server does not wait for a body that arrives too slowly', async () => {
  const { port } = await server(takeAll, { bodyMs: 100, dropMs: 0 }, 'POST');
  const socket = await open(port);
  const heard = heardUntilClosed(socket);
  socket.write(post(port, 1000));
  const drip = setInterval(() => socket.write('x'), 20);
  expect(await heard).toMatch(/^HTTP\/1\.1 408 .*"code":"request-timeout"/s);
  clearInterval(drip);
});

test('the server accepts a body that keeps moving, however long it takes', async () => {
  const { port } = await server(takeAll, { bodyMs: 0 }, 'POST');
  const socket = await open(port);
  const heard = heardUntilClosed(socket);
  socket.write(post(port, 40_960));
  for (let piece = 0; piece < 10; piece += 1) {
    socket.write(Buffer.alloc(4096));
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  expect(await heard).toMatch(/took 40960$/);
});

test('the server disconnects when a body stops', async () => {
  const letGo = Promise.withResolvers<unknown>();
  const { port } = await server(
    (call) =>
      takeAll(call).catch((error: unknown) => {
        letGo.resolve(error);
        throw error;
      }),
    { idleMs: 100 },
    'POST',
  );
  const socket = await open(port);
  socket.write(`${post(port, 1000)}half`);
  expect(await heardUntilClosed(socket)).toBe('');
  expect(await letGo.promise).toBeInstanceOf(Error);
});

test('the server reads further bytes of a refused client only for a moment', async () => {
  const { port } = await server(() => Promise.reject(new LabError('bad-parameter', 'refused')), { dropMs: 50 }, 'POST');
  const socket = await open(port);
  const heard = heardUntilClosed(socket);
  socket.write(`${post(port, 1_000_000_000)}${'x'.repeat(200_000)}`);
  expect(await heard).toMatch(/^HTTP\/1\.1 400 .*"message":"refused"/s);
});

describe('a call hidden in another', () => {
  const hiddenFor = (port: number): string => `GET ${target} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`;

  test.each<[string, (hidden: string) => string]>([
    [
      'behind a length beside chunks',
      (hidden) => `Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${hidden}`,
    ],
    ['behind chunks of a made-up kind', (hidden) => `Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n${hidden}`],
    ['in a body that a GET does not have', (hidden) => `Content-Length: ${hidden.length}\r\n\r\n${hidden}`],
    [
      'in its chunks',
      (hidden) => `Transfer-Encoding: chunked\r\n\r\n${hidden.length.toString(16)}\r\n${hidden}\r\n0\r\n\r\n`,
    ],
    ['behind two lengths', (hidden) => `Content-Length: 0\r\nContent-Length: ${hidden.length}\r\n\r\n${hidden}`],
  ])('is not executed %s', async (_title, rest) => {
    let carriedOut = 0;
    const { port } = await server(async (call) => {
      carriedOut += 1;
      await done(call);
    });
    const socket = await open(port);
    socket.end(`GET ${target} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n${rest(hiddenFor(port))}`, 'latin1');
    expect(await heardUntilClosed(socket)).toMatch(/^HTTP\/1\.1 400 /);
    expect(carriedOut).toBe(0);
  });
});
