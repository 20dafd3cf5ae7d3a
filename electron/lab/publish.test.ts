import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { labPublication } from '../../shared/domain/lab.ts';
import { brokenRule } from '../../shared/domain/publication.ts';
import { boundary, field, file, formHeaders, multipart, type TestPart } from './multipart-body.fixture.ts';
import { type ServingLab, startLabHere } from './running-lab.fixture.ts';

const answered = z.strictObject({ published: labPublication.strict().nullable(), broken: z.array(brokenRule) });
const rule = (name: string, condition = 'true'): string => `rule ${name} {\n  condition: ${condition}\n}\n`;

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

const publish = (parts: readonly TestPart[]) =>
  lab.askRules('publish', {}, { method: 'POST', headers: formHeaders, body: multipart(...parts) });
const facts = (version: string, group = 'Release'): TestPart[] => [field('version', version), field('group', group)];
const isPublished = async (version: string): Promise<boolean> => {
  const { publications } = z
    .object({ publications: z.array(labPublication) })
    .parse(await (await lab.askRules('publications')).json());
  return publications.some((publication) => publication.version === version);
};
const containers = async (): Promise<string[]> =>
  (await readdir(join(directory, 'data', 'vault'), { recursive: true }))
    .filter((path) => /[0-9a-f]{32}/.test(path))
    .toSorted();

async function expectRefused(response: Response, status: number, code: string): Promise<void> {
  expect([response.status, await response.json()]).toEqual([status, { error: { code, message: expect.any(String) } }]);
}

describe('publish', () => {
  test('puts rule files under their paths into a package that becomes the newest', async () => {
    const response = await publish([
      file('own/first.yar', `include "second.yar"\n${rule('one', 'two')}`),
      ...facts('3.0', 'Test'),
      file('own/second.yar', rule('two')),
      field('token', 'not read'),
    ]);
    const { published, broken } = answered.parse(await response.json());
    expect([response.status, published, broken]).toEqual([
      201,
      {
        id: expect.any(String),
        version: '3.0',
        group: 'Test',
        published: expect.stringMatching(/^20\d\d-.*Z$/),
        files: 2,
        rules: 2,
      },
      [],
    ]);
    expect(await (await lab.askRules('checkpackageversion', { version: '2026.11.17', beta: 'true' })).json()).toEqual({
      outdated: true,
      last_version: '3.0',
      id: published?.id,
      group: 'Test',
    });
    const link = (await lab.askRules('downloadpublication', { id: published?.id ?? '' })).headers.get('location') ?? '';
    await writeFile(
      join(directory, 'p.zip'),
      new Uint8Array(await (await fetch(`${lab.origin}${link}`)).arrayBuffer()),
    );
    expect((await promisify(execFile)('unzip', ['-p', join(directory, 'p.zip'), 'own/second.yar'])).stdout).toBe(
      rule('two'),
    );
  });

  test('publishes nothing while one rule is broken, and names every broken rule', async () => {
    const before = await containers();
    const response = await publish([
      ...facts('4.0'),
      file('a.yar', `${rule('fine')}${rule('unknown', '$gone')}`),
      file('b/c.yara', `include "/etc/passwd"\n${rule('fine')}${rule('fine')}`),
    ]);
    const { published, broken } = answered.parse(await response.json());
    expect([
      response.status,
      published,
      broken.map(({ file: name, line, rule: of, kind }) => [name, line, of, kind]),
    ]).toEqual([
      200,
      null,
      [
        ['a.yar', 5, 'unknown', 'engine'],
        ['b/c.yara', 1, null, 'include'],
        ['b/c.yara', 5, 'fine', 'duplicate'],
      ],
    ]);
    expect([await isPublished('4.0'), await containers()]).toEqual([false, before]);
  });

  test('accepts a version once, even when two arrive at the same time', async () => {
    expect((await publish([...facts('5.0'), file('a.yar', rule('a'))])).status).toBe(201);
    await expectRefused(await publish([...facts('5.0', 'Test'), file('b.yar', rule('b'))]), 409, 'version-taken');
    const both = await Promise.all(
      ['c', 'd'].map((name) => publish([...facts('5.1'), file(`${name}.yar`, rule(name))])),
    );
    expect(new Set(both.map(({ status }) => status))).toEqual(new Set([201, 409]));
  });

  const own = file('a.yar', rule('a'));
  test.each<[string, TestPart[], number, string]>([
    ['no file', facts('6'), 400, 'missing-parameter'],
    ['a page’s file field in which nothing was chosen', [...facts('6'), file('', '')], 400, 'missing-parameter'],
    ['no version', [field('group', 'Test'), own], 400, 'missing-parameter'],
    ['no group', [field('version', '6'), own], 400, 'missing-parameter'],
    ['two versions', [...facts('6'), field('version', '6'), own], 400, 'repeated-parameter'],
    ['a version that is none', [...facts('../6'), own], 400, 'bad-parameter'],
    ['a group that is none', [...facts('6', 'Beta'), own], 400, 'bad-parameter'],
    ['a path that leads out', [...facts('6'), own, file('../b.yar', rule('b'))], 400, 'bad-parameter'],
    ['an absolute path', [...facts('6'), own, file('/b.yar', rule('b'))], 400, 'bad-parameter'],
    ['a file that is no rule file', [...facts('6'), own, file('manifest.json', '{}')], 400, 'bad-parameter'],
    ['two files of one path', [...facts('6'), own, own], 400, 'bad-parameter'],
    [
      '1,001 files',
      [...facts('6'), ...Array.from({ length: 1_001 }, (_, index) => file(`${index}.yar`, ''))],
      400,
      'bad-parameter',
    ],
    ['51 fields', [...facts('6'), own, ...Array.from({ length: 49 }, () => field('x', 'y'))], 400, 'bad-parameter'],
    ['a field that is too long', [...facts('6'.repeat(5_000)), own], 413, 'body-too-large'],
    [
      'more than 16 MiB',
      [
        ...facts('6'),
        file('a.yar', Buffer.alloc(9 * 1024 ** 2, ' ')),
        file('b.yar', Buffer.alloc(7 * 1024 ** 2 + 1, ' ')),
      ],
      413,
      'body-too-large',
    ],
    ['a part that cannot be read', [...facts('6'), own, { disposition: 'x', content: '' }], 400, 'body-malformed'],
  ])('refuses %s and publishes nothing', async (_title, parts, status, code) => {
    await expectRefused(await publish(parts), status, code);
    expect(await isPublished('6')).toBe(false);
  });

  test('accepts no other body and no other method', async () => {
    await expectRefused(
      await lab.askRules('publish', {}, { method: 'POST', body: new URLSearchParams({ version: '7' }) }),
      415,
      'wrong-type',
    );
    await expectRefused(await lab.askRules('publish'), 405, 'wrong-method');
  });

  test('sends a retry response to packages beyond its capacity, and accepts them then', async () => {
    const address = `${lab.origin}/rules/api.php?action=publish&token=${lab.token}`;
    const held = Array.from({ length: 4 }, () => request(address, { method: 'POST', headers: formHeaders }));
    const answers = held.map(async (sent) => {
      const [response]: IncomingMessage[] = await once(sent, 'response');
      return [response?.statusCode, response && (await json(response))];
    });
    for (const sent of held) sent.write(`--${boundary}\r\n`);
    await expect
      .poll(async () => (await publish([...facts('8.0'), file('a.yar', '')])).status, { timeout: 10_000 })
      .toBe(503);
    for (const sent of held) sent.end('Content-Disposition: form-data; name="a"\r\n\r\nx');
    expect(await Promise.all(answers)).toEqual(
      held.map(() => [400, { error: { code: 'body-malformed', message: expect.any(String) } }]),
    );
    expect((await publish([...facts('8.1'), file('a.yar', rule('a'))])).status).toBe(201);
  });

  test('stops for a client that disconnects, and continues with the next', async () => {
    const body = multipart(
      ...facts('9.0'),
      file('a.yar', Array.from({ length: 3_000 }, (_, index) => rule(`r${index}`)).join('')),
    );
    const leaving = request(`${lab.origin}/rules/api.php?action=publish&token=${lab.token}`, {
      method: 'POST',
      headers: { ...formHeaders, 'Content-Length': body.length },
    });
    leaving.on('error', () => {});
    leaving.write(body.subarray(0, -1));
    await new Promise<void>((resolve) => leaving.end(body.subarray(-1), () => resolve()));
    leaving.destroy();
    expect((await publish([...facts('9.1'), file('a.yar', rule('a'))])).status).toBe(201);
    expect(await isPublished('9.0')).toBe(false);
  });
});
