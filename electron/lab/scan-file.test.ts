import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { field, file, formHeaders, multipart, type TestPart } from './multipart-body.fixture.ts';
import { type ServingLab, startLabHere } from './running-lab.fixture.ts';
import { noise, portableExecutable } from './sample-file-bytes.ts';
import { sampleFiles } from './sample-files.ts';
import { starterPackages } from './starter-rules/starter-packages.ts';

const matchOf = z.strictObject({
  rule: z.string(),
  namespace: z.literal('default'),
  tags: z.array(z.string()),
  meta: z.record(z.string(), z.string()),
  strings: z.array(z.strictObject({ id: z.string(), offset: z.number(), length: z.number(), data: z.string() })),
});
const replyOf = z.strictObject({
  publication: z.strictObject({ id: z.string(), version: z.string(), group: z.enum(['Release', 'Test']) }),
  matches: z.array(matchOf),
});
const [release] = starterPackages;

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

const scan = (...parts: TestPart[]) =>
  lab.askRules('scanfile', {}, { method: 'POST', headers: formHeaders, body: multipart(...parts) });
const found = async (...parts: TestPart[]) => {
  const response = await scan(...parts);
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json']);
  return replyOf.parse(await response.json());
};
const rulesIn = async (...parts: TestPart[]) => (await found(...parts)).matches.map(({ rule }) => rule);
const refused = async (response: Response) => [
  response.status,
  z.strictObject({ error: z.strictObject({ code: z.string(), message: z.string() }) }).parse(await response.json())
    .error.code,
];
const hexOf = (text: string): string => Buffer.from(text, 'latin1').toString('hex');

test('a scan matches each sample file with the rules of the newest Release, and only those', async () => {
  const hits: [string, string[]][] = [];
  for (const { name, make } of sampleFiles) hits.push([name.slice(0, 9), await rulesIn(file('x', make()))]);
  expect(hits.filter(([, rules]) => rules.length > 0)).toEqual([
    ['eicar.com', ['eicar_test_file']],
    ['invoice_2', ['glasswing_stub', 'windows_executable']],
    ['sysupdate', ['elf_executable', 'mothlight_agent']],
    ['Quarterly', ['office_openxml']],
    ['setup-env', ['powershell_setup_script']],
    ['Photos.ln', ['shell_link']],
    ['stage2.bi', ['high_entropy']],
    ['memory-0x', ['high_entropy']],
    ['отчёт-報告-', ['high_entropy']],
    ['a-name-th', ['high_entropy']],
  ]);
});

test('a match names its rule’s author and the place of each of its strings', async () => {
  const { publication, matches } = await found(file('invoice_2291.exe', portableExecutable()));
  expect(publication).toEqual({
    id: expect.stringMatching(/^[0-9a-f]{16}$/),
    version: release?.version,
    group: 'Release',
  });
  expect(matches[0]).toEqual({
    rule: 'glasswing_stub',
    namespace: 'default',
    tags: ['family', 'windows'],
    meta: {
      author: 'Vitrine',
      description: 'The stub of the Glasswing dropper, an invented family of the lab',
      confidence: 'medium',
      revision: '2',
    },
    strings: [
      { id: '$mark', offset: 512, length: 32, data: hexOf('VITRINE SPECIMEN, NO CODE INSIDE') },
      { id: '$signature', offset: 128, length: 6, data: '504500004c01' },
      { id: '$stub', offset: 78, length: 38, data: hexOf('This program cannot be run in DOS mode') },
    ],
  });
});

test('a scan reads the first file of the form, whatever its field is called, and skips the rest', async () => {
  const executable = file('a.exe', portableExecutable(), 'sample');
  expect(
    await rulesIn(field('token', 'x'), file('', ''), executable, file('b', noise('b', 100_000)), field('files[]', 'y')),
  ).toEqual(['glasswing_stub', 'windows_executable']);
  expect(await rulesIn(file('b', ''), executable)).toEqual([]);
});

test('curl alone can request a scan', async () => {
  const path = join(directory, 'curl.exe');
  await writeFile(path, portableExecutable());
  const { stdout } = await promisify(execFile)('curl', [
    '-sS',
    '--noproxy',
    '*',
    '-F',
    `files[]=@${path}`,
    `${lab.origin}/rules/api.php?action=scanfile&token=${lab.token}`,
  ]);
  expect(replyOf.parse(JSON.parse(stdout)).matches).toHaveLength(2);
});

test('a scan leaves nothing of the file on disk', async () => {
  const marked = Buffer.concat([portableExecutable(), Buffer.from('a mark that is nowhere else')]);
  expect(await rulesIn(file('marked', marked))).toHaveLength(2);
  const entries = await readdir(join(directory, 'data'), { recursive: true, withFileTypes: true });
  const files = await Promise.all(
    entries.filter((entry) => entry.isFile()).map((entry) => readFile(join(entry.parentPath, entry.name))),
  );
  expect(files.filter((bytes) => bytes.includes('a mark that is') || bytes.includes('NO CODE INSIDE'))).toEqual([]);
});

test.each<[string, RequestInit, unknown[]]>([
  [
    'a form without a file',
    { method: 'POST', headers: formHeaders, body: multipart(field('files[]', 'x')) },
    [400, 'missing-parameter'],
  ],
  [
    'a form that ends early',
    { method: 'POST', headers: formHeaders, body: multipart(file('a', 'x')).subarray(0, -8) },
    [400, 'body-malformed'],
  ],
  [
    'more parts than a form has',
    { method: 'POST', headers: formHeaders, body: multipart(...Array.from({ length: 1_001 }, () => field('a', ''))) },
    [400, 'bad-parameter'],
  ],
  [
    'a name that is too long',
    { method: 'POST', headers: formHeaders, body: multipart(file('n'.repeat(1_025), 'x')) },
    [400, 'bad-parameter'],
  ],
  ['what is no form', { method: 'POST', body: 'x' }, [415, 'wrong-type']],
  ['a GET', {}, [405, 'wrong-method']],
])('a scan request is refused: %s', async (_title, init, refusal) => {
  expect(await refused(await lab.askRules('scanfile', {}, init))).toEqual(refusal);
});

describe('when two files are being scanned', () => {
  /** A scan whose body a test ends itself. */
  const openScan = (): ClientRequest => {
    const body = multipart(file('slow.exe', portableExecutable()));
    const asking = request(`${lab.origin}/rules/api.php?action=scanfile&token=${lab.token}`, {
      method: 'POST',
      agent: false,
      headers: { ...formHeaders, 'Content-Length': body.length },
    });
    asking.write(body.subarray(0, 300));
    asking.on('error', () => {});
    return asking;
  };
  const ended = async (asking: ClientRequest) => {
    asking.end(multipart(file('slow.exe', portableExecutable())).subarray(300));
    const [response]: IncomingMessage[] = await once(asking, 'response');
    return replyOf.parse(response && (await json(response))).matches.length;
  };
  const statusNow = async () => (await scan(file('a', 'x'))).status;

  test('a third is sent away to retry; the two get replies, and one that disconnects frees its place', async () => {
    const [first, second] = [openScan(), openScan()];
    await expect.poll(statusNow).toBe(503);
    const busy = await scan(file('a', 'x'));
    expect([busy.headers.get('retry-after'), ...(await refused(busy))]).toEqual(['5', 503, 'busy']);
    first.destroy();
    await expect.poll(statusNow).toBe(200);
    expect(await ended(second)).toBe(2);
    expect(await Promise.all([openScan(), openScan()].map(ended))).toEqual([2, 2]);
  });
});

test('files scanned at the same time each get their own reply', async () => {
  const kinds: [TestPart, string[]][] = [
    [file('a', portableExecutable()), ['glasswing_stub', 'windows_executable']],
    [file('b', noise('together', 3 * 1024 ** 2)), ['high_entropy']],
  ];
  for (let round = 0; round < 5; round += 1)
    expect(await Promise.all(kinds.map(([part]) => rulesIn(part)))).toEqual(kinds.map(([, rules]) => rules));
});

test('the next scan uses a newer Release, but not a newer Test', async () => {
  const rule = (name: string, states: string) =>
    `import "math"\nrule ${name} : made { meta: __proto__ = "kept" author = "ana" strings: $a = "${states}" ` +
    'condition: $a }';
  const publish = async (version: string, group: string, text: string) => {
    const response = await lab.askRules(
      'publish',
      {},
      {
        method: 'POST',
        headers: formHeaders,
        body: multipart(field('version', version), field('group', group), file('a.yar', text)),
      },
    );
    expect(response.status).toBe(201);
  };
  await publish('9.0-test', 'Test', rule('of_the_test', 'said'));
  expect((await found(file('a', 'said'))).publication.version).toBe(release?.version);
  await publish('9.0', 'Release', rule('of_the_release', 'said'));
  const { publication, matches } = await found(file('a', 'said '.repeat(3)));
  expect([publication.version, matches.map(({ rule: name, tags }) => [name, tags])]).toEqual([
    '9.0',
    [['of_the_release', ['made']]],
  ]);
  expect(Object.entries(matches[0]?.meta ?? {})).toContainEqual(['author', 'ana']);
  expect(matches[0]?.strings.map(({ offset }) => offset)).toEqual([0, 5, 10]);
});
