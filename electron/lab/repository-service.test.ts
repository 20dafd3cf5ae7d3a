import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, open, readdir, readlink, rm, truncate } from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { labCommandHere, startLabHere } from './running-lab.fixture.ts';
import { sampleFiles } from './sample-files.ts';

const eicarMd5 = '44d88612fea8a8f36de82e1278abb02f';
const unknownMd5 = '0'.repeat(32);
const memory = sampleFiles.find(({ name }) => name.startsWith('memory'));
const memoryBytes = memory?.make() ?? Buffer.alloc(0);
const memoryMd5 = createHash('md5').update(memoryBytes).digest('hex');
const errorReply = z.object({ error: z.object({ code: z.string(), message: z.string().min(5) }) });

let directory: string;
let lab: Awaited<ReturnType<typeof startLabHere>>;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'vitrine-lab-'));
  lab = await startLabHere(directory);
});
afterAll(async () => {
  await lab.stop();
  await rm(directory, { recursive: true, force: true });
});

async function expectError(response: Response, status: number, code: string): Promise<void> {
  const text = await response.text();
  expect({
    status: response.status,
    type: response.headers.get('content-type'),
    code: errorReply.parse(JSON.parse(text)).error.code,
  }).toEqual({
    status,
    type: 'application/json',
    code,
  });
  expect(text).not.toContain(lab.token);
}

/** Sends bytes as they are and gives everything that comes back until the lab hangs up. */
async function raw(bytes: string): Promise<string> {
  const socket = connect(Number(new URL(lab.origin).port), '127.0.0.1');
  let reply = '';
  socket.on('data', (chunk: Buffer) => (reply += chunk.toString('latin1')));
  socket.write(bytes, 'latin1');
  await once(socket, 'close');
  return reply;
}

describe('curl alone', () => {
  const curl = (...args: string[]) =>
    promisify(execFile)('curl', ['-sS', '--noproxy', '*', ...args], {
      encoding: 'buffer',
      maxBuffer: 2 * memoryBytes.length,
    });
  const address = (rest: string) => `${lab.origin}/repository/api.php?${rest}&token=${lab.token}`;

  test('reads a record as the service description documents it', async () => {
    const { stdout } = await curl(address(`action=getfile&hash=${eicarMd5}`));
    const { file } = z.object({ file: z.looseObject({}) }).parse(JSON.parse(stdout.toString()));
    expect(file).toMatchObject({
      md5: eicarMd5,
      filename: 'eicar.com',
      size: 68,
      criticity: 3,
      tags: 'tlp:clear,runnable:dos:com,testfile',
    });
  });

  test('downloads the bytes', async () => {
    const { stdout } = await curl(address(`action=downloadfile&file=${eicarMd5}`));
    expect(createHash('md5').update(stdout).digest('hex')).toBe(eicarMd5);
  });

  test('resumes an interrupted download', async () => {
    const { stdout } = await curl('-r', '1000000-', address(`action=downloadfile&file=${memoryMd5}`));
    expect(memoryBytes.subarray(1_000_000).equals(stdout)).toBe(true);
  });
});

describe('getfile', () => {
  test('returns the comments as a list that contains their parents', async () => {
    const reply = z.object({
      file: z.object({
        comments: z.array(
          z.object({
            id: z.number(),
            parent: z.number().nullable(),
            author: z.string(),
            content: z.string(),
            created: z.string(),
          }),
        ),
      }),
    });
    const { file } = reply.parse(await (await lab.ask('getfile', { hash: eicarMd5 })).json());
    const ids = file.comments.map(({ id }) => id);
    expect(file.comments.map(({ parent }) => (parent === null ? null : ids.indexOf(parent)))).toEqual([null, 0, 1]);
  });

  test('knows every sample file that the lab announced, under the announced name', async () => {
    for (const { md5, name, sizeBytes } of lab.sampleFiles) {
      const { file } = z
        .object({ file: z.looseObject({}) })
        .parse(await (await lab.ask('getfile', { hash: md5 })).json());
      expect(file).toMatchObject({ md5, filename: name, size: sizeBytes });
    }
  });

  test('accepts a hash in upper case and answers in lower case', async () => {
    expect(await (await lab.ask('getfile', { hash: eicarMd5.toUpperCase() })).json()).toMatchObject({
      file: { md5: eicarMd5 },
    });
  });

  test('answers an unknown hash with 404', async () => {
    await expectError(await lab.ask('getfile', { hash: unknownMd5 }), 404, 'unknown-file');
  });
});

describe('downloadfile', () => {
  const download = (headers: Record<string, string> = {}) => lab.ask('downloadfile', { file: memoryMd5 }, { headers });

  test('sends exactly the bytes, with their length, as an attachment that is never rendered', async () => {
    const response = await download();
    const { headers } = response;
    expect(memoryBytes.equals(new Uint8Array(await response.arrayBuffer()))).toBe(true);
    expect([headers.get('content-length'), headers.get('content-type'), headers.get('x-content-type-options')]).toEqual(
      [String(memoryBytes.length), 'application/octet-stream', 'nosniff'],
    );
    expect(headers.get('content-disposition')).toBe(`attachment; filename="${memoryMd5}"`);
  });

  test.each([
    ['across chunks', 'bytes=262100-786500', 262_100, 786_501],
    ['inside one chunk', 'bytes=7-9', 7, 10],
    ['on the edge of a chunk', 'bytes=262144-262144', 262_144, 262_145],
    ['at the end', 'bytes=-3', memoryBytes.length - 3, memoryBytes.length],
  ])('sends a range %s', async (_title, range, start, end) => {
    const response = await download({ Range: range });
    expect([response.status, response.headers.get('content-range')]).toEqual([
      206,
      `bytes ${start}-${end - 1}/${memoryBytes.length}`,
    ]);
    expect(memoryBytes.subarray(start, end).equals(new Uint8Array(await response.arrayBuffer()))).toBe(true);
  });

  test('sends the whole file when If-Range names other bytes, and the range when it names these', async () => {
    const whole = await download({ Range: 'bytes=5-', 'If-Range': '"other"' });
    expect([whole.status, (await whole.arrayBuffer()).byteLength]).toEqual([200, memoryBytes.length]);
    const rest = await download({ Range: 'bytes=5-', 'If-Range': whole.headers.get('etag') ?? '' });
    expect([rest.status, (await rest.arrayBuffer()).byteLength]).toEqual([206, memoryBytes.length - 5]);
  });

  test('refuses a range beyond the end and states the file’s length', async () => {
    const response = await download({ Range: `bytes=${memoryBytes.length}-` });
    expect(response.headers.get('content-range')).toBe(`bytes */${memoryBytes.length}`);
    await expectError(response, 416, 'range-not-satisfiable');
  });

  test('answers an unknown hash with 404', async () => {
    await expectError(await lab.ask('downloadfile', { file: unknownMd5 }), 404, 'unknown-file');
  });

  test('survives clients that disconnect midway, and continues to serve', async () => {
    for (let round = 0; round < 20; round += 1) {
      const request = get(`${lab.origin}/repository/api.php?action=downloadfile&token=${lab.token}&file=${memoryMd5}`);
      const [response]: IncomingMessage[] = await once(request, 'response');
      await once(response ?? request, 'data');
      request.destroy();
    }
    expect((await (await download()).arrayBuffer()).byteLength).toBe(memoryBytes.length);
    await expect.poll(openVaultFiles).toBe(0);
  });
});

/** How many containers this process holds open, where the system reports it (Linux's /proc); 0 elsewhere. */
async function openVaultFiles(): Promise<number> {
  if (process.platform !== 'linux') return 0;
  const handles = await readdir('/proc/self/fd');
  const targets = await Promise.all(handles.map((handle) => readlink(`/proc/self/fd/${handle}`).catch(() => '')));
  return targets.filter((target) => /\/vault\/[0-9a-f]{2}\//.test(target)).length;
}

test('the repository service listens on 127.0.0.1 and on no other address of this computer', async () => {
  const port = Number(new URL(lab.origin).port);
  const others = Object.values(networkInterfaces())
    .flatMap((found) => found ?? [])
    .map(({ address }) => address)
    .filter((address) => address !== '127.0.0.1');
  for (const host of [...others, '::1']) {
    const socket = connect(port, host);
    const error: unknown = await once(socket, 'connect').then(
      () => null,
      (reason: unknown) => reason,
    );
    socket.destroy();
    expect(error).toBeInstanceOf(Error);
  }
});

describe('rights', () => {
  const tokenWith = async (rights: readonly string[]) =>
    (await labCommandHere('token', 'add', '--rights', rights.join(','), '--data', directory)).trim();
  const ask = (token: string, action: string, parameter: string) => lab.ask(action, { token, [parameter]: eicarMd5 });

  test('refuse a revoked token at once while the lab runs', async () => {
    const token = await tokenWith(['read']);
    const results = await labCommandHere('token', 'list', '--data', directory);
    const number = results.trim().split('\n').at(-1)?.split('\t')[0] ?? '';
    expect((await ask(token, 'getfile', 'hash')).status).toBe(200);
    await labCommandHere('token', 'remove', number, '--data', directory);
    await expectError(await ask(token, 'getfile', 'hash'), 401, 'token-unknown');
  });

  test.each([
    ['none', '', 'token-missing'],
    ['a wrong one', 'x'.repeat(64), 'token-unknown'],
    ['one of another length', 'x', 'token-unknown'],
  ])('refuse a call with %s as 401', async (_title, token, code) => {
    await expectError(await ask(token, 'getfile', 'hash'), 401, code);
  });
});

describe('odd requests', () => {
  const at = (path: string) => fetch(`${lab.origin}${path}`);
  const api = (query: string) => at(`/repository/api.php?${query}`);

  test.each([
    ['no query', '', 400, 'missing-parameter'],
    ['an unknown action', 'action=format', 404, 'unknown-action'],
    ['an action of another service', 'action=scanfile', 404, 'unknown-action'],
    ['an action named like a part of every object', 'action=__proto__', 404, 'unknown-action'],
    ['another such', 'action=constructor', 404, 'unknown-action'],
    ['a repeated action', 'action=getfile&action=downloadfile', 400, 'repeated-parameter'],
    ['percent garbage', 'action=%zz%%%&%=%', 404, 'unknown-action'],
    ['bytes that are no UTF-8', 'action=%ff%fe', 404, 'unknown-action'],
    ['nulls', 'action=getfile%00', 404, 'unknown-action'],
    ['ten thousand parameters', 'a&'.repeat(7000), 400, 'repeated-parameter'],
  ])('are refused: %s', async (_title, query, status, code) => {
    await expectError(await api(query), status, code);
  });

  test.each([
    ['no hash', undefined, 'missing-parameter'],
    ['an empty one', '', 'missing-parameter'],
    ['a path', '../../lab.db', 'bad-parameter'],
    ['nulls in it', `${eicarMd5}\0`, 'bad-parameter'],
    ['a SHA-256', 'a'.repeat(64), 'bad-parameter'],
  ])('are refused with an invalid hash: %s', async (_title, hash, code) => {
    await expectError(await lab.ask('getfile', hash === undefined ? {} : { hash }), 400, code);
  });

  test.each([
    '/',
    '/api.php',
    '/repository',
    '/repository/api.php/',
    '/repository/../repository/lab.db',
    '//repository/api.php',
    '/REPOSITORY/api.php',
  ])('find nothing at %s', async (path) => {
    await expectError(await at(`${path}?action=getfile`), 404, 'unknown-address');
  });

  test('reach the rule editor, which reports an unknown action', async () => {
    await expectError(await at('/rules/api.php?action=getfile'), 404, 'unknown-action');
  });

  test.each(['POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH'])(
    'are refused with the allowed method when the method is %s',
    async (method) => {
      const response = await lab.ask('getfile', { hash: eicarMd5 }, { method });
      expect(response.headers.get('allow')).toBe('GET');
      await expectError(response, 405, 'wrong-method');
    },
  );

  test('are refused without a body when the method is HEAD', async () => {
    const response = await lab.ask('downloadfile', { file: eicarMd5 }, { method: 'HEAD' });
    expect([response.status, await response.text()]).toEqual([405, '']);
  });

  test('are refused with a huge address', async () => {
    await expectError(await api(`action=getfile&hash=${'a'.repeat(90_000)}`), 431, 'request-too-large');
  });

  const request = (host: string, rest = '') =>
    `GET /repository/api.php?action=getfile&token=${lab.token}&hash=${eicarMd5} HTTP/1.1\r\n` +
    `${host}Connection: close\r\n${rest}\r\n`;

  test.each([
    ['of a foreign page', 'Host: evil.example\r\n'],
    ['without the port', 'Host: 127.0.0.1\r\n'],
    ['that only begins like ours', 'Host: 127.0.0.1.evil.example\r\n'],
    ['empty', 'Host:\r\n'],
    ['missing', ''],
    ['that is said twice', 'Host: 127.0.0.1:PORT\r\nHost: evil.example\r\n'],
  ])('get nothing with a Host %s', async (_title, host) => {
    const reply = await raw(request(host.replace('PORT', new URL(lab.origin).port)));
    expect(reply).toMatch(/^HTTP\/1\.1 421 /);
    expect(reply).not.toContain('eicar');
  });

  test('are accepted with the name localhost', async () => {
    expect(await raw(request(`Host: localhost:${new URL(lab.origin).port}\r\n`))).toMatch(/^HTTP\/1\.1 200 /);
  });

  test('are refused as a GET with a body, and the connection ends, whatever else it carries', async () => {
    const host = `Host: ${new URL(lab.origin).host}\r\n`;
    const reply = await raw(request(host, 'Content-Length: 1000000\r\n').replace('Connection: close\r\n', ''));
    expect(reply).toMatch(/^HTTP\/1\.1 400 .*\r\n/);
    expect(reply).toMatch(/connection: close/i);
  });

  test.each([
    '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
    'hello\r\n\r\n',
    'GET /\0 HTTP/1.1\r\n\r\n',
    'GET / HTTP/9.9\r\n\r\n',
  ])('are answered with 400 when the bytes are not HTTP: %j', async (bytes) => {
    expect(await raw(bytes)).toMatch(/^HTTP\/1\.1 400 .*"code":"bad-request"/s);
  });
});

describe('a damaged container', () => {
  const sha256 = createHash('sha256').update(memoryBytes).digest('hex');
  const container = () => join(directory, 'vault', sha256.slice(0, 2), sha256);

  test('cuts the download off before its last byte when the damage shows only there', async () => {
    const file = await open(container(), 'r+');
    await file.write(Buffer.from([0, 1, 2, 3]), 0, 4, 2_000_000);
    await file.close();
    const response = await lab.ask('downloadfile', { file: memoryMd5 });
    expect(response.status).toBe(200);
    await expect(response.arrayBuffer()).rejects.toThrow();
  });

  test('is answered with an error when the damage shows at once', async () => {
    await truncate(container(), 1_000_000);
    await expectError(await lab.ask('downloadfile', { file: memoryMd5 }), 500, 'file-damaged');
  });

  test('is answered with an error when it is missing', async () => {
    await rm(container());
    await expectError(await lab.ask('downloadfile', { file: memoryMd5 }), 500, 'file-damaged');
  });
});
