import { Buffer } from 'node:buffer';
import { setImmediate } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { errorOf, failureOf } from '../failure-of.fixture.ts';
import { afterBody, mebibyte, partOf, receivedBytes, sourceOf, tooMuch, zeros } from '../post.fixture.ts';
import { createRepositoryApi, type RepositoryApi, type UploadOptions } from '../repository-api.ts';
import {
  connectionTo,
  httpReply,
  instantTiming,
  onceOnly,
  type Script,
  type ScriptedServer,
  startScripted,
} from '../scripted-server.fixture.ts';
import type { UploadPart } from '../uploads.ts';
import type { ClientOptions } from './client.ts';

const { timeouts: patient } = connectionTo('');
const idle = { ...patient, idleSeconds: 0.1 };
const good = httpReply(200, '{"files":[]}');
let server: ScriptedServer;

async function serve(script: Script, options: ClientOptions = onceOnly, timeouts = patient): Promise<RepositoryApi> {
  server = await startScripted(script);
  return createRepositoryApi(connectionTo(server.origin, { timeouts }), options);
}
const upload = (api: RepositoryApi, part: UploadPart, options: UploadOptions = {}) =>
  api.uploadFiles({ parts: [part], comment: '', tokenInForm: false, decodesComments: false }, options);
const largePart = (source: Pick<UploadPart, 'open'>): UploadPart =>
  partOf('', { sizeBytes: tooMuch, open: source.open });
const large = () => sourceOf(() => zeros(tooMuch));
const lengthIn = (head: string): number => Number(/^content-length: (\d+)/im.exec(head)?.[1]);
const never = (): Promise<Uint8Array[]> => new Promise(() => {});
afterEach(() => server.close());

describe('a reply before the whole body is sent', () => {
  it.each<[string, Buffer, object]>([
    ['401', httpReply(401, ''), { kind: 'token-refused' }],
    ['403', httpReply(403, 'No right to upload'), { kind: 'forbidden', text: 'No right to upload' }],
    ['413', httpReply(413, '<html>Too large</html>'), { kind: 'too-large-for-service', status: 413 }],
    ['400', httpReply(400, 'missing files'), { kind: 'request-refused', text: 'missing files' }],
    ['a login page', httpReply(200, '<!DOCTYPE html><title>Login</title>'), { kind: 'html-reply' }],
    ['a redirect', httpReply(302, '', { Location: '/login' }), { kind: 'redirected' }],
    ['an empty success', httpReply(200, ''), { kind: 'empty-reply' }],
    [
      '413 after hints',
      Buffer.concat([Buffer.from('HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\n\r\n'), httpReply(413, '')]),
      { kind: 'too-large-for-service' },
    ],
  ])('with %s is the outcome, and sending stops', async (_, reply, failure) => {
    for (const leave of [false, true]) {
      const api = await serve((socket) => (leave ? socket.end(reply) : socket.write(reply)));
      const source = large();
      let wasAtEnd = false;
      expect(
        await failureOf(() =>
          upload(api, largePart(source), {
            beforeEnd: () => {
              wasAtEnd = true;
            },
          }),
        ),
      ).toMatchObject(failure);
      expect({ wasAtEnd, isOpen: source.isOpen() }).toEqual({ wasAtEnd: false, isOpen: 0 });
      await server.allClosed();
      await server.close();
    }
    server = await startScripted(() => {});
  });

  it('is still read when the server then resets the connection', async () => {
    // Only after some of the body, so that the client is in the middle of writing.
    const api = await serve((socket) =>
      socket.once('data', () => socket.write(httpReply(413, 'Too large'), () => socket.resetAndDestroy())),
    );
    for (let time = 0; time < 20; time += 1)
      expect(await failureOf(() => upload(api, largePart(large())))).toMatchObject({ kind: 'too-large-for-service' });
  });

  it('is the outcome by its status when its body breaks off or stalls', async () => {
    const api = await serve(
      (socket, _, number) => {
        socket.write('HTTP/1.1 413 No\r\nContent-Length: 100\r\n\r\ntoo');
        if (number === 1) socket.end();
      },
      onceOnly,
      idle,
    );
    for (let time = 0; time < 2; time += 1)
      expect(await failureOf(() => upload(api, largePart(large())))).toMatchObject({ kind: 'too-large-for-service' });
    await server.allClosed();
  });

  it('is the outcome while the source has not delivered yet', async () => {
    const api = await serve((socket) => socket.write(httpReply(401, '')));
    const source = sourceOf(async function* () {
      yield Buffer.alloc(2 * mebibyte);
      yield* await never();
    });
    expect(await failureOf(() => upload(api, largePart(source)))).toMatchObject({ kind: 'token-refused' });
    await server.allClosed();
  });

  it('keeps the end from being sent, even when it arrives just before', async () => {
    const received = Promise.withResolvers<{ length(): number }>();
    const replied = Promise.withResolvers<void>();
    let expected = 0;
    const api = await serve((socket, head) => {
      expected = lengthIn(head);
      received.resolve(receivedBytes(socket, head));
      replied.promise.then(
        () => socket.write(httpReply(403, 'no')),
        () => {},
      );
    });
    const failure = await failureOf(() =>
      upload(api, partOf('content'), {
        beforeEnd: async () => {
          replied.resolve();
          await setImmediate();
          await setImmediate();
        },
      }),
    );
    expect(failure).toMatchObject({ kind: 'forbidden' });
    await server.allClosed();
    expect((await received.promise).length()).toBeLessThan(expected);
  });
});

describe('the end of a body', () => {
  it('is sent only after beforeEnd has resolved and everything else was sent', async () => {
    const arrived = Promise.withResolvers<Buffer>();
    const api = await serve((socket, head) => {
      const bytes = receivedBytes(socket, head);
      const rest = lengthIn(head) - (/boundary=(\S+)/.exec(head)?.[1]?.length ?? 0) - '\r\n----\r\n'.length;
      const check = (): void => {
        if (bytes.length() >= rest) arrived.resolve(bytes.all());
        if (bytes.length() === lengthIn(head)) socket.end(good);
      };
      socket.on('data', check);
      check();
    });
    let before: Buffer = Buffer.alloc(0);
    await upload(api, partOf('the content'), {
      beforeEnd: async () => {
        before = await arrived.promise;
      },
    });
    expect(before.toString().endsWith('\r\n\r\nthe content')).toBe(true);
  });

  it('is never sent when beforeEnd fails, and the failure is that of beforeEnd', async () => {
    const received = Promise.withResolvers<{ length(): number; all(): Buffer }>();
    const api = await serve((socket, head) => received.resolve(receivedBytes(socket, head)));
    const own = Object.assign(new Error('the disk is full'), { code: 'ENOSPC' });
    expect(await errorOf(() => upload(api, partOf('content'), { beforeEnd: () => Promise.reject(own) }))).toBe(own);
    await server.allClosed();
    expect((await received.promise).all().toString()).not.toContain('--\r\n');
  });

  it('is never sent when the call is cancelled during beforeEnd, which is still awaited', async () => {
    const api = await serve(() => {});
    const controller = new AbortController();
    let isDone = false;
    const failure = await failureOf(() =>
      upload(api, partOf('content'), {
        signal: controller.signal,
        beforeEnd: async () => {
          controller.abort();
          await setImmediate();
          isDone = true;
        },
      }),
    );
    expect({ failure, isDone }).toEqual({ failure: { kind: 'cancelled' }, isDone: true });
    await server.allClosed();
  });
});

describe('a service that stops reading', () => {
  it('is not waited for longer than the idle time', async () => {
    const api = await serve((socket) => socket.pause(), onceOnly, idle);
    const source = large();
    expect(await failureOf(() => upload(api, largePart(source)))).toMatchObject({
      kind: 'timed-out',
      phase: 'idle',
      seconds: 0.1,
    });
    expect(source.isOpen()).toBe(0);
  });

  it('cannot extend the wait with interim replies', async () => {
    const api = await serve(
      (socket) => {
        socket.pause();
        const hint = (): void =>
          void (
            socket.writable && socket.write('HTTP/1.1 102 Processing\r\n\r\n', () => globalThis.setImmediate(hint))
          );
        hint();
      },
      { limits: { attempts: 1, stalledBytesPerSecond: 1e9 } },
      idle,
    );
    expect(await failureOf(() => upload(api, largePart(large())))).toMatchObject({
      kind: 'timed-out',
      phase: 'stalled',
    });
    await server.allClosed();
  });

  it('gets little more data than it reads', async () => {
    let read = 0;
    const api = await serve((socket) => socket.pause(), onceOnly, idle);
    const source = sourceOf(function* () {
      for (const piece of zeros(tooMuch)) {
        read += piece.length;
        yield piece;
      }
    });
    await failureOf(() => upload(api, largePart(source)));
    expect(read).toBeLessThan(tooMuch / 2);
  });

  it('is not blamed for a slow source', async () => {
    const api = await serve(
      afterBody((socket) => socket.end(good)),
      onceOnly,
      { ...patient, firstByteSeconds: 0.05, idleSeconds: 0.05 },
    );
    const slow = sourceOf(async function* () {
      for (const text of ['ab', 'cd']) {
        await new Promise((resolve) => globalThis.setTimeout(resolve, 120));
        yield Buffer.from(text);
      }
    });
    expect(await upload(api, partOf('abcd', { open: slow.open }))).toEqual({ items: [] });
  });
});

describe('an unreadable body', () => {
  it.each<[string, Error]>([
    ['a defect', new TypeError('a defect')],
    ['what looks like a network error', Object.assign(new Error('gone'), { code: 'ECONNRESET' })],
  ])('aborts the request with %s, unchanged', async (_, thrown) => {
    const received = Promise.withResolvers<{ all(): Buffer }>();
    const timing = instantTiming();
    const api = await serve((socket, head) => received.resolve(receivedBytes(socket, head)), { timing });
    const source = sourceOf(function* () {
      yield Buffer.alloc(3 * mebibyte);
      throw thrown;
    });
    expect(await errorOf(() => upload(api, largePart(source)))).toBe(thrown);
    await server.allClosed();
    expect((await received.promise).all().includes('--\r\n')).toBe(false);
    expect({ isOpen: source.isOpen(), slept: timing.slept }).toEqual({ isOpen: 0, slept: [] });
  });

  it.each([[5], [7]])('with %i bytes instead of 6 counts as a changed file', async (length) => {
    let wasAtEnd = false;
    const api = await serve(() => {});
    const part = partOf('', { name: 'x.exe', sizeBytes: 6, open: () => sourceOf(() => [Buffer.alloc(length)]).open() });
    expect(
      await failureOf(() =>
        upload(api, part, {
          beforeEnd: () => {
            wasAtEnd = true;
          },
        }),
      ),
    ).toEqual({ kind: 'file-changed', name: 'x.exe' });
    expect(wasAtEnd).toBe(false);
    await server.allClosed();
  });
});

describe('a cancelled upload', () => {
  it('does not open its files when it was cancelled before the start', async () => {
    const api = await serve(() => {});
    const source = large();
    expect(await failureOf(() => upload(api, largePart(source), { signal: AbortSignal.abort() }))).toEqual({
      kind: 'cancelled',
    });
    expect({ opened: source.opened(), connections: server.connections() }).toEqual({ opened: 0, connections: 0 });
  });

  it('ends in the middle of the body and leaves nothing open', async () => {
    const api = await serve(() => {});
    const controller = new AbortController();
    const source = large();
    expect(
      await failureOf(() =>
        upload(api, largePart(source), { signal: controller.signal, moved: () => controller.abort() }),
      ),
    ).toEqual({ kind: 'cancelled' });
    expect(source.isOpen()).toBe(0);
    await server.allClosed();
  });

  it('ends while the source has not delivered yet', async () => {
    const api = await serve(() => {});
    const controller = new AbortController();
    const source = sourceOf(async function* () {
      globalThis.setImmediate(() => controller.abort());
      yield* await never();
    });
    expect(await failureOf(() => upload(api, largePart(source), { signal: controller.signal }))).toEqual({
      kind: 'cancelled',
    });
    await server.allClosed();
  });

  it('may have arrived once its end was sent', async () => {
    const controller = new AbortController();
    const api = await serve(afterBody(() => controller.abort()));
    expect(await failureOf(() => upload(api, partOf('x'), { signal: controller.signal }))).toMatchObject({
      kind: 'may-have-arrived',
    });
    await server.allClosed();
  });
});

describe('an upload retry', () => {
  it('starts over, after the pause that the service requested before the whole body was sent', async () => {
    const timing = instantTiming();
    const whole = afterBody((socket) => socket.end(good));
    const api = await serve(
      (socket, head, number) =>
        number === 1 ? socket.end(httpReply(429, '', { 'Retry-After': '7' })) : whole(socket, head, number),
      { timing },
    );
    const source = large();
    let ends = 0;
    await upload(api, largePart(source), {
      beforeEnd: () => {
        ends += 1;
      },
    });
    expect({ slept: timing.slept, ends, opened: source.opened() }).toEqual({ slept: [7000], ends: 1, opened: 2 });
  });

  it.each<[number, Record<string, string>, string]>([
    [429, {}, 'slow-down'],
    [429, { 'Retry-After': '1' }, 'slow-down'],
    [429, { 'Retry-After': '3600' }, 'slow-down'],
    [502, {}, 'service-failed'],
    [503, {}, 'service-failed'],
    [503, { 'Retry-After': '1' }, 'slow-down'],
    [504, {}, 'service-failed'],
  ])('never follows %i %o', async (status, headers, kind) => {
    const timing = instantTiming();
    const api = await serve(
      afterBody((socket) => socket.end(httpReply(status, '', headers))),
      { timing },
    );
    expect(await failureOf(() => upload(api, partOf('x')))).toMatchObject({ kind });
    expect({ requests: server.heads.length, slept: timing.slept }).toEqual({ requests: 1, slept: [] });
  });
});
