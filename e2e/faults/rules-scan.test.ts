import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { startTeam, type Team } from '../team.ts';
import { formType, multipart, post, type WrittenPart } from './hand-made-form.fixture.ts';
import { type RulesDialectOptions, startRulesDialect } from './rules-dialect.ts';

let folder: string;
let team: Team;
/** A sample file of the lab that one rule finds by three strings. */
let sampleFile: Buffer;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vitrine-rules-scan-'));
  team = await startTeam(folder, { rights: 'read,scan' });
  sampleFile = executable();
});
afterAll(async () => {
  await team.stop();
  await rm(folder, { recursive: true, force: true });
});

/** As the lab makes `invoice_2291.exe`. */
function executable(): Buffer {
  const bytes = Buffer.alloc(1024);
  bytes.write('MZ', 0);
  bytes.writeUInt32LE(0x80, 0x3c);
  bytes.write('This program cannot be run in DOS mode', 0x4e);
  bytes.write('PE\0\0\x4c\x01', 0x80);
  bytes.write('VITRINE SPECIMEN, NO CODE INSIDE', 0x200);
  return bytes;
}

async function scanner(options: Omit<RulesDialectOptions, 'target'> = {}) {
  const dialect = await startRulesDialect({ target: team.labUrl.replace(/repository$/, 'rules'), ...options });
  onTestFinished(dialect.close);
  const scan = (
    parts: WrittenPart[],
    { token = team.token, headers = {} }: { token?: string; headers?: Record<string, string> } = {},
  ) => post(`${dialect.baseUrl}/api.php?action=scanfile&token=${token}`, multipart(...parts), headers);
  return { scan, dialect };
}

const hexOf = (text: string): string => Buffer.from(text, 'latin1').toString('hex').toUpperCase();
const clean = { valid: true, matches: [], has_matches: false };

test('the scan reply is a web page of triples with string offsets and upper-case hex bytes', async () => {
  const { scan, dialect } = await scanner();
  const answer = await scan([['files[]', 'a b.exe', sampleFile]]);
  expect([answer.status, answer.type]).toEqual([200, 'text/html; charset=UTF-8']);
  expect(JSON.parse(answer.text)).toEqual({
    valid: true,
    has_matches: true,
    matches: [
      {
        rule: 'glasswing_stub',
        tags: 'family,windows',
        metas: expect.objectContaining({ author: 'Vitrine', confidence: 'medium' }),
        strings: [
          ['512', '$mark', hexOf('VITRINE SPECIMEN, NO CODE INSIDE')],
          ['128', '$signature', '504500004C01'],
          ['78', '$stub', hexOf('This program cannot be run in DOS mode')],
        ],
      },
      {
        rule: 'windows_executable',
        tags: 'format,windows',
        metas: expect.objectContaining({ revision: '2' }),
        strings: [],
      },
    ],
  });
  expect(dialect.calls).toEqual(['POST /api.php scanfile']);
});

test('the scan uses the first part named files[], and returns a failure with 200 without one', async () => {
  const { scan } = await scanner();
  expect(
    JSON.parse(
      (
        await scan([
          ['file', 'b', sampleFile],
          ['files[]', 'a', Buffer.from('nothing here')],
          ['files[]', 'c', sampleFile],
        ])
      ).text,
    ),
  ).toEqual(clean);
  expect(JSON.parse((await scan([['file', 'b', sampleFile]])).text)).toEqual({
    valid: false,
    error: 'No file was given',
  });
});

test('the scan reply starts with a warning before the JSON when configured', async () => {
  const { scan } = await scanner({ scans: 'stray-text' });
  const { text } = await scan([['files[]', 'a', sampleFile]]);
  expect(text).toMatch(/^<br \/>\n<b>Warning<\/b>.*<br \/>\n\{"valid":true/s);
});

test('the scan refuses a wrong token, a cookie and a missing right, and returns 413 for a large body', async () => {
  const { scan } = await scanner({ bodyBytesAtMost: 5_000 });
  const parts: WrittenPart[] = [['files[]', 'a', sampleFile]];
  const answers = [
    await scan(parts, { token: '' }),
    await scan(parts, { token: 'x'.repeat(40) }),
    await scan(parts, { headers: { Cookie: 'PHPSESSID=1' } }),
    await scan(parts, { token: await team.makeToken('read') }),
    await scan([['files[]', 'a', Buffer.alloc(6_000)]]),
  ];
  expect(answers.map(({ status, text }) => [status, text.slice(0, 15)])).toEqual([
    [401, ''],
    [401, ''],
    [401, ''],
    [403, 'Not enough righ'],
    [413, '<!DOCTYPE HTML '],
  ]);
});

test('the scan action accepts POST, the other actions GET', async () => {
  const { dialect } = await scanner();
  const ask = async (action: string, method: string) =>
    (
      await fetch(`${dialect.baseUrl}/api.php?action=${action}&token=${team.token}`, {
        method,
        ...(method === 'POST' ? { body: 'x', headers: { 'Content-Type': formType } } : {}),
      })
    ).status;
  expect([await ask('scanfile', 'GET'), await ask('checkpackageversion', 'POST')]).toEqual([406, 406]);
});

test('the scan keeps no scanned file', async () => {
  const { scan } = await scanner();
  const bytes = Buffer.concat([sampleFile, Buffer.from('scanned')]);
  expect((await scan([['files[]', 'a', bytes]])).status).toBe(200);
  const asked = await fetch(
    `${team.labUrl}/api.php?action=getfile&token=${team.token}&hash=${createHash('md5').update(bytes).digest('hex')}`,
  );
  expect(asked.status).toBe(404);
});
