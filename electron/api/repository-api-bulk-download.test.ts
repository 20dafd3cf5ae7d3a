import { Buffer } from 'node:buffer';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { FailureError } from '../../shared/failure.ts';
import { whenBusy } from '../base/property.fixture.ts';
import { createRedaction } from '../base/redaction.ts';
import { failureOf } from './failure-of.fixture.ts';
import { archiveBytes } from './replies/file-replies.ts';
import { createRepositoryApi, type RepositoryApi } from './repository-api.ts';
import {
  connectionTo,
  httpReply,
  instantTiming,
  onceOnly,
  type Script,
  type ScriptedServer,
  startScripted,
} from './scripted-server.fixture.ts';

const md5s = ['a', 'b', 'c'].map((digit) => digit.repeat(32));
const entry = Buffer.from('PK\x03\x04 the rest of an archive', 'latin1');
const empty = Buffer.concat([Buffer.from('PK\x05\x06', 'latin1'), Buffer.alloc(18)]);
const refusedPage = '<html>\r\n<head><title>414 Request-URI Too Large</title></head></html>';
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

describe('the bulk download request', () => {
  it('names every hash in lower case and in order, the token last, over a separate connection', async () => {
    const api = await serve((socket) => socket.write(httpReply(200, entry)));
    for (let time = 0; time < 2; time += 1)
      await bytesOf((await api.bulkDownload(md5s.map((md5) => md5.toUpperCase()))).chunks);
    expect(server.heads[0]).toContain(`?action=bulkdownload&files%5B%5D=${md5s.join('&files%5B%5D=')}&token=`);
    expect(server.connections()).toBe(2);
    await server.allClosed();
  });

  it('has an address length that is known beforehand', async () => {
    const api = await serve((socket) => socket.end(httpReply(200, empty)));
    for (const list of [[], md5s.slice(0, 1), md5s]) {
      await bytesOf((await api.bulkDownload(list)).chunks);
      const [, target = ''] = server.heads.at(-1)?.split(' ') ?? [];
      expect(api.bulkAddressBytes(list)).toBe(server.origin.length + target.length);
    }
  });

  it('is retried while no byte of the archive was passed on', async () => {
    const options = { ...onceOnly, limits: {}, timing: instantTiming() };
    const api = await serve(
      (socket, _, number) => (number < 3 ? socket.end(httpReply(503, '')) : socket.end(httpReply(200, entry))),
      options,
    );
    expect(await bytesOf((await api.bulkDownload(md5s)).chunks)).toEqual(entry);
  });
});

describe('a bulk download archive', () => {
  const warning = `<br />\n<b>Warning</b>: ${'x'.repeat(60_000)}`;
  const large = Buffer.concat([entry, Buffer.alloc(3_000_000, 7)]);
  it.each<[string, Script, Uint8Array, number | null]>([
    ['of one piece', (socket) => socket.end(httpReply(200, entry)), entry, entry.length],
    ['of many', (socket) => socket.end(httpReply(200, large)), large, large.length],
    ['without entries', (socket) => socket.end(httpReply(200, empty)), empty, empty.length],
    [
      'with stray bytes inside the length',
      (socket) => socket.end(httpReply(200, Buffer.concat([entry, Buffer.from('{}')]))),
      Buffer.concat([entry, Buffer.from('{}')]),
      entry.length + 2,
    ],
    [
      'with stray bytes after the length',
      (socket) => socket.write(Buffer.concat([httpReply(200, entry), Buffer.from('{}')])),
      entry,
      entry.length,
    ],
    [
      'without a length',
      (socket) => socket.end(Buffer.concat([Buffer.from('HTTP/1.1 200 OK\r\n\r\n'), large])),
      large,
      null,
    ],
    [
      'byte by byte',
      (socket) => {
        for (const byte of httpReply(200, entry)) socket.write(Uint8Array.of(byte));
      },
      entry,
      entry.length,
    ],
    [
      'called JSON',
      (socket) => socket.end(httpReply(200, entry, { 'Content-Type': 'application/json' })),
      entry,
      entry.length,
    ],
    [
      'after a warning',
      (socket) => socket.end(httpReply(200, Buffer.concat([Buffer.from(warning), large]))),
      Buffer.concat([Buffer.from(warning), large]),
      warning.length + large.length,
    ],
  ])('%s is passed on as it arrives', async (_, script, bytes, expected) => {
    const api = await serve(script);
    const reply = await api.bulkDownload(md5s);
    expect(reply.expectedBytes).toBe(expected);
    expect((await bytesOf(reply.chunks)).equals(bytes)).toBe(true);
    await server.allClosed();
  });

  it('that is cut off gives the received bytes and then reports the missing ones', async () => {
    const api = await serve((socket) =>
      socket.end(Buffer.concat([Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 9000\r\n\r\n'), entry])),
    );
    const { chunks } = await api.bulkDownload(md5s);
    const received: Uint8Array[] = [];
    expect(
      await failureOf(async () => {
        for await (const chunk of chunks) received.push(chunk);
      }),
    ).toMatchObject({ kind: 'connection-lost', receivedBytes: entry.length, expectedBytes: 9000 });
    expect(Buffer.concat(received)).toEqual(entry);
  });

  it('closes its connection when its reader stops', async () => {
    const api = await serve((socket) => socket.write(Buffer.concat([Buffer.from('HTTP/1.1 200 OK\r\n\r\n'), large])));
    for await (const chunk of (await api.bulkDownload(md5s)).chunks) {
      expect(chunk.length).toBeGreaterThan(0);
      break;
    }
    await server.allClosed();
  });
});

describe('a bulk download reply without an archive', () => {
  it.each<[string, string | Uint8Array, object]>([
    ['text', 'Archive could not be made', { kind: 'not-an-archive', status: 200, text: 'Archive could not be made' }],
    ['a database’s error', 'Connection Failed: 2002', { kind: 'service-failed', text: 'Connection Failed: 2002' }],
    ['JSON that is no error', '{"files":[]}', { kind: 'not-an-archive', text: '{"files":[]}' }],
    ['another kind of archive', Buffer.from('Rar!\x1a\x07\x01\x00', 'latin1'), { kind: 'not-an-archive' }],
    ['the beginning of a signature', 'PK\x03', { kind: 'not-an-archive' }],
    [
      'an error in JSON with stray bytes',
      '{"error":"zip failed"}{}',
      { kind: 'request-refused', status: 200, text: 'zip failed' },
    ],
    ['a page', '<!DOCTYPE html><title>Login</title>', { kind: 'html-reply', status: 200 }],
    ['nothing', '', { kind: 'empty-reply', status: 200 }],
    ['nothing but the stray bytes', '{}', { kind: 'empty-reply', status: 200 }],
    [
      'an archive too far from the start',
      Buffer.concat([Buffer.alloc(65_536, 'x'), entry]),
      { kind: 'not-an-archive' },
    ],
  ])('%s under status 200 is a failure of its own', async (_, body, failure) => {
    const api = await serve((socket) => socket.end(httpReply(200, body)));
    expect(await failureOf(() => api.bulkDownload(md5s))).toMatchObject(failure);
    await server.allClosed();
  });

  it('is read no further than needed when it is endless', async () => {
    const api = await serve((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      const more = (): void => {
        while (socket.writable && socket.write(Buffer.alloc(65_536)));
      };
      socket.on('drain', more);
      more();
    });
    expect(await failureOf(() => api.bulkDownload(md5s))).toMatchObject({ kind: 'not-an-archive' });
    await server.allClosed();
  });

  it.each<[number, string, object]>([
    [403, 'Not enough rights', { kind: 'forbidden-or-unknown', hash: '' }],
    [
      403,
      '{"error":{"code":"file-restricted","message":"one of these is kept back"}}',
      { kind: 'forbidden', text: 'one of these is kept back' },
    ],
    [403, '{"error":{"code":"right-missing","message":"no right to download"}}', { kind: 'forbidden' }],
    [404, '{"error":{"code":"unknown-file","message":"no such sample"}}', { kind: 'unknown-hash', hash: '' }],
    [404, '{"error":{"code":"unknown-action","message":"x"}}', { kind: 'action-unknown', action: 'bulkdownload' }],
    [404, '', { kind: 'action-unknown', action: 'bulkdownload' }],
    [406, '', { kind: 'method-refused' }],
    [414, refusedPage, { kind: 'request-refused', status: 414 }],
    [431, '', { kind: 'request-refused', status: 431 }],
    [401, '', { kind: 'token-refused' }],
    [500, 'out of memory', { kind: 'service-failed', status: 500 }],
    [201, 'later', { kind: 'unreadable-reply', status: 201 }],
  ])('with %i %s refuses the whole list', async (status, body, failure) => {
    const api = await serve((socket) => socket.end(httpReply(status, body)));
    expect(await failureOf(() => api.bulkDownload(md5s))).toMatchObject(failure);
  });

  it.each<[number, string, string]>([
    [403, 'Not enough rights', 'forbidden-or-unknown'],
    [404, '{"error":{"code":"unknown-file","message":"x"}}', 'unknown-hash'],
  ])('with %i %s names the hash when it was the only one', async (status, body, kind) => {
    const api = await serve((socket) => socket.end(httpReply(status, body)));
    expect(await failureOf(() => api.bulkDownload(md5s.slice(0, 1)))).toMatchObject({ kind, hash: md5s[0] });
  });

  it(
    'is distinguished from an archive for any bytes in any pieces, without losing archive bytes',
    async () => {
      server = await startScripted(() => {});
      const facts = {
        service: 'repository',
        address: 'https://repo.example/api.php',
        action: 'bulkdownload',
        hashes: md5s,
        hasToken: true,
        redaction: createRedaction([]),
      } as const;
      const piece = fc.oneof(
        fc.uint8Array({ maxLength: 40 }),
        fc.constantFrom(
          ...['PK', '\x03\x04', 'PK\x03\x04', 'PK\x05\x06', '{}', '<html>'].map((text) => Buffer.from(text, 'latin1')),
        ),
      );
      const handedOn = async (pieces: Uint8Array[]): Promise<Buffer | null> => {
        const chunks = (async function* () {
          yield* pieces;
        })();
        const reported = await archiveBytes({ expectedBytes: null, chunks, facts }).catch((error: unknown) =>
          error instanceof FailureError ? null : Promise.reject(error),
        );
        return reported === null ? null : bytesOf(reported.chunks);
      };
      await fc.assert(
        fc.asyncProperty(fc.array(piece, { maxLength: 8 }), async (pieces) => {
          const whole = Buffer.concat(pieces);
          const isArchive = whole.includes('PK\x03\x04', 0, 'latin1') || whole.indexOf('PK\x05\x06', 0, 'latin1') === 0;
          expect(await handedOn(pieces)).toEqual(isArchive ? whole : null);
        }),
        { numRuns: 150 },
      );
    },
    whenBusy,
  );
});
