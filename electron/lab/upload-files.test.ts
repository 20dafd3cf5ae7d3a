import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { labRights } from '../../shared/domain/lab.ts';
import { field, file, formHeaders, multipart, type TestPart } from './multipart-body.fixture.ts';
import { labCommandHere, type ServingLab, startLabHere } from './running-lab.fixture.ts';
import { eicar } from './sample-file-bytes.ts';

const md5Of = (bytes: Uint8Array): string => createHash('md5').update(bytes).digest('hex');
/** Bytes that were not sent yet. */
const fresh = (size = 40): Buffer => randomBytes(size);
const recordReply = z.object({
  file: z.looseObject({
    filename: z.string(),
    tags: z.string(),
    comments: z.array(z.looseObject({ content: z.string() })),
  }),
});

let directory: string;
let lab: ServingLab;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'vitrine-lab-'));
  lab = await startLabHere(join(directory, 'data'));
});
afterAll(async () => {
  await lab.stop();
  await rm(directory, { recursive: true, force: true });
});

const upload = (parts: readonly TestPart[], token = lab.token) =>
  lab.ask('uploadfiles', { token }, { method: 'POST', headers: formHeaders, body: multipart(...parts) });
const recordOf = async (bytes: Uint8Array) =>
  recordReply.parse(await (await lab.ask('getfile', { hash: md5Of(bytes) })).json()).file;
const isThere = async (bytes: Uint8Array) => (await lab.ask('getfile', { hash: md5Of(bytes) })).status === 200;
const unfinished = async () =>
  (await readdir(join(directory, 'data', 'vault', 'incoming'))).filter((name) => name.endsWith('.part'));

async function expectRefused(response: Response, status: number, code: string, ...absent: Uint8Array[]): Promise<void> {
  expect([response.status, await response.json()]).toEqual([status, { error: { code, message: expect.any(String) } }]);
  for (const bytes of absent) expect(await isThere(bytes)).toBe(false);
  expect(await unfinished()).toEqual([]);
}

describe('uploadfiles', () => {
  test('stores each file with its own tags and flags, and the comment with all, in any field order', async () => {
    const [one, two] = [fresh(), fresh(700_000)];
    const response = await upload([
      field('tags[]', ' Family:X ,b,,B'),
      file('one.exe', one),
      field('vtsubmit[]', 'true'),
      field('cksubmit[]', '0'),
      field('comment', 'said once'),
      file('two', two, 'anything'),
      field('cksubmit[]', '1'),
      field('tags[]', ''),
      field('vtsubmit[]', 'false'),
      field('token', 'ignored'),
      field('files_data', '[{"index":0}]'),
    ]);
    const hash = (kind: string, bytes: Buffer) => createHash(kind).update(bytes).digest('hex');
    const item = (filename: string, bytes: Buffer) => ({
      md5: md5Of(bytes),
      sha1: hash('sha1', bytes),
      sha256: hash('sha256', bytes),
      filename,
      size: bytes.length,
    });
    expect([response.status, await response.json()]).toEqual([
      200,
      { files: [item('one.exe', one), item('two', two)] },
    ]);
    const common = {
      user_name: 'vitrine',
      threat: null,
      criticity: 3,
      mime: null,
      locked: false,
      comments: [expect.objectContaining({ parent: null, author: 'vitrine', content: 'said once' })],
    };
    expect(await recordOf(one)).toMatchObject({
      ...common,
      filename: 'one.exe',
      tags: 'family:x,b',
      vtsubmit: true,
      cksubmit: false,
    });
    expect(await recordOf(two)).toMatchObject({
      ...common,
      filename: 'two',
      tags: '',
      vtsubmit: false,
      cksubmit: true,
    });
    expect(two.equals(new Uint8Array(await (await lab.ask('downloadfile', { file: md5Of(two) })).arrayBuffer()))).toBe(
      true,
    );
  });

  test('names each file that is known, empty or twice in the form, and stores the others', async () => {
    const [known, other] = [fresh(), fresh()];
    await upload([file('first name', known), field('tags[]', 'first'), field('comment', 'first')]);
    const reply = await upload([
      file('again', known),
      file('empty', ''),
      file('new', other),
      file('twice', other),
      field('comment', 'second'),
      ...['second', 'x', 'new', 'y'].map((tags) => field('tags[]', tags)),
    ]);
    expect([reply.status, await reply.json()]).toEqual([
      200,
      {
        files: [
          { md5: md5Of(known), filename: 'again', error: 'File is already uploaded' },
          { md5: md5Of(Buffer.alloc(0)), filename: 'empty', error: 'File is too small' },
          expect.objectContaining({ md5: md5Of(other), size: other.length }),
          { md5: md5Of(other), filename: 'twice', error: 'File is already uploaded' },
        ],
      },
    ]);
    expect(await recordOf(known)).toMatchObject({
      filename: 'first name',
      tags: 'first',
      comments: [{ content: 'first' }],
    });
    expect(await recordOf(other)).toMatchObject({ filename: 'new', tags: 'new', comments: [{ content: 'second' }] });
    expect(await isThere(Buffer.alloc(0))).toBe(false);
    expect(await unfinished()).toEqual([]);
  });

  test.each([
    ['percents and pluses', '100% a+b %41 %zz %2B', '100% a+b %41 %zz %2B'],
    ['emoji and letters of all kinds', '🦠👩‍💻 отчёт 報告', '🦠👩‍💻 отчёт 報告'],
    ['the reading direction', 'a\u202efdp.exe', 'a\u202efdp.exe'],
    ['quotes and backslashes', String.raw`\"q\" \\ 'x'`, String.raw`"q" \ 'x'`],
    ['line breaks', 'a%0D%0Ab%0Ac', 'a\r\nb\nc'],
    ['markup', '<script>alert(1)</script>&amp;', '<script>alert(1)</script>&amp;'],
    ['a path', '../../../lab.db', '../../../lab.db'],
    ['controls', 'a\u0000b\u0001\u007f\ufeff', 'a\u0000b\u0001\u007f\ufeff'],
  ])('returns %s in names, tags and comments unchanged', async (_title, quoted, text) => {
    const bytes = fresh();
    expect((await upload([file(quoted, bytes), field('tags[]', text), field('comment', text)])).status).toBe(200);
    const record = await recordOf(bytes);
    expect([record.filename, record.tags, record.comments[0]?.content]).toEqual([
      text,
      text.trim().toLowerCase(),
      text,
    ]);
  });

  test('identifies its uploader by the name of the token', async () => {
    const bytes = fresh();
    const token = (
      await labCommandHere('token', 'add', '--rights', 'upload', '--name', 'Ana', '--data', join(directory, 'data'))
    ).trim();
    expect((await upload([file('a', bytes), field('comment', 'mine')], token)).status).toBe(200);
    expect(await recordOf(bytes)).toMatchObject({ user_name: 'Ana', comments: [{ author: 'Ana' }] });
  });

  test('stores no comment when it is absent or blank', async () => {
    const [one, two] = [fresh(), fresh()];
    await upload([file('a', one)]);
    await upload([file('a', two), field('comment', ' \n ')]);
    expect([(await recordOf(one)).comments, (await recordOf(two)).comments]).toEqual([[], []]);
  });

  test('accepts the hash of the file, in upper or lower case, beside an empty file field of a page', async () => {
    const bytes = fresh();
    expect(
      (await upload([file('', ''), file('a', bytes), field('hash', md5Of(bytes).toUpperCase()), field('tags[]', 'x')]))
        .status,
    ).toBe(200);
    expect(await isThere(bytes)).toBe(true);
  });

  test('stores bytes uploaded twice at once a single time, and keeps them when a third upload is refused', async () => {
    for (let round = 0; round < 5; round += 1) {
      const bytes = fresh(600_000);
      const parts = [file('a', bytes)];
      const [first, second, refused] = await Promise.all([
        upload(parts),
        upload(parts),
        upload([...parts, field('tags[]', 'x'), field('tags[]', 'y')]),
      ]);
      const items = z.object({ files: z.array(z.looseObject({})) });
      const stored = [items.parse(await first?.json()), items.parse(await second?.json())]
        .flatMap(({ files }) => files)
        .filter((item) => !('error' in item));
      expect([stored.length, refused?.status]).toEqual([1, 400]);
      expect(
        bytes.equals(new Uint8Array(await (await lab.ask('downloadfile', { file: md5Of(bytes) })).arrayBuffer())),
      ).toBe(true);
    }
    expect(await unfinished()).toEqual([]);
  });

  test('stores no plain sample on disk', async () => {
    const bytes = Buffer.concat([Buffer.from('inert? '), eicar(), fresh()]);
    expect((await upload([file('a', bytes)])).status).toBe(200);
    const { stdout } = await promisify(execFile)('grep', [
      '-rlaF',
      eicar().toString('latin1'),
      join(directory, 'data'),
    ]).catch(() => ({ stdout: '' }));
    expect(stdout).toBe('');
  });
});

describe('a refused upload', () => {
  const bytes = fresh(300_000);
  const two = [file('a', bytes), file('b', fresh())];
  test.each<[string, TestPart[], string]>([
    ['without a file', [field('comment', 'x')], 'missing-parameter'],
    ['with fewer tags than files', [...two, field('tags[]', 'x')], 'bad-parameter'],
    [
      'with more flags than files',
      [file('a', bytes), field('vtsubmit[]', 'true'), field('vtsubmit[]', 'true')],
      'bad-parameter',
    ],
    ['with a flag that is none', [file('a', bytes), field('cksubmit[]', 'yes')], 'bad-parameter'],
    [
      'with a flag named like a part of every object',
      [file('a', bytes), field('cksubmit[]', 'constructor')],
      'bad-parameter',
    ],
    ['with the hash of another file', [file('a', bytes), field('hash', '0'.repeat(32))], 'bad-parameter'],
    ['with one hash for two files', [...two, field('hash', md5Of(bytes))], 'bad-parameter'],
    ['with two comments', [file('a', bytes), field('comment', 'x'), field('comment', 'y')], 'repeated-parameter'],
    ['with a name that is too long', [file('a', bytes), file('x'.repeat(1025), 'x')], 'bad-parameter'],
    [
      'with too many tags',
      [file('a', bytes), field('tags[]', Array.from({ length: 501 }, (_, index) => index).join(','))],
      'bad-parameter',
    ],
    ['with a tag that is too long', [file('a', bytes), field('tags[]', `b,${'x'.repeat(501)}`)], 'bad-parameter'],
    [
      'with a comment that is no UTF-8',
      [file('a', bytes), { ...field('comment', ''), content: Buffer.from([0xff, 0xfe]) }],
      'bad-parameter',
    ],
    ['with a part that cannot be read', [file('a', bytes), { disposition: 'x', content: '' }], 'body-malformed'],
    [
      'with 101 files',
      Array.from({ length: 101 }, (_, index) => file(`${index}`, index === 0 ? bytes : `${index} of ${md5Of(bytes)}`)),
      'bad-parameter',
    ],
    ['with 1,001 fields', [file('a', bytes), ...Array.from({ length: 1001 }, () => field('x', 'y'))], 'bad-parameter'],
  ])('leaves nothing %s', async (_title, parts, code) => {
    await expectRefused(await upload(parts), 400, code, bytes);
  });

  test('is 413 and leaves nothing with a text over the limit', async () => {
    await expectRefused(
      await upload([file('a', bytes), field('comment', 'x'.repeat(1024 ** 2 + 1))]),
      413,
      'body-too-large',
      bytes,
    );
  });

  test.each([
    ['none', ''],
    ['text', 'text/plain'],
    ['another form', 'application/x-www-form-urlencoded'],
  ])('is 415 and leaves nothing with a body of another type: %s', async (_title, type) => {
    const body = multipart(file('a', bytes));
    await expectRefused(
      await lab.ask('uploadfiles', {}, { method: 'POST', headers: { 'Content-Type': type }, body }),
      415,
      'wrong-type',
      bytes,
    );
  });

  test.each(['', '; boundary=', `; boundary=${'x'.repeat(71)}`, '; boundary="'])(
    'is 400 and leaves nothing with a type without a boundary: %j',
    async (parameters) => {
      await expectRefused(
        await lab.ask(
          'uploadfiles',
          {},
          {
            method: 'POST',
            headers: { 'Content-Type': `multipart/form-data${parameters}` },
            body: multipart(file('a', bytes)),
          },
        ),
        400,
        'body-malformed',
        bytes,
      );
    },
  );

  test('is refused when its token lacks the right to upload; only the token in the address counts', async () => {
    const rights = labRights.filter((right) => right !== 'upload').join(',');
    const token = (await labCommandHere('token', 'add', '--rights', rights, '--data', join(directory, 'data'))).trim();
    await expectRefused(
      await upload([file('a', bytes), field('token', lab.token)], token),
      403,
      'right-missing',
      bytes,
    );
    await expectRefused(await upload([file('a', bytes), field('token', lab.token)], 'x'), 401, 'token-unknown', bytes);
    await expectRefused(await lab.ask('uploadfiles'), 405, 'wrong-method');
  });
});

test('curl alone uploads as the service description documents it', async () => {
  const [one, two] = [fresh(), fresh(200_000)];
  await writeFile(join(directory, 'one.bin'), one);
  await writeFile(join(directory, 'zwei "ü".bin'), two);
  const form = [
    `files[]=@${directory}/one.bin`,
    `files[]=@"${directory}/zwei \\"ü\\".bin"`,
    'vtsubmit[]=true',
    'vtsubmit[]=false',
    'cksubmit[]=false',
    'cksubmit[]=false',
    'tags[]=a,b',
    'tags[]=ünicode',
    'comment=line one\nline two 100%+',
  ].flatMap((entry) => ['-F', entry]);
  const { stdout } = await promisify(execFile)('curl', [
    '-sS',
    '--noproxy',
    '*',
    ...form,
    `${lab.origin}/repository/api.php?action=uploadfiles&token=${lab.token}`,
  ]);
  expect(JSON.parse(stdout)).toMatchObject({
    files: [
      { md5: md5Of(one), filename: 'one.bin' },
      { md5: md5Of(two), filename: 'zwei "ü".bin' },
    ],
  });
  expect(await recordOf(one)).toMatchObject({
    tags: 'a,b',
    vtsubmit: true,
    cksubmit: false,
    comments: [{ content: 'line one\nline two 100%+' }],
  });
  expect(await recordOf(two)).toMatchObject({ tags: 'ünicode', vtsubmit: false });
});
