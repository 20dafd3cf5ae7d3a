import { Buffer } from 'node:buffer';
import { afterEach, describe, expect, it } from 'vitest';
import { failureOf } from '../failure-of.fixture.ts';
import { afterBody, mebibyte, partOf, sourceOf, tooMuch, zeros } from '../post.fixture.ts';
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
afterEach(() => server.close());

describe('a failing connection', () => {
  it.each<[string, Script]>([
    ['closed', (socket) => socket.destroy()],
    ['reset', (socket) => socket.resetAndDestroy()],
    ['closed politely', (socket) => socket.end()],
  ])('%s in the middle of the body is an ordinary failure, and nothing is resent', async (_, fall) => {
    const timing = instantTiming();
    const api = await serve((socket, head, number) => socket.once('data', () => fall(socket, head, number)), {
      timing,
    });
    const source = large();
    expect(await failureOf(() => upload(api, largePart(source)))).toMatchObject({
      kind: 'unreachable',
      reason: 'reset',
    });
    expect({
      requests: server.heads.length,
      slept: timing.slept,
      isOpen: source.isOpen(),
      opened: source.opened(),
    }).toEqual({ requests: 1, slept: [], isOpen: 0, opened: 1 });
  });

  const broken: [string, Script][] = [
    ['a close', (socket) => socket.destroy()],
    ['a reset', (socket) => socket.resetAndDestroy()],
    ['half a head', (socket) => socket.end('HTTP/1.1 200 OK\r\nX: ')],
    ['what is no HTTP', (socket) => socket.end('SSH-2.0\r\n')],
    ['a reply cut short', (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"files":')],
    [
      'a reset in the reply',
      (socket) =>
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"files":', () => socket.resetAndDestroy()),
    ],
    ['silence', () => {}],
    ['silence in the reply', (socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"files":')],
    [
      'hints without end',
      (socket) => {
        const hint = (): void =>
          void (
            socket.writable && socket.write('HTTP/1.1 102 Processing\r\n\r\n', () => globalThis.setImmediate(hint))
          );
        hint();
      },
    ],
  ];
  it.each(broken)('by %s after the whole body leaves open what has arrived, and nothing is resent', async (_, fall) => {
    const timing = instantTiming();
    const api = await serve(
      afterBody((socket, head, __, number) => fall(socket, head, number)),
      { timing },
      { ...patient, firstByteSeconds: 0.1, idleSeconds: 0.1 },
    );
    expect(await failureOf(() => upload(api, partOf('x')))).toEqual({
      kind: 'may-have-arrived',
      service: 'repository',
      address: api.address,
      action: 'uploadfiles',
    });
    expect({ requests: server.heads.length, slept: timing.slept }).toEqual({ requests: 1, slept: [] });
    await server.allClosed();
  });

  it('is retried when nothing was sent yet', async () => {
    const timing = instantTiming();
    const api = await serve((socket) => socket.end(good), { timing });
    await server.close();
    expect(await failureOf(() => upload(api, partOf('x')))).toMatchObject({ kind: 'unreachable', reason: 'refused' });
    expect(timing.slept).toEqual([500, 1000]);
    server = await startScripted(() => {});
  });

  it('leaves open what has arrived when its reply drips', async () => {
    let now = 0;
    const timing = { ...instantTiming(), now: () => (now += 10_000) };
    const api = await serve(
      afterBody((socket) => {
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 8000000\r\n\r\n');
        const more = (): void => void (socket.writable && socket.write(' ', () => globalThis.setImmediate(more)));
        more();
      }),
      { ...onceOnly, timing },
    );
    expect(await failureOf(() => upload(api, partOf('x')))).toMatchObject({ kind: 'may-have-arrived' });
    await server.allClosed();
  });

  it('stops an endless reply at its read limit', async () => {
    const api = await serve(
      afterBody((socket) => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        const pour = (): void => {
          while (socket.writable && socket.write(Buffer.alloc(65_536, ' ')));
        };
        socket.on('drain', pour);
        pour();
      }),
      { limits: { attempts: 1, replyBytes: mebibyte } },
    );
    expect(await failureOf(() => upload(api, partOf('x')))).toMatchObject({
      kind: 'reply-too-large',
      limitBytes: mebibyte,
    });
    await server.allClosed();
  });
});
