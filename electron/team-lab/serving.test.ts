import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { field, file, formHeaders, multipart } from '../lab/multipart-body.fixture.ts';
import { testKeys } from './testing/s3.fixture.ts';
import { type TeamLab, type TeamPlace, useTeam } from './testing/team.fixture.ts';
import { RateLimit } from './watch.ts';

const team = useTeam();
const proxy = '127.0.0.1';
let place: TeamPlace;
let lab: TeamLab;
let token: string;
beforeAll(async () => {
  place = await team.place();
  await team.command(place, 'migrate', '--stock');
  token = await team.token(place);
  lab = await team.lab(
    place,
    '--host=Samples.example',
    `--trusted-proxy=${proxy}`,
    '--trusted-proxy=2001:DB8:0:0::7',
    '--metrics=127.0.0.1:0',
    '--requests-per-minute=600',
  );
});

const eicar = '44d88612fea8a8f36de82e1278abb02f';

/** With headers that `fetch` keeps for itself. */
async function statusWith(headers: Record<string, string>, path: string): Promise<number> {
  const response: unknown[] = await once(get(`${lab.origin}${path}`, { headers }), 'response');
  const message = z.custom<IncomingMessage>((value) => typeof value === 'object').parse(response[0]);
  message.resume();
  return message.statusCode ?? 0;
}

const lookUp = (): string => `/repository/api.php?action=getfile&token=${token}&hash=${eicar}`;

test.each([
  ['samples.example', 200],
  ['SAMPLES.EXAMPLE', 200],
  ['localhost', 421],
  ['other.example', 421],
])('a team lab answers a request with the Host "%s" with %i', async (host, status) => {
  expect(await statusWith({ Host: host }, lookUp())).toBe(status);
});

test.each([
  ['/healthz', { status: 'ok' }],
  ['/readyz', { status: 'ok', database: 'ok' }],
])('a team lab answers %s without a token, under any Host', async (path, found) => {
  expect(await (await fetch(`${lab.origin}${path}`)).json()).toEqual(found);
  expect(await statusWith({ Host: '10.0.0.7' }, path)).toBe(200);
  expect((await fetch(`${lab.origin}${path}`, { method: 'POST', body: 'x' })).status).toBe(404);
});

test('a team lab counts requests by action and status, and its connections', async () => {
  await lab.ask(token, 'getfile', { hash: eicar });
  const text = await (await fetch(lab.metrics)).text();
  expect(text).toMatch(/^vitrine_lab_requests_total\{action="getfile",status="200"\} [1-9]/m);
  expect(text).toMatch(/^vitrine_lab_request_seconds_count\{action="getfile"\} [1-9]/m);
  expect(text).toMatch(/^vitrine_lab_database_connections\{state="waiting"\} 0$/m);
  expect(text).toMatch(/^process_resident_memory_bytes \d/m);
  expect(text).not.toContain(token);
  expect((await fetch(lab.metrics.replace('/metrics', '/'))).status).toBe(404);
});

test('a team lab logs each call as a line of JSON, without a secret', async () => {
  await lab.ask(token, 'downloadfile', { file: eicar });
  await lab.ask('canary-of-a-wrong-token', 'getfile', { hash: eicar });
  const call = z.looseObject({ message: z.literal('request'), action: z.string() });
  const calls = () =>
    lab
      .printed()
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .flatMap((line) => call.safeParse(JSON.parse(line)).data ?? []);
  await expect
    .poll(calls)
    .toContainEqual(
      expect.objectContaining({ action: 'downloadfile', status: 200, caller: 'ana', token: 1, received: 0 }),
    );
  await expect.poll(calls).toContainEqual(expect.objectContaining({ action: 'getfile', status: 401, caller: null }));
  for (const secret of [token, 'canary-of-a-wrong-token', testKeys.secretAccessKey])
    expect(lab.printed()).not.toContain(secret);
});

test('a team lab answers searches to a token that may read, and to no other', async () => {
  const found = await lab.ask(token, 'searchfiles', { query: 'threat:eicar*', limit: '5' });
  expect(await found.json()).toMatchObject({ files: [{ md5: eicar, filename: 'eicar.com' }], total: 1, more: false });
  const refused = await lab.ask(token, 'searchfiles', { query: 'note:x' });
  expect([refused.status, await refused.json()]).toEqual([
    400,
    { error: { code: 'bad-parameter', message: expect.stringContaining('note') } },
  ]);
  const uploader = await team.token(place, 'upload');
  expect((await lab.ask(uploader, 'searchfiles', { query: '' })).status).toBe(403);
});

describe('the audit trail of a team', () => {
  const trail = async (...args: string[]): Promise<string[][]> =>
    (await team.command({ ...place, blobs: place.blobs }, 'audit', ...args)).results
      .trim()
      .split('\n')
      .map((line) => line.split('\t').slice(1));

  test('has uploads, comments and downloads with their caller, address and hashes, newest first', async () => {
    const from = { 'X-Forwarded-For': '203.0.113.9, 198.51.100.4, 2001:db8::7' };
    const body = multipart(file('a', randomBytes(100)), field('comment', 'x'));
    const uploaded = await lab.ask(
      token,
      'uploadfiles',
      {},
      { method: 'POST', headers: { ...formHeaders, ...from }, body },
    );
    const { files } = z
      .object({ files: z.array(z.object({ md5: z.string(), sha256: z.string() })) })
      .parse(await uploaded.json());
    const { md5 = '', sha256 = '' } = files[0] ?? {};
    await lab.ask(token, 'downloadfile', { file: md5 }, { headers: from });
    const comment = new URLSearchParams({ hash: md5, comment: '{"content":"c"}' });
    await lab.ask(token, 'addcomment', {}, { method: 'POST', headers: from, body: comment });
    expect((await trail('--who', 'ana')).slice(0, 3)).toEqual([
      ['ana', 'addcomment', '198.51.100.4', sha256],
      ['ana', 'downloadfile', '198.51.100.4', sha256],
      ['ana', 'uploadfiles', '198.51.100.4', sha256],
    ]);
  });

  test('has tokens that commands added and removed, and nothing of the tokens themselves', async () => {
    const other = await team.token(place, 'read');
    await team.command(place, 'token', 'remove', '2');
    const found = await trail('--most', '2');
    expect(found.map(([, what, , about]) => [what, about])).toEqual([
      ['token-remove', '2'],
      ['token-add', 'ana,read'],
    ]);
    expect(JSON.stringify(await trail())).not.toContain(other);
  });

  test('has a migration with what it was to add', async () => {
    const migrations = (await trail('--most', '10000')).filter(([, what]) => what === 'migrate');
    expect(migrations.map(([, , from, about]) => [from, about])).toEqual([['-', 'stock']]);
  });

  test('has a command that failed midway, whose first files are in', async () => {
    const { code } = await team.command(place, 'add', '--tags', 'midway', import.meta.filename, '/nowhere/at-all');
    expect(code).toBe(1);
    expect((await trail('--most', '1')).map(([, what, , about]) => [what, about])).toEqual([
      ['add', 'serving.test.ts,at-all'],
    ]);
  });

  test('is read from a day on', async () => {
    expect(await trail('--since', '2999-01-01')).toEqual([[]]);
    expect((await trail('--since', '2026-01-01')).length).toBeGreaterThan(1);
  });
});

test('a token that makes too many requests gets 429 with the seconds to wait, and another does not', async () => {
  const greedy = await team.token(place, 'read');
  const answers = await Promise.all(
    Array.from({ length: 160 }, () => lab.ask(greedy, 'getfile', { hash: '0'.repeat(32) })),
  );
  const refused = answers.filter(({ status }) => status === 429);
  expect(refused.length).toBeGreaterThan(20);
  expect(refused[0]?.headers.get('retry-after')).toBe('1');
  expect((await lab.ask(token, 'getfile', { hash: eicar })).status).toBe(200);
});

test('a token that asks for what it has no right to is limited too, and is in the log', async () => {
  const curious = await team.token(place, 'scan');
  const answers = await Promise.all(
    Array.from({ length: 160 }, () => lab.ask(curious, 'getfile', { hash: '0'.repeat(32) })),
  );
  const statuses = answers.map(({ status }) => status);
  expect(new Set(statuses)).toEqual(new Set([403, 429]));
  await expect.poll(() => lab.printed()).toMatch(/"action":"getfile","status":403,[^\n]*"caller":"ana"/);
});

test('the rate limit lets a token save up a sixth of a minute, and refills by the clock', () => {
  const clock = { now: 0 };
  const limit = new RateLimit(60, () => clock.now);
  const admitted = (): number => {
    for (let calls = 0; ; calls += 1) {
      try {
        limit.admit(1);
      } catch {
        return calls;
      }
    }
  };
  expect(admitted()).toBe(10);
  clock.now += 3_500;
  expect(admitted()).toBe(3);
  clock.now += 3_600_000;
  expect(admitted()).toBe(10);
});

test('a team lab that is asked to end is not ready, ends what runs, and then exits', async () => {
  const ending = await team.lab(place, '--drain', '1', '--grace', '20');
  const body = multipart(file('slow', randomBytes(3_000_000)));
  const { promise: rest, resolve: sendRest } = Promise.withResolvers<void>();
  const slowly = new ReadableStream<Uint8Array>({
    start: async (controller) => {
      controller.enqueue(body.subarray(0, 1_000_000));
      await rest;
      controller.enqueue(body.subarray(1_000_000));
      controller.close();
    },
  });
  const uploading = ending.ask(
    token,
    'uploadfiles',
    {},
    {
      method: 'POST',
      headers: formHeaders,
      body: slowly,
      duplex: 'half',
    },
  );
  await expect.poll(() => ending.printed()).toContain('listening');
  ending.process.kill('SIGTERM');
  await expect.poll(async () => (await fetch(`${ending.origin}/readyz`)).status, { interval: 20 }).toBe(503);
  const refused = (): Promise<boolean> =>
    fetch(`${ending.origin}/healthz`).then(
      () => false,
      () => true,
    );
  await expect.poll(refused).toBe(true);
  sendRest();
  expect(await (await uploading).json()).toMatchObject({ files: [{ filename: 'slow', size: 3_000_000 }] });
  await ending.stop();
  expect(ending.process.exitCode).toBe(0);
});

test.each([['serve', '--listen', '127.0.0.1:0'], ['audit'], ['token', 'add', '--rights', 'read', '--name', 'ana']])(
  'a team lab reports missing tables in one line, and exits, at %s',
  async (...args) => {
    const empty = { ...place, database: await team.postgres.emptyDatabase() };
    const { code, results, remarks } = await team.command(empty, ...args);
    expect([code, results, remarks]).toEqual([1, '', expect.stringMatching(/^The database .* Run "migrate" .*\n$/)]);
  },
);

describe('check', () => {
  const lines = (results: string): string[][] =>
    results
      .trim()
      .split('\n')
      .map((line) => line.split('\t'));

  test('lists what works, and what the bucket lacks, and leaves nothing behind', async () => {
    const { code, results } = await team.command(place, 'check');
    expect(code).toBe(0);
    expect(lines(results).filter(([outcome]) => outcome === 'works')).toHaveLength(9);
    expect(lines(results).filter(([outcome]) => outcome === 'fails')).toEqual([]);
    expect((await team.command(place, 'verify')).remarks).toContain('Without a record: 0.');
  });

  test('fails for a bucket that is not there, and a database that does not answer', async () => {
    const gone = { database: 'postgres://lab@127.0.0.1:1/lab', blobs: place.blobs.replace('/samples/', '/nowhere/') };
    const { code, results, remarks } = await team.command(gone, 'check');
    const failed = lines(results).filter(([outcome]) => outcome === 'fails');
    expect([code, failed.length > 5, remarks]).toEqual([1, true, expect.stringMatching(/does not work/)]);
    expect(failed[0]?.[2]).toMatch(/cannot be reached/);
  });

  test('refuses secrets in addresses with one line that does not show them', async () => {
    const shown = { ...place, database: 'postgres://lab:canary-9@db/lab' };
    const { code, results, remarks } = await team.command(shown, 'check');
    expect([code, results, remarks]).toEqual([1, '', expect.stringMatching(/^[^\n]*password[^\n]*\n$/)]);
    expect(remarks).not.toContain('canary-9');
  });
});

test('a team lab that cannot listen for its metrics exits with the address of these', async () => {
  const { code, remarks } = await team.command(place, 'serve', '--listen=127.0.0.1:0', '--metrics', '192.0.2.1:9100');
  expect([code, remarks]).toEqual([1, 'The lab cannot listen on 192.0.2.1 (EADDRNOTAVAIL).\n']);
});

test('a team lab whose address is taken exits, also when it serves metrics', async () => {
  const taken = new URL(lab.origin).host;
  const { code, remarks } = await team.command(place, 'serve', '--listen', taken, '--metrics', '127.0.0.1:0');
  expect([code, remarks]).toEqual([1, expect.stringMatching(/^Port \d+ is in use\.[^\n]* with --listen\.\n$/)]);
  const measured = await team.command(place, 'serve', '--listen', '127.0.0.1:0', '--metrics', taken);
  expect([measured.code, measured.remarks]).toEqual([1, expect.stringMatching(/^Port \d+ [^\n]* with --metrics\.\n$/)]);
});
