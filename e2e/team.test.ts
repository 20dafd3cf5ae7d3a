import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { filesHolding } from './disk.ts';
import { multipart, post } from './faults/hand-made-form.fixture.ts';
import { itemsOf } from './faults/zip-items.ts';
import { generatedSamples } from './generated-samples.ts';
import { recordOf, recordsOf } from './lab-reading.ts';
import { startTeam, type Team, type TeamOptions } from './team.ts';

interface StartedTeam {
  server: Team;
  folder: string;
  ask(query: string): Promise<Response>;
  end(): Promise<void>;
}

let plain: StartedTeam;
let inDialect: StartedTeam;
beforeAll(async () => {
  plain = await team({ samples: 60, restricted: 2, rights: 'read,download,upload,comment' });
  inDialect = await team({ samples: 1, dialect: { bulk: 'none' }, rights: 'read,upload,comment' });
});
afterAll(() => Promise.all([plain.end(), inDialect.end()]));

async function team(options: TeamOptions): Promise<StartedTeam> {
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-team-'));
  const server = await startTeam(folder, options);
  const end = async (): Promise<void> => {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  };
  return { server, folder, end, ask: (query) => fetch(`${server.baseUrl}/api.php?${query}&token=${server.token}`) };
}

const bulk = (md5s: readonly string[]): string =>
  `action=bulkdownload&${md5s.map((md5) => `files[]=${md5}`).join('&')}`;

test('a team has the requested samples under their MD5s, and its token may not fetch the restricted ones', async () => {
  const { server, ask } = plain;
  expect([new Set(server.samples).size, new Set(server.restricted).size]).toEqual([60, 2]);
  const items = await itemsOf(new Uint8Array(await (await ask(bulk(server.samples))).arrayBuffer()));
  expect(items.map(({ name, bytes }) => [name, createHash('md5').update(bytes).digest('hex')])).toEqual(
    server.samples.map((md5) => [md5, md5]),
  );
  for (const md5 of server.restricted) expect((await ask(`action=downloadfile&file=${md5}`)).status).toBe(403);
  expect(server.faults.requests.map(({ action }) => action)).toEqual(['bulkdownload', 'downloadfile', 'downloadfile']);
});

test('a team uses the field dialect when configured', async () => {
  const { server, ask } = inDialect;
  expect((await ask(bulk(server.samples))).status).toBe(404);
  expect(await (await ask(`action=getfile&hash=${server.samples[0]}`)).json()).toMatchObject({ file: { locked: '0' } });
});

test.each([false, true])('an upload is read back from the lab, with or without the dialect: %s', async (dialect) => {
  const { server } = dialect ? inDialect : plain;
  const samples = server.samples.slice(0, 1);
  const bytes = Buffer.from(`uploaded through the ${dialect ? 'dialect' : 'lab'}`);
  const md5 = createHash('md5').update(bytes).digest('hex');
  const form = multipart(
    ['vtsubmit[]', 'false'],
    ['cksubmit[]', 'true'],
    ['tags[]', 'a,b'],
    ['comment', 'seen'],
    ['files_data', '[{"index":0,"vtsubmit":false,"cksubmit":true,"tags":"a,b"}]'],
    ['files[]', 'one.bin', bytes],
  );
  expect((await post(`${server.uploads.baseUrl}/api.php?action=uploadfiles&token=${server.token}`, form)).status).toBe(
    200,
  );
  expect(await recordOf(server, md5)).toMatchObject({
    md5,
    name: 'one.bin',
    sizeBytes: bytes.length,
    tags: ['a', 'b'],
    virusTotal: false,
    sandbox: true,
    comments: [{ parent: null, content: 'seen' }],
  });
  expect(server.uploads.requestsOf('uploadfiles')).toMatchObject([{ form: { parts: [{ md5 }] } }]);
  expect((await recordsOf(server, [md5, '0'.repeat(32), ...samples])).map((record) => record.md5)).toEqual([
    md5,
    ...samples,
  ]);
  await expect(recordOf({ ...server, token: await server.makeToken('upload') }, md5)).rejects.toThrow('403');
});

test('a generated sample is not stored as plain bytes in the lab', async () => {
  const [sample] = generatedSamples(3, 'sample').slice(2);
  expect(await filesHolding(plain.folder, sample?.bytes.subarray(0, 40).toString() ?? '')).toEqual([]);
});
