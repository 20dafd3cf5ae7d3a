import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Lab, startLab } from './lab.ts';
import { boundary, field, file, formHeaders, multipart, type TestPart } from './multipart-body.fixture.ts';
import { anyToken, openUpload } from './running-lab.fixture.ts';

const limits = { files: 2, fields: 3, fileBytes: 600_000, requestBytes: 1_000_000, fieldBytes: 100 };
let directory: string;
let lab: Lab;
let at: { origin: string; token: string };
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'vitrine-lab-'));
  lab = await startLab({
    dataDirectory: directory,
    port: 0,
    session: { token: anyToken, rights: ['upload', 'read', 'comment'] },
    limits,
    report: (error) => expect.fail(String(error)),
  });
  at = { origin: `http://127.0.0.1:${lab.port}`, token: anyToken };
});
afterAll(async () => {
  await lab.close(0);
  await rm(directory, { recursive: true, force: true });
});

const address = (action: string, rest = ''): string =>
  `${at.origin}/repository/api.php?action=${action}&token=${anyToken}${rest}`;
const upload = (parts: readonly TestPart[]) =>
  fetch(address('uploadfiles'), { method: 'POST', headers: formHeaders, body: multipart(...parts) });
const code = async (response: Response): Promise<unknown> => [response.status, await response.json()];
const refusal = (status: number, name: string) => [status, { error: { code: name, message: expect.any(String) } }];
const isThere = async (bytes: Buffer): Promise<boolean> =>
  (await fetch(address('getfile', `&hash=${createHash('md5').update(bytes).digest('hex')}`))).ok;
async function answerTo(request: ClientRequest): Promise<unknown> {
  const [response]: IncomingMessage[] = await once(request, 'response');
  return response && [response.statusCode, JSON.parse(await text(response))];
}

test('an upload just within every limit is stored', async () => {
  const [one, two] = [randomBytes(600_000), randomBytes(300_000)];
  expect(
    (
      await upload([
        file('a', one),
        file('b', two),
        field('tags[]', 'x'.repeat(100)),
        field('tags[]', ''),
        field('comment', 'ä'.repeat(50)),
      ])
    ).status,
  ).toBe(200);
  expect([await isThere(one), await isThere(two)]).toEqual([true, true]);
});

test.each<[string, (bytes: Buffer) => TestPart[], number, string]>([
  ['a file too many', (bytes) => [file('a', bytes), file('b', 'b'), file('c', 'c')], 400, 'bad-parameter'],
  [
    'a field too many',
    (bytes) => [file('a', bytes), ...['a', 'b', 'c', 'd'].map((name) => field(name, ''))],
    400,
    'bad-parameter',
  ],
  ['a file that is too large', (bytes) => [file('a', bytes), file('b', randomBytes(600_001))], 413, 'body-too-large'],
  ['a text that is too long', (bytes) => [file('a', bytes), field('comment', 'ä'.repeat(51))], 413, 'body-too-large'],
])('an upload with %s is refused, and nothing is kept', async (_title, parts, status, name) => {
  const bytes = randomBytes(300_000);
  expect(await code(await upload(parts(bytes)))).toEqual(refusal(status, name));
  expect([await isThere(bytes), await readdir(join(directory, 'vault', 'incoming'))]).toEqual([false, []]);
});

test('a comment over the limit is 413', async () => {
  const body = new URLSearchParams({ hash: '0'.repeat(32), comment: JSON.stringify({ content: 'x'.repeat(101) }) });
  expect(await code(await fetch(address('addcomment'), { method: 'POST', body }))).toEqual(
    refusal(413, 'body-too-large'),
  );
});

test('a request with an announced length over the limit is refused before it is sent', async () => {
  const request = openUpload(at, { 'Content-Length': 1_000_001 });
  request.flushHeaders();
  expect(await answerTo(request)).toEqual(refusal(413, 'body-too-large'));
  request.destroy();
});

test('a client that expects 100-continue is refused before it sends, or invited to continue', async () => {
  const refused = openUpload(at, { 'Content-Length': 1_000_001, Expect: '100-continue' });
  refused.flushHeaders();
  expect(await answerTo(refused)).toEqual(refusal(413, 'body-too-large'));
  refused.destroy();
  const body = multipart(file('a', randomBytes(100)));
  const taken = openUpload(at, { 'Content-Length': body.length, Expect: '100-continue' });
  taken.flushHeaders();
  await once(taken, 'continue');
  taken.end(body);
  expect(await answerTo(taken)).toEqual([200, { files: [expect.objectContaining({ size: 100 })] }]);
});

test('a request of unannounced length is refused at the limit, and its client can still read why', async () => {
  const request = openUpload(at);
  request.on('error', () => {});
  request.write(`--${boundary}\r\nContent-Disposition: form-data; name="a"; filename="a"\r\n\r\n`);
  const answer = answerTo(request);
  for (let sent = 0; sent < 40; sent += 1) await new Promise((resolve) => request.write(Buffer.alloc(50_000), resolve));
  request.end();
  expect(await answer).toEqual(refusal(413, 'body-too-large'));
});

test('curl shows why an upload without the right, or over the limit, is refused', async () => {
  const path = join(directory, 'over.bin');
  await writeFile(path, randomBytes(3_000_000));
  const curl = async (...args: string[]) =>
    (await promisify(execFile)('curl', ['-sS', '--noproxy', '*', '-F', `f=@${path}`, ...args])).stdout;
  expect(JSON.parse(await curl(address('uploadfiles')))).toMatchObject({ error: { code: 'body-too-large' } });
  expect(JSON.parse(await curl('-H', 'Expect:', address('uploadfiles')))).toMatchObject({
    error: { code: 'body-too-large' },
  });
  expect(JSON.parse(await curl('-H', 'Expect:', address('uploadfiles').replace(anyToken, 'x')))).toMatchObject({
    error: { code: 'token-unknown' },
  });
});

test('uploads beyond the capacity are sent away to retry, and are accepted then', async () => {
  const held = Array.from({ length: 16 }, () => openUpload(at));
  const answers = held.map(answerTo);
  for (const request of held) request.write(`--${boundary}\r\n`);
  await expect.poll(async () => code(await upload([file('a', randomBytes(100))]))).toEqual(refusal(503, 'busy'));
  for (const request of held) request.end('Content-Disposition: form-data; name="a"; filename="a"\r\n\r\nx');
  expect(await Promise.all(answers)).toEqual(held.map(() => refusal(400, 'body-malformed')));
  expect((await upload([file('a', randomBytes(100))])).status).toBe(200);
});
