import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { labRights } from '../../shared/domain/lab.ts';
import { field, file, formHeaders, multipart } from './multipart-body.fixture.ts';
import { labCommandHere, type ServingLab, startLabHere } from './running-lab.fixture.ts';
import { sampleFileList } from './stock.ts';

const [hash = '', otherHash = ''] = sampleFileList().map(({ md5 }) => md5);
const comment = z.object({
  id: z.number(),
  parent: z.number().nullable(),
  author: z.string(),
  content: z.string(),
  created: z.iso.datetime(),
});

let directory: string;
let lab: ServingLab;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'vitrine-lab-'));
  lab = await startLabHere(directory);
});
afterAll(async () => {
  await lab.stop();
  await rm(directory, { recursive: true, force: true });
});

const post = (fields: Record<string, string>, token = lab.token) =>
  lab.ask('addcomment', { token }, { method: 'POST', body: new URLSearchParams(fields) });
const print = (content: unknown, parent?: unknown) => post({ hash, comment: JSON.stringify({ content, parent }) });
const idOf = async (response: Response) => z.object({ id: z.number() }).parse(await response.json()).id;
const commentsOf = async (md5: string) =>
  z
    .object({ file: z.object({ comments: z.array(comment) }) })
    .parse(await (await lab.ask('getfile', { hash: md5 })).json()).file.comments;

test('a comment is listed with its author, and a reply below the comment it answers', async () => {
  const root = await print('a thought');
  expect(root.status).toBe(201);
  const id = await idOf(root);
  const reply = await idOf(await print('an answer', id));
  const again = await idOf(await print('another', String(id)));
  const listed = (await commentsOf(hash)).filter((one) => [id, reply, again].includes(one.id));
  expect(listed.map(({ parent, author, content }) => [parent, author, content])).toEqual([
    [null, 'vitrine', 'a thought'],
    [id, 'vitrine', 'an answer'],
    [id, 'vitrine', 'another'],
  ]);
});

test.each([
  ['null', null],
  ['nothing', undefined],
  ['an empty text', ''],
])('%s as a parent starts a new thread', async (_title, parent) => {
  const id = await idOf(await print('top', parent));
  expect((await commentsOf(hash)).find((one) => one.id === id)?.parent).toBeNull();
});

test('the form with brackets, and multipart, have the same effect', async () => {
  const id = await idOf(
    await post({ hash: hash.toUpperCase(), 'comment[content]': 'in brackets', 'comment[parent]': '' }),
  );
  const reply = await idOf(await post({ hash, 'comment[content]': 'a reply', 'comment[parent]': String(id) }));
  const body = multipart(field('hash', hash), field('comment', JSON.stringify({ content: 'in parts', parent: reply })));
  const inParts = await lab.ask('addcomment', {}, { method: 'POST', headers: formHeaders, body });
  expect(inParts.status).toBe(201);
  const listed = (await commentsOf(hash)).slice(-3);
  expect(listed.map(({ content, parent }) => [content, parent])).toEqual([
    ['in brackets', null],
    ['a reply', id],
    ['in parts', reply],
  ]);
});

test.each([
  '100% a+b %41 &=;',
  '🦠👩‍💻 отчёт \u202efdp',
  'a\r\nb\n\tc "q" \'x\' \\',
  '<script>alert(1)</script>',
  'a\u0000b\ufeff',
  'x'.repeat(1024 ** 2),
])('text is returned unchanged: %j', async (text) => {
  const id = await idOf(await print(text));
  expect((await commentsOf(hash)).find((one) => one.id === id)?.content === text).toBe(true);
});

test.each<[string, Record<string, string>, number, string]>([
  ['an unknown hash', { hash: '0'.repeat(32), comment: '{"content":"x"}' }, 404, 'unknown-file'],
  ['no hash', { comment: '{"content":"x"}' }, 400, 'missing-parameter'],
  ['a hash that is none', { hash: 'x', comment: '{"content":"x"}' }, 400, 'bad-parameter'],
  ['a parent nobody wrote', { hash, comment: '{"content":"x","parent":999999}' }, 400, 'bad-parameter'],
  ['a parent that is no number', { hash, comment: '{"content":"x","parent":"x"}' }, 400, 'bad-parameter'],
  ['a parent that is half a number', { hash, comment: '{"content":"x","parent":1.5}' }, 400, 'bad-parameter'],
  ['a parent that is an object', { hash, comment: '{"content":"x","parent":{}}' }, 400, 'bad-parameter'],
  ['content that is no text', { hash, comment: '{"content":{}}' }, 400, 'bad-parameter'],
  ['half a character', { hash, comment: '{"content":"\\ud800"}' }, 400, 'bad-parameter'],
  ['no JSON', { hash, comment: 'x' }, 400, 'bad-parameter'],
  ['JSON that is no object', { hash, comment: '"x"' }, 400, 'bad-parameter'],
  ['a text over the limit', { hash, comment: JSON.stringify({ content: 'ä'.repeat(600_000) }) }, 413, 'body-too-large'],
  ['a body far over the limit', { hash, comment: 'x'.repeat(9 * 1024 ** 2) }, 413, 'body-too-large'],
])('%s is refused', async (_title, fields, status, code) => {
  const before = await commentsOf(hash);
  const response = await post(fields);
  expect([response.status, await response.json()]).toEqual([status, { error: { code, message: expect.any(String) } }]);
  expect(await commentsOf(hash)).toEqual(before);
});

test('a parent of another sample is refused', async () => {
  const id = await idOf(await print('here'));
  expect((await post({ hash: otherHash, comment: JSON.stringify({ content: 'there', parent: id }) })).status).toBe(400);
  expect((await commentsOf(otherHash)).some(({ content }) => content === 'there')).toBe(false);
});

test.each<[string, Record<string, string>]>([
  ['empty JSON', { hash, comment: '{}' }],
  ['an empty text', { hash, comment: '{"content":""}' }],
  ['a blank one', { hash, 'comment[content]': ' \n' }],
  ['none at all', { hash }],
])('a comment without content is refused with the error that clients know: %s', async (_title, fields) => {
  const response = await post(fields);
  expect([response.status, await response.json()]).toEqual([
    400,
    { error: { code: 'missing-parameter', message: 'missing content parameter' } },
  ]);
});

test('a comment accepts a form without files', async () => {
  expect(
    (await lab.ask('addcomment', {}, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{}' }))
      .status,
  ).toBe(415);
  expect(
    (
      await lab.ask(
        'addcomment',
        {},
        { method: 'POST', headers: formHeaders, body: multipart(field('hash', hash), file('a', 'x')) },
      )
    ).status,
  ).toBe(400);
});

test('a comment requires the comment right and no other', async () => {
  const tokenWith = async (rights: readonly string[]) =>
    (await labCommandHere('token', 'add', '--rights', rights.join(','), '--name', 'Ana', '--data', directory)).trim();
  const fields = { hash, comment: '{"content":"by Ana"}' };
  expect((await post(fields, await tokenWith(labRights.filter((right) => right !== 'comment')))).status).toBe(403);
  expect((await post(fields, await tokenWith(['comment']))).status).toBe(201);
  expect((await commentsOf(hash)).at(-1)).toMatchObject({ author: 'Ana', content: 'by Ana' });
});

test('curl alone comments as in the service description', async () => {
  const address = `${lab.origin}/repository/api.php?action=addcomment&token=${lab.token}`;
  const { stdout } = await promisify(execFile)('curl', [
    '-sS',
    '--noproxy',
    '*',
    '-d',
    `hash=${hash}`,
    '--data-urlencode',
    'comment={"content":"by curl + 100%","parent":""}',
    address,
  ]);
  expect(
    (await commentsOf(hash)).find(({ id }) => id === z.object({ id: z.number() }).parse(JSON.parse(stdout)).id)
      ?.content,
  ).toBe('by curl + 100%');
});

test('more fields than a comment has are refused at once, in either form', async () => {
  const many = await lab.ask(
    'addcomment',
    { token: lab.token },
    { method: 'POST', headers: { 'Content-Type': 'application/x-www-form-urlencoded' }, body: 'a&'.repeat(1_000_000) },
  );
  expect(many.status).toBe(400);
  const parts = multipart(...Array.from({ length: 60 }, (_, index) => field(`f${index}`, 'x')));
  const multi = await lab.ask(
    'addcomment',
    { token: lab.token },
    { method: 'POST', headers: formHeaders, body: new Uint8Array(parts) },
  );
  expect(multi.status).toBe(400);
  expect((await print('still at work')).status).toBe(201);
});
