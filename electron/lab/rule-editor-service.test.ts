import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { labPublication, type LabPublication } from '../../shared/domain/lab.ts';
import { packageManifest } from '../../shared/domain/package-manifest.ts';
import { checkPackageVersion } from './rule-editor-service.ts';
import { type RunningLab, startLabProcess, withDirectory } from './running-lab.fixture.ts';
import { serveLab } from './server.ts';
import { openSqliteMetadata } from './stores/folder/sqlite-metadata-store.ts';
import { starterPackages } from './starter-rules/starter-packages.ts';

const [release, latest] = starterPackages;
const checked = z.strictObject({
  outdated: z.boolean(),
  last_version: z.string().nullable(),
  id: z.string().nullable(),
  group: z.string().nullable(),
});
const listed = z.object({ publications: z.array(labPublication.strict()) });

let directory: string;
let lab: RunningLab;
/** The lab's own list, newest first. */
let publications: LabPublication[];
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'vitrine-lab-'));
  lab = await startLabProcess(join(directory, 'data'));
  publications = listed.parse(await (await lab.askRules('publications')).json()).publications;
});
afterAll(async () => {
  await lab.stop();
  await rm(directory, { recursive: true, force: true });
});

const releaseId = (): string => publications.at(-1)?.id ?? '';
const setPassword = (password: string | null): void => void lab.process.send({ kind: 'package-password', password });

test('the rule editor is stocked with a Release and a newer Test, and lists them newest first', () => {
  const facts = starterPackages.map(({ files, ...starter }) => ({
    ...starter,
    id: expect.stringMatching(/^[0-9a-f]{16}$/),
    files: files.length,
  }));
  expect(publications).toEqual(facts.toReversed());
});

test('the rule editor’s files hold neither plain rule text nor a package name', async () => {
  expect(await filesHolding('2026.11.17')).not.toEqual([]);
  for (const held of ['high_entropy', 'rule ', 'generic/formats.yar', '"sizeBytes"', 'PK\x03\x04'])
    expect([held, await filesHolding(held)]).toEqual([held, []]);
});

test('the rule editor is stocked once: the next start finds the same publications', async () => {
  await withDirectory(async (data) => {
    const lists: unknown[] = [];
    for (let start = 0; start < 2; start += 1) {
      const started = await startLabProcess(data);
      lists.push(await (await started.askRules('publications')).json());
      await started.stop();
    }
    expect(lists[1]).toEqual(lists[0]);
  });
});

describe('checkpackageversion', () => {
  const check = async (parameters: Record<string, string>) =>
    checked.parse(await (await lab.askRules('checkpackageversion', parameters)).json());

  test.each([
    ['nothing', '0', 'false', true, release],
    ['nothing, with Test', '0', 'true', true, latest],
    ['the last Release', release?.version ?? '', 'false', false, release],
    ['the last Release, with Test', release?.version ?? '', 'true', true, latest],
    ['the Test', latest?.version ?? '', 'true', false, latest],
    ['a Test newer than the last Release', latest?.version ?? '', 'false', false, release],
    ['what nobody published', '../../etc', '0', true, release],
  ])('answers a client that holds %s', async (_title, version, beta, outdated, last) => {
    const id = publications.find((publication) => publication.version === last?.version)?.id;
    expect(await check({ version, beta })).toEqual({ outdated, last_version: last?.version, id, group: last?.group });
  });

  test('counts only Releases without "beta"', async () => {
    expect(await check({ version: '0' })).toMatchObject({ last_version: release?.version });
  });

  test.each([
    [{ beta: 'true' }, 'missing-parameter'],
    [{ version: '', beta: 'true' }, 'missing-parameter'],
    [{ version: '1', beta: 'maybe' }, 'bad-parameter'],
    [{ version: '1', beta: 'constructor' }, 'bad-parameter'],
  ])('refuses %j with 400', async (parameters, code) => {
    const response = await lab.askRules('checkpackageversion', parameters);
    expect([response.status, await response.json()]).toEqual([400, { error: { code, message: expect.any(String) } }]);
  });

  test('reports nothing outdated when nothing is published', async () => {
    await withDirectory(async (empty) => {
      const metadata = openSqliteMetadata(empty);
      const service = new Map([['checkpackageversion', checkPackageVersion(metadata)]]);
      const callerOf = async () => ({ token: 1, name: 'ana', rights: new Set(['read'] as const) });
      const server = await serveLab({
        port: 0,
        services: new Map([['/rules/api.php', service]]),
        callerOf,
        report: (error) => expect.fail(String(error)),
      });
      const response = await fetch(
        `http://127.0.0.1:${server.port}/rules/api.php?action=checkpackageversion&version=1&beta=true&token=x`,
      );
      expect(await response.json()).toEqual({ outdated: false, last_version: null, id: null, group: null });
      await server.close(0);
      await metadata.close();
    });
  });
});

describe('downloadpublication', () => {
  const download = (parameters: Record<string, string>) => lab.askRules('downloadpublication', parameters);
  const linkTo = async (parameters: Record<string, string>): Promise<string> => {
    const response = await download(parameters);
    expect([response.status, await response.text()]).toEqual([302, '']);
    return `${lab.origin}${response.headers.get('location') ?? ''}`;
  };
  const saved = async (link: string, name: string): Promise<string> => {
    const path = join(directory, name);
    await writeFile(path, new Uint8Array(await (await fetch(link)).arrayBuffer()));
    return path;
  };

  test('leads to a ZIP of the rules and their manifest, without a token and more than once', async () => {
    const link = await linkTo({ id: releaseId(), public_link: 'false', encrypted: 'false' });
    expect(link).toMatch(/\/rules\/publication\/[0-9a-f]{32}\.zip$/);
    const [first, again] = [await fetch(link), await fetch(link)];
    expect([first.status, first.headers.get('content-type'), first.headers.get('content-disposition')]).toEqual([
      200,
      'application/zip',
      `attachment; filename="rules-${release?.version}.zip"`,
    ]);
    const bytes = Buffer.from(await first.arrayBuffer());
    expect([
      Number(first.headers.get('content-length')),
      bytes.equals(new Uint8Array(await again.arrayBuffer())),
    ]).toEqual([bytes.length, true]);
    const path = await saved(link, 'p.zip');
    const member = async (name: string) => (await promisify(execFile)('unzip', ['-p', path, name])).stdout;
    const manifest = packageManifest.parse(JSON.parse(await member('manifest.json')));
    expect([manifest.version, manifest.group, manifest.published, manifest.files.map((file) => file.path)]).toEqual([
      release?.version,
      'Release',
      release?.published,
      release?.files.map((file) => file.path).toSorted(),
    ]);
    for (const file of release?.files ?? []) expect(await member(file.path)).toBe(Buffer.from(file.bytes).toString());
  });

  test('leads curl alone to the ZIP', async () => {
    const { stdout } = await promisify(execFile)(
      'curl',
      [
        '-sSL',
        '--noproxy',
        '*',
        `${lab.origin}/rules/api.php?action=downloadpublication&id=${releaseId()}&token=${lab.token}`,
      ],
      { encoding: 'buffer' },
    );
    expect(stdout.subarray(0, 4).toString('latin1')).toBe('PK\x03\x04');
  });

  test('gives each caller a link of its own, which a restart of the lab does not end', async () => {
    await withDirectory(async (data) => {
      const first = await startLabProcess(data);
      const { id } = checked.parse(await (await first.askRules('checkpackageversion', { version: '0' })).json());
      const ask = async () =>
        (await first.askRules('downloadpublication', { id: id ?? '' })).headers.get('location') ?? '';
      const paths = [await ask(), await ask()];
      expect(new Set(paths).size).toBe(2);
      await first.stop();
      const second = await startLabProcess(data);
      for (const path of paths) expect((await fetch(`${second.origin}${path}`)).status).toBe(200);
      await second.stop();
    });
  });

  test('gives a public link that does not show it is a ZIP', async () => {
    const link = await linkTo({ id: releaseId(), public_link: 'true' });
    expect(link).toMatch(/\/rules\/publication\/[0-9a-f]{32}$/);
    const response = await fetch(link);
    expect([response.headers.get('content-type'), response.headers.get('content-disposition')]).toEqual([
      'application/octet-stream',
      `attachment; filename="rules-${release?.version}"`,
    ]);
    expect((await response.arrayBuffer()).byteLength).toBeGreaterThan(1_000);
  });

  test('encrypts with AES-256 under the current password, which no file of the lab contains', async () => {
    const refused = async () => [
      (await download({ id: releaseId(), encrypted: 'true' })).status,
      await (await download({ id: releaseId(), encrypted: 'true' })).text(),
    ];
    const notConfigured = [400, 'Encrypted packages are not configured on this server'];
    expect(await refused()).toEqual(notConfigured);
    setPassword('glass case 7');
    await expect.poll(async () => (await download({ id: releaseId(), encrypted: 'true' })).status).toBe(302);
    const link = await linkTo({ id: releaseId(), encrypted: 'true' });
    const path = await saved(link, 'e.zip');
    const tested = (password: string) => promisify(execFile)('7z', ['t', `-p${password}`, path]);
    expect((await tested('glass case 7')).stdout).toContain('Everything is Ok');
    await expect(tested('glass case 8')).rejects.toThrow(/password|failed/i);
    expect(await filesHolding('glass case 7')).toEqual([]);
    setPassword(null);
    await expect.poll(refused).toEqual(notConfigured);
    expect((await fetch(link)).status).toBe(400);
  });

  test.each([
    ['an unknown id', { id: '0'.repeat(16) }, 404],
    ['an id that leads elsewhere', { id: '../lab.db' }, 404],
    ['an id with a null', { id: 'a\u0000' }, 404],
    ['an id like a part of every object', { id: '__proto__' }, 404],
    ['a long id', { id: 'x'.repeat(10_000) }, 404],
    ['an empty id', { id: '' }, 400],
    ['no id', {}, 400],
    ['a flag that is none', { id: '0', public_link: 'yes' }, 400],
    ['no token', { id: '0', token: '' }, 401],
    ['a wrong token', { id: '0', token: 'x' }, 401],
  ])('reports the error in plain text: %s', async (_title, parameters: Record<string, string>, status) => {
    const response = await download(parameters);
    expect([response.status, response.headers.get('content-type')]).toEqual([status, 'text/plain; charset=utf-8']);
    expect(await response.text()).toMatch(/^[A-Z"][^{}]{5,200}$/);
  });

  test('reports a repeated parameter, a wrong method and a foreign host name in plain text', async () => {
    const address = `/rules/api.php?action=downloadpublication&token=${lab.token}&id=1`;
    const answers = [
      await plain(`${address}&id=2`),
      await plain(address, { method: 'POST' }),
      await plain(address, { headers: { Host: 'rules.example' } }),
    ];
    expect(answers).toEqual(
      [400, 405, 421].map((status): unknown[] => [
        status,
        'text/plain; charset=utf-8',
        expect.not.stringContaining('{'),
      ]),
    );
  });

  /** `fetch` would not send a foreign Host, or a path as it is. */
  async function plain(
    path: string,
    options: { method?: string; headers?: Record<string, string> } = {},
  ): Promise<unknown[]> {
    const sent = request(lab.origin, { path, ...options }).end();
    const [response]: IncomingMessage[] = await once(sent, 'response');
    return [response?.statusCode, response?.headers['content-type'], response && (await text(response))];
  }

  test('serves a link only to GET on this computer, and nothing at addresses beside it', async () => {
    const link = new URL(await linkTo({ id: releaseId() }));
    const status = async (path: string, options = {}) => (await plain(path, options))[0];
    expect(await status(link.pathname)).toBe(200);
    expect(await status(`${link.pathname}?token=x`)).toBe(200);
    for (const method of ['POST', 'HEAD', 'PUT', 'DELETE', 'OPTIONS'])
      expect([method, await status(link.pathname, { method })]).toEqual([method, 405]);
    expect(await status(link.pathname, { headers: { Host: 'rules.example' } })).toBe(421);
    const others = [
      '/rules/publication/',
      `/rules/publication/${'0'.repeat(32)}.zip`,
      link.pathname.slice(0, -4),
      `${link.pathname}/`,
      link.pathname.toUpperCase(),
      `/rules/publication/../..${link.pathname}`,
      '/rules/publication/__proto__',
    ];
    for (const path of others) expect([path, await status(path)]).toEqual([path, 404]);
  });
});

/** Files of the lab that hold a text as it is. */
async function filesHolding(held: string): Promise<string[]> {
  const entries = await readdir(join(directory, 'data'), { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const found = await Promise.all(paths.map(async (path) => (await readFile(path)).includes(held)));
  return paths.filter((_path, index) => found[index]);
}
