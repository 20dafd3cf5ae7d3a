import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { type Program, startProgram } from '../program.ts';
import { type FieldDialectOptions, startFieldDialect } from './field-dialect.ts';

const eicarMd5 = '44d88612fea8a8f36de82e1278abb02f';
/** The lab's sample file `invoice_2291.exe`. */
const programMd5 = '46c5d9694b6935ba37406431c1e13d07';
const unknownMd5 = '0'.repeat(32);
const restrictedBytes = 'for a few only';
const restrictedMd5 = createHash('md5').update(restrictedBytes).digest('hex');
const lab = (...args: string[]): Program => startProgram('electron/lab.ts', [...args, '--data', directory]);
const record = z.object({ file: z.record(z.string(), z.unknown()).nullable() });

let directory: string;
let running: Program;
let target: string;
let token: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'vitrine-field-'));
  const file = join(directory, 'restricted.txt');
  await writeFile(file, restrictedBytes);
  if ((await lab('add', file, '--restricted').exited) !== 0) throw new Error('the lab did not take the file');
  running = lab('--port', '0');
  target = (await running.printed(/(http:\/\/127\.0\.0\.1:\d+\/repository)\/api\.php/))[1] ?? '';
  token = await tokenWith('read,download');
});
afterAll(async () => {
  await running.stop();
  await rm(directory, { recursive: true, force: true });
});

async function tokenWith(rights: string): Promise<string> {
  const [made = ''] = await lab('token', 'add', '--rights', rights).printed(/^[0-9A-Za-z_-]{32,}$/m);
  return made;
}

type Ask = (parameters: Record<string, string>, init?: RequestInit) => Promise<Response>;

/** A dialect for one test, asked with the good token unless another one is named. */
async function dialect(
  options: Partial<FieldDialectOptions> = {},
): Promise<{ ask: Ask; baseUrl: string; calls: readonly string[] }> {
  const { baseUrl, calls, close } = await startFieldDialect({ target, ...options });
  onTestFinished(close);
  return {
    baseUrl,
    calls,
    ask: (parameters, init = {}) =>
      fetch(`${baseUrl}/api.php?${new URLSearchParams({ token, ...parameters }).toString()}`, init),
  };
}

const getFile = (hash: string) => ({ action: 'getfile', hash });
const downloadFile = (file: string) => ({ action: 'downloadfile', file });

async function answerOf(response: Response): Promise<[number, string, string]> {
  return [response.status, response.headers.get('content-type') ?? '', await response.text()];
}

test('a record holds strings: numbers, a time without a zone, unordered tags, multiplied by the URLs', async () => {
  const { ask } = await dialect();
  const response = await ask(getFile(eicarMd5));
  expect(response.headers.get('content-type')).toMatch(/^text\/html/);
  const { file } = record.parse(await response.json());
  expect(file).toMatchObject({
    md5: eicarMd5,
    size: '68',
    criticity: '3',
    date: '2025-01-07 08:00:00',
    user_name: 'mira',
    uploader: '7',
    tags: 'testfile,testfile,runnable:dos:com,runnable:dos:com,tlp:clear,tlp:clear,tlp:clear,tlp:clear',
    virustotal_status: '-6',
    urls: expect.stringMatching(/^\w+\|https:/),
  });
  expect(file?.['comment']).toMatch(/^The antivirus test file/);
  expect(file).not.toHaveProperty('comments');
  expect(file).not.toHaveProperty('sha1');
});

test('newer releases return the comments as a list', async () => {
  const { ask } = await dialect({ comments: 'list' });
  const { file } = record.parse(await (await ask(getFile(eicarMd5))).json());
  expect(file).not.toHaveProperty('comment');
  expect(file?.['comments']).toMatchObject([
    { id: '1', parent: null, created: '2025-01-07 08:00:00', fullname: 'mira' },
    { id: '2', parent: '1' },
    { id: '3', parent: '2' },
  ]);
});

test('a program’s record contains JSON inside a string', async () => {
  const { ask } = await dialect();
  const { file } = record.parse(await (await ask(getFile(programMd5))).json());
  expect(JSON.parse(z.string().parse(file?.['pedata']))).toMatchObject({ sections: [] });
});

test.each([
  ['unknown', unknownMd5],
  ['in upper case', eicarMd5.toUpperCase()],
  ['no hash at all', 'nonsense'],
])('a hash that is %s returns no file instead of an error', async (_title, hash) => {
  const { ask } = await dialect();
  expect(await answerOf(await ask(getFile(hash)))).toEqual([200, 'text/html; charset=UTF-8', '{"file":null}']);
});

test('a download returns the same reply for a missing right, an unknown hash and an upper-case hash', async () => {
  const { ask } = await dialect();
  const reader = await tokenWith('read');
  for (const parameters of [
    { ...downloadFile(eicarMd5), token: reader },
    downloadFile(unknownMd5),
    downloadFile(eicarMd5.toUpperCase()),
  ]) {
    expect(await answerOf(await ask(parameters))).toEqual([403, 'application/json', 'Not enough rights']);
  }
});

test.each([
  ['no token', { action: 'getfile', token: '' }, 401],
  ['a wrong token', { ...getFile(eicarMd5), token: 'x' }, 401],
  ['an action of another release', { action: 'transmogrify' }, 404],
])('%s gets a status and an empty body', async (_title, parameters, status) => {
  const { ask } = await dialect();
  expect(await answerOf(await ask(parameters))).toEqual([status, 'text/html; charset=UTF-8', '']);
});

test.each(['HEAD', 'OPTIONS', 'POST'])('%s returns 406 with an empty body', async (method) => {
  const { ask } = await dialect();
  expect(await answerOf(await ask(getFile(eicarMd5), { method }))).toEqual([406, 'text/html; charset=UTF-8', '']);
});

test('a download adds two stray bytes within its length, ignores a range and has a meaningless type', async () => {
  const { ask } = await dialect();
  const response = await ask(downloadFile(eicarMd5), { headers: { Range: 'bytes=10-' } });
  const bytes = Buffer.from(await response.arrayBuffer());
  expect([response.status, response.headers.get('content-length'), response.headers.get('content-type')]).toEqual([
    200,
    '70',
    'application/json',
  ]);
  expect(bytes.subarray(68).toString()).toBe('{}');
  expect(createHash('md5').update(bytes.subarray(0, 68)).digest('hex')).toBe(eicarMd5);
});

test('a download can add the stray bytes after its length, on a connection that stays open', async () => {
  const { baseUrl } = await dialect({ stray: 'after-length' });
  const socket = connect(Number(new URL(baseUrl).port), '127.0.0.1');
  const request = `GET /api.php?action=downloadfile&token=${token}&file=${eicarMd5} HTTP/1.1\r\nHost: x\r\n\r\n`;
  let received = Buffer.alloc(0);
  socket.on('data', (chunk: Buffer) => (received = Buffer.concat([received, chunk])));
  socket.write(request);
  const whole = (): boolean => received.subarray(-2).toString() === '{}';
  while (!whole()) await once(socket, 'data');
  const [head = '', body = ''] = received.toString('latin1').split('\r\n\r\n');
  expect(head).toMatch(/content-length: 68\b/i);
  expect(head).toMatch(/connection: keep-alive/i);
  expect(body).toHaveLength(70);
  socket.destroy();
});

test('a download without stray bytes is the exact file', async () => {
  const { ask } = await dialect({ stray: 'none' });
  expect((await (await ask(downloadFile(eicarMd5))).arrayBuffer()).byteLength).toBe(68);
});

const bulkDownload = (...hashes: string[]) =>
  `action=bulkdownload&${hashes.map((hash) => `files[]=${hash}`).join('&')}`;
const askBulk = (baseUrl: string, hashes: string[], withToken = token) =>
  fetch(`${baseUrl}/api.php?${bulkDownload(...hashes)}&token=${withToken}`);

test('an archive also ends with the two stray bytes and has a meaningless type', async () => {
  const { baseUrl } = await dialect();
  const response = await askBulk(baseUrl, [eicarMd5, programMd5]);
  const bytes = Buffer.from(await response.arrayBuffer());
  expect([response.status, response.headers.get('content-type'), response.headers.get('content-length')]).toEqual([
    200,
    'application/json',
    String(bytes.length),
  ]);
  expect([bytes.readUInt32LE(0), bytes.readUInt32LE(bytes.length - 24), bytes.subarray(-2).toString()]).toEqual([
    0x04034b50,
    0x06054b50,
    '{}',
  ]);
  const bare = await dialect({ stray: 'none' });
  expect((await (await askBulk(bare.baseUrl, [eicarMd5, programMd5])).arrayBuffer()).byteLength).toBe(bytes.length - 2);
});

test.each([
  ['unknown', unknownMd5],
  ['in upper case', eicarMd5.toUpperCase()],
  ['no hash', 'nonsense'],
  ['restricted', restrictedMd5],
])('one hash that is %s fails the whole archive with the usual error', async (_title, hash) => {
  const { baseUrl } = await dialect();
  expect(await answerOf(await askBulk(baseUrl, [eicarMd5, hash]))).toEqual([
    403,
    'application/json',
    'Not enough rights',
  ]);
  expect((await askBulk(baseUrl, [eicarMd5])).status).toBe(200);
});

test('a restricted file is shown as locked, and its download is refused like any other', async () => {
  const { ask } = await dialect();
  expect(await (await ask(getFile(restrictedMd5))).json()).toMatchObject({ file: { md5: restrictedMd5, locked: '1' } });
  expect(await answerOf(await ask(downloadFile(restrictedMd5)))).toEqual([
    403,
    'application/json',
    'Not enough rights',
  ]);
});

test('an archive request with a wrong token, or one without the download right, gets the usual refusal', async () => {
  const { baseUrl } = await dialect();
  expect((await askBulk(baseUrl, [eicarMd5], await tokenWith('read'))).status).toBe(403);
  expect(await answerOf(await askBulk(baseUrl, [eicarMd5], 'x'))).toEqual([401, 'text/html; charset=UTF-8', '']);
});

test('an older release does not know the bulk download action', async () => {
  const { baseUrl } = await dialect({ bulk: 'none' });
  expect(await answerOf(await askBulk(baseUrl, [eicarMd5]))).toEqual([404, 'text/html; charset=UTF-8', '']);
});

test('an address longer than 8190 bytes gets a web page as an error, unless the server accepts more', async () => {
  const { baseUrl } = await dialect();
  const most = Math.floor((8190 - 200) / 41);
  expect(
    (
      await askBulk(
        baseUrl,
        Array.from({ length: most }, () => eicarMd5),
      )
    ).status,
  ).toBe(200);
  const [status, type, text] = await answerOf(
    await askBulk(
      baseUrl,
      Array.from({ length: most + 10 }, () => eicarMd5),
    ),
  );
  expect([status, type, text.slice(0, 14)]).toEqual([414, 'text/html; charset=iso-8859-1', '<!DOCTYPE HTML']);
  const generous = await dialect({ addressBytesAtMost: 65_536 });
  expect(
    (
      await askBulk(
        generous.baseUrl,
        Array.from({ length: most + 10 }, () => eicarMd5),
      )
    ).status,
  ).toBe(200);
});

test.each(['html', 'text'] as const)(
  'a notice of PHP comes before a record and before no record, as %s',
  async (notices) => {
    const { ask } = await dialect({ notices });
    for (const hash of [eicarMd5, unknownMd5]) {
      const [status, , text] = await answerOf(await ask(getFile(hash)));
      expect([status, text]).toEqual([
        200,
        expect.stringMatching(/^\s*(?:<br \/>\n<b>)?Notice.* line .*214.*\n\{"file":/s),
      ]);
    }
  },
);

test('a record comes as gzip whatever is asked for, where the server forces it', async () => {
  const { ask } = await dialect({ gzip: 'whole' });
  const response = await ask(getFile(unknownMd5), { headers: { 'Accept-Encoding': 'identity' } });
  expect([response.headers.get('content-encoding'), await response.text()]).toEqual(['gzip', '{"file":null}']);
});

test('a database that is down is a text with status 200 for every call', async () => {
  const { ask } = await dialect({ database: 'down' });
  for (const parameters of [getFile(eicarMd5), downloadFile(eicarMd5)])
    expect(await answerOf(await ask(parameters))).toEqual([200, 'text/html; charset=UTF-8', 'Connection Failed: 2002']);
});

test('a client that returns its session cookie is locked out, whatever its token', async () => {
  const { ask } = await dialect();
  const cookie = (await ask(getFile(eicarMd5))).headers.get('set-cookie')?.split(';')[0] ?? '';
  expect(cookie).toMatch(/^PHPSESSID=\w+$/);
  expect((await ask(getFile(eicarMd5), { headers: { Cookie: cookie } })).status).toBe(401);
});

test('the dialect server counts its calls without their tokens', async () => {
  const { ask, calls } = await dialect();
  await ask(getFile(eicarMd5));
  await ask(downloadFile(eicarMd5));
  expect(calls).toEqual(['GET getfile', 'GET downloadfile']);
});

test('the dialect server runs as a process that prints its address', async () => {
  const program = startProgram(fileURLToPath(new URL('field-dialect.ts', import.meta.url)), [
    '--target',
    target,
    '--stray',
    'none',
  ]);
  onTestFinished(async () => void (await program.stop()));
  const [address] = await program.printed(/http:\/\/127\.0\.0\.1:\d+/);
  const response = await fetch(`${address}/api.php?action=downloadfile&token=${token}&file=${eicarMd5}`);
  expect((await response.arrayBuffer()).byteLength).toBe(68);
});

test('the public release searches, lists tags and changes records, and knows no comments', async () => {
  const { ask } = await dialect({ release: { md5s: [eicarMd5, programMd5] } });
  const found = async (filter: Record<string, string>): Promise<unknown[]> => {
    const reply = z
      .object({ files: z.array(z.object({ md5: z.string(), tags: z.string() })) })
      .parse(await (await ask({ action: 'getfiles', ...filter })).json());
    return reply.files.map(({ md5 }) => md5);
  };
  expect(await found({})).toEqual([eicarMd5, programMd5]);
  expect(await found({ page: '2' })).toEqual([]);
  expect(await found({ name: 'INV_ICE', hash: eicarMd5 })).toEqual([programMd5]);
  expect(await found({ name: 'e%r.com' })).toEqual([eicarMd5]);
  expect(await found({ comment: 'antivirus test' })).toEqual([eicarMd5]);
  expect(await found({ sha256: '0'.repeat(64) })).toEqual([]);
  expect(await (await ask({ action: 'getfiles', tags: 'testf' })).text()).toContain('"tags":"testfile"');
  expect(await (await ask({ action: 'gettagsdata' })).text()).toContain('{"tag":"testfile","count":1}');
  expect((await ask({ action: 'updatefile' })).status).toBe(406);
  expect((await ask({ action: 'addcomment' })).status).toBe(404);
  const change = (fields: Record<string, string>): Promise<Response> =>
    ask({ action: 'updatefile' }, { method: 'POST', body: new URLSearchParams(fields) });
  expect(await answerOf(await change({ hash: eicarMd5, tags: 'a,b', vendor: 'Test.File' }))).toEqual([
    200,
    'application/json',
    '{}',
  ]);
  expect((await change({ hash: unknownMd5, tags: 'a' })).status).toBe(403);
  expect((await change({})).status).toBe(400);
  expect(await found({ vendor: 'test.f' })).toEqual([eicarMd5]);
  expect(record.parse(await (await ask(getFile(eicarMd5))).json()).file).toMatchObject({
    tags: 'a,b',
    threat: 'Test.File',
  });
});

test('a release with the documented actions only has no search', async () => {
  const { ask } = await dialect();
  for (const action of ['getfiles', 'gettagsdata', 'updatefile'])
    expect(await answerOf(await ask({ action }))).toEqual([404, 'text/html; charset=UTF-8', '']);
});
