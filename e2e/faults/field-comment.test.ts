import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { eicarMd5 } from '../eicar.ts';
import { recordOf } from '../lab-reading.ts';
import { startTeam, type Team } from '../team.ts';
import { type FieldDialectOptions, startFieldDialect } from './field-dialect.ts';
import { type Answer, multipart, post } from './hand-made-form.fixture.ts';

let folder: string;
let team: Team;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vitrine-field-comment-'));
  team = await startTeam(folder, { samples: 1, rights: 'read,comment' });
});
afterAll(async () => {
  await team.stop();
  await rm(folder, { recursive: true, force: true });
});

interface Dialect {
  comment(fields: Record<string, string>, token?: string): Promise<Answer>;
  record(md5: string): Promise<unknown>;
  baseUrl: string;
}

async function dialect(options: Partial<FieldDialectOptions> = {}): Promise<Dialect> {
  const { baseUrl, close } = await startFieldDialect({ target: team.labUrl, ...options });
  onTestFinished(close);
  return {
    baseUrl,
    comment: (fields, token = team.token) =>
      post(`${baseUrl}/api.php?action=addcomment&token=${token}`, Buffer.from(new URLSearchParams(fields).toString()), {
        'Content-Type': 'application/x-www-form-urlencoded',
      }),
    record: async (md5): Promise<unknown> =>
      JSON.parse(await (await fetch(`${baseUrl}/api.php?action=getfile&hash=${md5}&token=${team.token}`)).text()),
  };
}

const brackets = (hash: string, content: string, parent = '') => ({
  hash,
  'comment[content]': content,
  'comment[parent]': parent,
});
const written = async (md5: string) =>
  (await recordOf(team, md5))?.comments.map(({ id, parent, content }) => ({ id, parent, content }));

test('bracket fields create a comment and a reply, in either form of a body', async () => {
  const { comment, baseUrl } = await dialect();
  const md5 = team.samples[0] ?? '';
  const first = await comment(brackets(md5, '100% C++ <b>é</b>'));
  expect(first).toEqual({
    status: 201,
    type: 'text/html; charset=UTF-8',
    text: expect.stringMatching(/^\{"id":\d+\}$/),
  });
  const { id } = JSON.parse(first.text) as { id: number };
  const answer = multipart(['hash', md5], ['comment[content]', 'an answer'], ['comment[parent]', String(id)]);
  expect((await post(`${baseUrl}/api.php?action=addcomment&token=${team.token}`, answer)).status).toBe(201);
  expect(await written(md5)).toEqual([
    { id, parent: null, content: '100% C++ <b>é</b>' },
    { id: id + 1, parent: id, content: 'an answer' },
  ]);
});

test('newer releases list the new comment, older ones show only the first root', async () => {
  const [older, newer] = [await dialect(), await dialect({ comments: 'list' })];
  await older.comment(brackets(eicarMd5, 'written now'));
  expect(await older.record(eicarMd5)).toMatchObject({
    file: { comment: expect.stringMatching(/^The antivirus test file/) },
  });
  expect(await newer.record(eicarMd5)).toMatchObject({
    file: { comments: expect.arrayContaining([expect.objectContaining({ content: 'written now', parent: null })]) },
  });
});

test.each([
  ['the documented form', { hash: eicarMd5, comment: '{"content":"a","parent":null}' }, 'missing content parameter'],
  ['no content', { hash: eicarMd5, 'comment[parent]': '' }, 'missing content parameter'],
  ['no parent', { hash: eicarMd5, 'comment[content]': 'a' }, 'missing parent parameter'],
  ['no hash', { 'comment[content]': 'a', 'comment[parent]': '' }, 'missing hash parameter'],
])('%s is refused with a message', async (_title, fields, text) => {
  const { comment } = await dialect();
  const before = await written(eicarMd5);
  expect(await comment(fields)).toEqual({ status: 400, type: 'text/html; charset=UTF-8', text });
  expect(await written(eicarMd5)).toEqual(before);
});

test('a missing right returns 406, a wrong token an empty 401, and an unknown hash is refused', async () => {
  const { comment } = await dialect();
  expect(await comment(brackets(eicarMd5, 'a'), await team.makeToken('read'))).toEqual({
    status: 406,
    type: 'text/html; charset=UTF-8',
    text: '',
  });
  expect(await comment(brackets(eicarMd5, 'a'), 'x')).toMatchObject({ status: 401, text: '' });
  for (const hash of ['0'.repeat(32), eicarMd5.toUpperCase()])
    expect(await comment(brackets(hash, 'a'))).toMatchObject({ status: 403, text: 'Not enough rights' });
});
