import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { type Lab, startLab } from './lab.ts';
import { field, file, formHeaders, multipart, type TestPart } from './multipart-body.fixture.ts';
import { anyToken, withDirectory } from './running-lab.fixture.ts';
import { scanFile, scannerHere } from './scan-file.ts';
import { serveLab } from './server.ts';
import { openSqliteMetadata } from './stores/folder/sqlite-metadata-store.ts';
import { portableExecutable } from './sample-file-bytes.ts';

const scanLimits = { fileBytes: 1_000_000, fileSeconds: 60 };
let directory: string;
let lab: Lab;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'vitrine-lab-'));
  lab = await startLab({
    dataDirectory: directory,
    port: 0,
    session: { token: anyToken, rights: ['scan', 'publish'] },
    scanLimits,
    report: (error) => expect.fail(String(error)),
  });
  await publish(
    '8.0',
    'rule many { strings: $a = { 00 } $b = { 00 01 } condition: all of them }\n' +
      'rule hidden { condition: filename == ".htaccess" and extension == "" }\n' +
      'rule packed { condition: extension == ".gz" }',
  );
});
afterAll(async () => {
  await lab.close(0);
  await rm(directory, { recursive: true, force: true });
});

const endless = 'rule endless { condition: for all i in (0..9223372036854775806) : (i >= 0) }';
const post = (action: string, parts: readonly TestPart[], port = lab.port) =>
  fetch(`http://127.0.0.1:${port}/rules/api.php?action=${action}&token=${anyToken}`, {
    method: 'POST',
    headers: formHeaders,
    body: multipart(...parts),
  });
const scan = (bytes: Uint8Array) => post('scanfile', [file('a', bytes)]);
const refusal = (code: string) => ({ error: { code, message: expect.any(String) } });
const reply = z.object({
  matches: z.array(z.object({ rule: z.string(), strings: z.array(z.unknown()) })),
  left_out: z.array(z.string()).optional(),
});

test('a file exactly at the limit is scanned; one byte more is 413', async () => {
  expect((await scan(randomBytes(1_000_000))).status).toBe(200);
  const response = await scan(randomBytes(1_000_001));
  expect([response.status, await response.json()]).toEqual([413, refusal('body-too-large')]);
});

test('a body with an announced length over the limit is refused before it is sent', async () => {
  const response = await scan(randomBytes(10_000_000));
  expect([response.status, await response.json()]).toEqual([413, refusal('body-too-large')]);
});

test('a scan requires the right to scan', async () => {
  const other = await startLab({
    dataDirectory: join(directory, 'other'),
    port: 0,
    session: { token: anyToken, rights: ['read', 'download', 'publish'] },
    report: (error) => expect.fail(String(error)),
  });
  const response = await post('scanfile', [file('a', portableExecutable())], other.port);
  expect([response.status, await response.json()]).toEqual([403, refusal('right-missing')]);
  await other.close(0);
});

test('a scan is refused when nothing is published', async () => {
  await withDirectory(async (empty) => {
    const metadata = openSqliteMetadata(empty);
    const scanner = scannerHere(() => expect.fail('there is nothing to open'), scanLimits);
    const action = scanFile(metadata, scanner, scanLimits);
    const server = await serveLab({
      port: 0,
      services: new Map([['/rules/api.php', new Map([['scanfile', action]])]]),
      callerOf: async () => ({ token: 1, name: 'ana', rights: new Set(['scan'] as const) }),
      report: (error) => expect.fail(String(error)),
    });
    const response = await post('scanfile', [file('a', portableExecutable())], server.port);
    expect([response.status, await response.json()]).toEqual([404, refusal('no-publication')]);
    await server.close(0);
    await scanner.close();
    await metadata.close();
  });
});

test('a scan reports a thousand places of a string, and their total', async () => {
  const { matches } = reply.parse(await (await scan(Buffer.from([...Buffer.alloc(5_000), 1]))).json());
  const strings = matches[0]?.strings ?? [];
  expect([strings.length, ...strings.slice(-3)]).toEqual([
    1_002,
    { id: '$a', offset: 999, length: 1, data: '00' },
    { id: '$a', total: 5_000 },
    { id: '$b', offset: 4_999, length: 2, data: '0001' },
  ]);
});

test('a rule can use a name and its extension, which a name with only a leading dot lacks', async () => {
  const rulesOf = async (name: string) =>
    reply.parse(await (await post('scanfile', [file(name, 'x')])).json()).matches.map(({ rule }) => rule);
  expect([await rulesOf('.htaccess'), await rulesOf('a.tar.GZ'), await rulesOf('name')]).toEqual([
    ['hidden'],
    ['packed'],
    [],
  ]);
});

test(
  'an endless rule is left out, as the reply reports, and the others continue',
  { tags: ['long'], timeout: 180_000 },
  async () => {
    await withLab({ fileBytes: 10_000, fileSeconds: 0.25 }, async ({ port }) => {
      await publish(
        '8.1',
        `${endless}\nrule good { strings: $a = "MZ" condition: $a at 0 }\n` +
          'rule after { condition: endless or filesize > 2 }',
        port,
      );
      const { matches, left_out: leftOut } = reply.parse(
        await (await post('scanfile', [file('a', portableExecutable())], port)).json(),
      );
      expect([matches.map(({ rule }) => rule), leftOut?.toSorted()]).toEqual([['good'], ['after', 'endless']]);
    });
  },
);

test('a lab that ends abandons its running scans', async () => {
  await withLab(scanLimits, async ({ port, close }) => {
    await publish('8.2', endless, port);
    const statuses = [1, 2, 3].map(() =>
      post('scanfile', [file('a', portableExecutable())], port).then(
        ({ status }) => String(status),
        () => 'cut off',
      ),
    );
    expect(await Promise.race(statuses)).toBe('503');
    await close();
    expect((await Promise.all(statuses)).toSorted()).toEqual(['503', 'cut off', 'cut off']);
  });
});

/** A lab of its own. */
async function withLab(
  limits: typeof scanLimits,
  work: (lab: { port: number; close(): Promise<void> }) => Promise<void>,
): Promise<void> {
  await withDirectory(async (data) => {
    const own = await startLab({
      dataDirectory: data,
      port: 0,
      session: { token: anyToken, rights: ['scan', 'publish'] },
      scanLimits: limits,
      report: (error) => expect.fail(String(error)),
    });
    let closed: Promise<void> | null = null;
    const close = (): Promise<void> => (closed ??= own.close(0));
    try {
      await work({ port: own.port, close });
    } finally {
      await close();
    }
  });
}

async function publish(version: string, text: string, port = lab.port): Promise<void> {
  const response = await post(
    'publish',
    [field('version', version), field('group', 'Release'), file('a.yar', text)],
    port,
  );
  expect([response.status, await response.json()]).toEqual([201, expect.anything()]);
}
