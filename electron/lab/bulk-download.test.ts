import { execFile, spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { labCommand, labCommandHere, type ServingLab, startLabHere } from './running-lab.fixture.ts';
import { sampleFileList } from './stock.ts';

const run = promisify(execFile);
const unknownMd5 = '0'.repeat(32);
const md5Of = (bytes: Uint8Array): string => createHash('md5').update(bytes).digest('hex');
const errorReply = z.object({ error: z.object({ code: z.string() }) });
const sampleFileMd5s = sampleFileList().map(({ md5 }) => md5);

const restrictedBytes = Buffer.from('for a few only\n'.repeat(100));
const restrictedMd5 = md5Of(restrictedBytes);
const damagedBytes = randomBytes(3_000_000);
const many = Array.from({ length: 300 }, (_, index) => Buffer.from(`generated ${index}\n`.repeat(index + 1)));

let directory: string;
let addedMany: Awaited<ReturnType<typeof labCommand>>;
let lab: ServingLab;
/** A token that may download, but no restricted files. */
let plainToken: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'vitrine-lab-'));
  const data = join(directory, 'data');
  await mkdir(join(directory, 'files'));
  const paths = await Promise.all(many.map((bytes, index) => written(`${index}.txt`, bytes)));
  addedMany = await labCommand('add', ...paths, '--data', data);
  await labCommandHere(
    'add',
    await written('restricted.txt', restrictedBytes),
    await written('damaged.bin', damagedBytes),
    '--restricted',
    '--data',
    data,
  );
  plainToken = (await labCommandHere('token', 'add', '--rights', 'read,download', '--data', data)).trim();
  lab = await startLabHere(data);
});
afterAll(async () => {
  await lab.stop();
  await rm(directory, { recursive: true, force: true });
});

async function written(name: string, bytes: Uint8Array): Promise<string> {
  const path = join(directory, 'files', name);
  await writeFile(path, bytes);
  return path;
}

const address = (md5s: string[], token = plainToken, brackets = '[]'): string =>
  `${lab.origin}/repository/api.php?action=bulkdownload` +
  `&${md5s.map((md5) => `files${brackets}=${md5}`).join('&')}&token=${token}`;

async function expectRefusal(response: Response, status: number, code: string): Promise<void> {
  const text = await response.text();
  expect([
    response.status,
    response.headers.get('content-type'),
    errorReply.parse(JSON.parse(text)).error.code,
  ]).toEqual([status, 'application/json', code]);
}

/**
 * The MD5 of each entry's bytes by its name, as python reads the archive from a pipe; its checks of CRC and structure
 * included.
 */
async function entriesOf(zip: Uint8Array): Promise<Record<string, string>> {
  const program =
    'import sys,io,json,zipfile,hashlib;z=zipfile.ZipFile(io.BytesIO(sys.stdin.buffer.read()));assert ' +
    'z.testzip() is None;print(json.dumps([[n,hashlib.md5(z.read(n)).hexdigest()] for n in z.namelist()]))';
  const python = spawn('python3', ['-c', program], { stdio: ['pipe', 'pipe', 'inherit'] });
  python.stdin.end(zip);
  const pairs = z.array(z.tuple([z.string(), z.string()])).parse(JSON.parse((await buffer(python.stdout)).toString()));
  expect(new Set(pairs.map(([name]) => name)).size).toBe(pairs.length);
  return Object.fromEntries(pairs);
}

const named = (md5s: string[]): Record<string, string> => Object.fromEntries(md5s.map((md5) => [md5, md5]));

describe('a bulk download by curl alone', () => {
  const curl = async (...args: string[]): Promise<Buffer> =>
    (await run('curl', ['-sS', '--globoff', '--noproxy', '*', ...args], { encoding: 'buffer', maxBuffer: 2 ** 26 }))
      .stdout;

  test('returns every lab sample under its MD5, in the requested order', async () => {
    const entries = await entriesOf(await curl(address(sampleFileMd5s)));
    expect(Object.keys(entries)).toEqual(sampleFileMd5s);
    expect(entries).toEqual(named(sampleFileMd5s));
  });

  test('may percent-encode the brackets', async () => {
    expect(await entriesOf(await curl(address([restrictedMd5, ...sampleFileMd5s], lab.token, '%5B%5D')))).toEqual(
      named([restrictedMd5, ...sampleFileMd5s]),
    );
  });

  test('reports the reason of a refused bulk download', async () => {
    expect(errorReply.parse(JSON.parse((await curl(address([unknownMd5]))).toString())).error.code).toBe(
      'unknown-file',
    );
  });
});

test('add stores many files in one command and lists them in the order named', () => {
  expect(addedMany).toMatchObject({
    code: 0,
    results: many.map((bytes, index) => `${md5Of(bytes)}  ${index}.txt\n`).join(''),
  });
});

test('unzip and 7z find no error in the archive', async () => {
  const path = await written('reply.zip', new Uint8Array(await (await fetch(address(many.map(md5Of)))).arrayBuffer()));
  expect((await run('unzip', ['-tq', path])).stdout).toContain('No errors detected');
  expect((await run('7z', ['t', path])).stdout).toMatch(/Everything is Ok[^]*Files: 300/);
});

test('a bulk download has one entry for a hash named twice, in any case', async () => {
  const [first = '', second = ''] = sampleFileMd5s;
  const response = await fetch(address([first, second.toUpperCase(), first, second]));
  expect(response.headers.get('content-type')).toBe('application/zip');
  expect(await entriesOf(new Uint8Array(await response.arrayBuffer()))).toEqual(named([first, second]));
});

test('the lab reads an address of 64 KiB and refuses a longer one with an error', async () => {
  const hashes = (length: number): string[] =>
    Array.from({ length: Math.floor((length - 200) / 41) }, (_, index) =>
      md5Of(many[index % many.length] ?? many[0] ?? Buffer.alloc(0)),
    );
  const response = await fetch(address(hashes(64 * 1024)));
  expect(Object.keys(await entriesOf(new Uint8Array(await response.arrayBuffer())))).toHaveLength(many.length);
  await expectRefusal(await fetch(address(hashes(128 * 1024))), 431, 'request-too-large');
});

describe('a bulk download with one unavailable file', () => {
  const [good = ''] = sampleFileMd5s;

  test.each([
    ['an unknown hash', () => [good, unknownMd5], 404, 'unknown-file'],
    ['a restricted one', () => [good, restrictedMd5, good], 403, 'file-restricted'],
    ['both', () => [restrictedMd5, unknownMd5], 404, 'unknown-file'],
    ['something that is no hash', () => [good, '../lab.db'], 400, 'bad-parameter'],
    ['no hash', () => [], 400, 'missing-parameter'],
  ] as const)('is refused as a whole because of %s', async (_title, md5s, status, code) => {
    await expectRefusal(await fetch(address([...md5s()])), status, code);
  });

  test('is refused as a whole with a token without the right to download', async () => {
    const reader = (
      await labCommandHere('token', 'add', '--rights', 'read,restricted', '--data', join(directory, 'data'))
    ).trim();
    await expectRefusal(await fetch(address([good], reader)), 403, 'right-missing');
  });
});

describe('a restricted file', () => {
  const ask = (action: string, parameters: Record<string, string>) =>
    lab.ask(action, { token: plainToken, ...parameters });

  test('is shown as locked to every token that may read', async () => {
    expect(await (await ask('getfile', { hash: restrictedMd5 })).json()).toMatchObject({
      file: { md5: restrictedMd5, size: restrictedBytes.length, locked: true },
    });
    expect(await (await ask('getfile', { hash: sampleFileMd5s[0] ?? '' })).json()).toMatchObject({
      file: { locked: false },
    });
  });

  test('is downloaded only with the right to restricted files', async () => {
    await expectRefusal(await ask('downloadfile', { file: restrictedMd5 }), 403, 'file-restricted');
    const token = (
      await labCommandHere('token', 'add', '--rights', 'download,restricted', '--data', join(directory, 'data'))
    ).trim();
    const response = await ask('downloadfile', { file: restrictedMd5, token });
    expect(restrictedBytes.equals(new Uint8Array(await response.arrayBuffer()))).toBe(true);
  });

  test('is downloaded by the Vitrine that started the lab', async () => {
    expect(
      await entriesOf(new Uint8Array(await (await fetch(address([restrictedMd5], lab.token))).arrayBuffer())),
    ).toEqual(named([restrictedMd5]));
  });
});

test('a bulk download cuts its archive off at a damaged file, so it cannot pass as complete', async () => {
  const sha256 = createHash('sha256').update(damagedBytes).digest('hex');
  const container = await open(join(directory, 'data', 'vault', sha256.slice(0, 2), sha256), 'r+');
  await container.write(Buffer.from([0, 1, 2, 3]), 0, 4, 2_000_000);
  await container.close();
  const response = await fetch(address([md5Of(damagedBytes)], lab.token));
  expect(response.status).toBe(200);
  await expect(response.arrayBuffer()).rejects.toThrow();
});
