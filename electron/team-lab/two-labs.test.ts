import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { request } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { labRights } from '../../shared/domain/lab.ts';
import { boundary, field, file, formHeaders, multipart } from '../lab/multipart-body.fixture.ts';
import type { MetadataStore } from '../lab/stores/metadata-store.ts';
import { mintToken, tokenDigest } from '../lab/tokens.ts';
import { readDatabaseAddress } from './postgres/pg-address.ts';
import { PgDatabase } from './postgres/pg-database.ts';
import { openPgMetadata } from './postgres/pg-metadata-store.ts';
import { useTeam, type TeamLab, type TeamPlace } from './testing/team.fixture.ts';

const team = useTeam({ fsync: true });
const md5Of = (bytes: Uint8Array): string => createHash('md5').update(bytes).digest('hex');
const uploaded = z.object({ files: z.array(z.looseObject({ md5: z.string(), error: z.string().optional() })) });

/** Two files with one MD5: the first collision that was published (X. Wang and others, 2004). */
const collision = [
  'd131dd02c5e6eec4693d9a0698aff95c2fcab58712467eab4004583eb8fb7f8955ad340609f4b30283e488832571415a' +
    '085125e8f7cdc99fd91dbdf280373c5bd8823e3156348f5bae6dacd436c919c6dd53e2b487da03fd02396306d248cda0' +
    'e99f33420f577ee8ce54b67080a80d1ec69821bcb6a8839396f9652b6ff72a70',
  'd131dd02c5e6eec4693d9a0698aff95c2fcab50712467eab4004583eb8fb7f8955ad340609f4b30283e4888325f1415a' +
    '085125e8f7cdc99fd91dbd7280373c5bd8823e3156348f5bae6dacd436c919c6dd53e23487da03fd02396306d248cda0' +
    'e99f33420f577ee8ce54b67080280d1ec69821bcb6a8839396f965ab6ff72a70',
].map((hex) => Buffer.from(hex, 'hex'));

const upload = (lab: TeamLab, token: string, ...files: Uint8Array[]): Promise<Response> =>
  lab.ask(
    token,
    'uploadfiles',
    {},
    {
      method: 'POST',
      headers: formHeaders,
      body: multipart(...files.map((bytes, at) => file(`file ${at}`, bytes)), field('comment', 'of the test')),
    },
  );

/** For tests that kill neither of them. */
let shared: TeamPlace;
let labs: readonly [TeamLab, TeamLab];
let metadata: MetadataStore;
beforeAll(async () => {
  shared = await team.place();
  metadata = await openPgMetadata(new PgDatabase(readDatabaseAddress(shared.database, {})));
  await team.command(shared, 'migrate', '--stock');
  labs = await Promise.all([team.lab(shared), team.lab(shared)]);
});

afterAll(() => metadata.close());

/** All bytes are whole, and none is without a record: an upload's that is not, is removed by its lab. */
async function expectSound(place: TeamPlace, records: number): Promise<void> {
  const { code, results, remarks } = await team.command(place, 'verify');
  expect([code, results, remarks]).toEqual([
    0,
    '',
    expect.stringContaining(`Verified: ${records}. Damaged: 0. Without a record: 0.`),
  ]);
}

const objectsOf = async ({ blobs }: TeamPlace): Promise<string[]> => {
  const client = team.s3().client({ through: false, prefix: blobs.split('/').at(-1) ?? '' });
  const { entries } = await client.list('blob/', null);
  client.close();
  return entries.map(({ key }) => key);
};

test('two labs that get the same file 50 times at once store it once', async () => {
  const token = await team.token(shared);
  const before = await objectsOf(shared);
  const bytes = randomBytes(40_000);
  const replies = await Promise.all(
    // Each lab takes 16 at a time.
    Array.from({ length: 50 }, async (_, at): Promise<string> => {
      for (;;) {
        const response = await upload(labs[at % 2 === 0 ? 0 : 1], token, bytes);
        if (response.status !== 503) return uploaded.parse(await response.json()).files[0]?.error ?? 'added';
      }
    }),
  );
  expect(replies.toSorted()).toEqual([...Array.from({ length: 49 }, () => 'File is already uploaded'), 'added']);
  expect(await objectsOf(shared)).toHaveLength(before.length + 1);
  for (const lab of labs) {
    const record = await lab.ask(token, 'getfile', { hash: md5Of(bytes) });
    expect(await record.json()).toMatchObject({ file: { size: 40_000, comments: [{ content: 'of the test' }] } });
  }
  await expectSound(shared, before.length + 1);
});

test('two labs that get other bytes with one MD5 at once store the first, and name the MD5 of the other', async () => {
  const token = await team.token(shared);
  const before = await objectsOf(shared);
  const replies = await Promise.all(collision.map((bytes, at) => upload(labs[at === 0 ? 0 : 1], token, bytes)));
  const errors = await Promise.all(
    replies.map(async (reply) => uploaded.parse(await reply.json()).files[0]?.error ?? 'added'),
  );
  expect(errors.toSorted()).toEqual(['Another file has this MD5', 'added']);
  expect(await objectsOf(shared)).toHaveLength(before.length + 1);
  await expectSound(shared, before.length + 1);
});

test('a link to a package that one lab gives is answered by the other', async () => {
  const token = await team.token(shared);
  const [one, other] = labs;
  const { id } = z
    .object({ id: z.string() })
    .parse(await (await one.askRules(token, 'checkpackageversion', { version: '0' })).json());
  const link = (await one.askRules(token, 'downloadpublication', { id })).headers.get('location') ?? '';
  const response = await fetch(`${other.origin}${link}`);
  expect([
    response.status,
    Buffer.from(await response.arrayBuffer())
      .subarray(0, 2)
      .toString(),
  ]).toEqual([200, 'PK']);
});

/** As the commands do, without a process for each. */
async function addToken() {
  const [token, name] = [mintToken(), 'ana'];
  const sha256 = tokenDigest(token);
  const { id } = await metadata.addToken({
    name,
    sha256,
    rights: [...labRights],
    created: '2026-01-01T00:00:00Z',
  });
  const wasUsed = async (): Promise<boolean> => (await metadata.tokenByDigest(sha256))?.lastUsed !== null;
  return { token, wasUsed, revoke: () => metadata.removeToken(id) };
}

test('a revoked token is refused by both labs within a second', async () => {
  const token = await team.token(shared);
  const { results } = await team.command(shared, 'token', 'list');
  const [number = ''] = results.trim().split('\n').at(-1)?.split('\t') ?? [];
  const status = async (lab: TeamLab): Promise<number> =>
    (await lab.ask(token, 'getfile', { hash: '0'.repeat(32) })).status;
  expect(await Promise.all(labs.map(status))).toEqual([404, 404]);
  await team.command(shared, 'token', 'remove', number);
  const began = performance.now();
  await expect.poll(() => Promise.all(labs.map(status)), { interval: 20 }).toEqual([401, 401]);
  expect(performance.now() - began).toBeLessThan(1_000);
});

const middle = [
  ['an upload', 'repository', 'uploadfiles', () => multipart(file('a', randomBytes(100_000)))],
  ['a comment', 'repository', 'addcomment', () => multipart(field('hash', eicar), field('comment', longComment))],
  ['a publication', 'rules', 'publish', () => publication()],
  ['a scan', 'rules', 'scanfile', () => multipart(file('a', randomBytes(100_000)))],
] as const;
const eicar = '44d88612fea8a8f36de82e1278abb02f';
const longComment = JSON.stringify({ content: 'of a revoked token '.repeat(5_000) });
const publication = (): Buffer =>
  multipart(
    field('version', 'of-a-revoked-token'),
    field('group', 'Test'),
    file('a.yar', `rule a { condition: true } // ${'x'.repeat(100_000)}`),
  );

test.for(middle)('a token that is revoked in the middle of %s is refused, and nothing is stored', async (given) => {
  const [, service, action, form] = given;
  const [{ token, wasUsed, revoke }, { token: other }] = [await addToken(), await addToken()];
  const stored = async (): Promise<unknown> => [
    await objectsOf(shared),
    await (await labs[0].ask(other, 'getfile', { hash: eicar })).json(),
  ];
  const before = await stored();
  const body = form();
  const sending = request(`${labs[0].origin}/${service}/api.php?action=${action}&token=${token}`, {
    method: 'POST',
    headers: { 'Content-Type': `multipart/form-data; boundary=${boundary}`, 'Content-Length': body.length },
  });
  const answering = once(sending, 'response');
  sending.write(body.subarray(0, 50_000));
  await expect.poll(wasUsed).toBe(true);
  await revoke();
  await expect
    .poll(async () => (await labs[0].ask(token, 'getfile', { hash: '0'.repeat(32) })).status, { interval: 20 })
    .toBe(401);
  sending.end(body.subarray(50_000));
  const answered: unknown[] = await answering;
  expect(answered[0]).toMatchObject({ statusCode: 401 });
  await expect.poll(stored).toEqual(before);
});

/** Uploads of a test: those answered, and all. */
interface Sent {
  answered: Buffer[];
  all: Buffer[];
}

/** Those that fail while a server is away are many in a second. */
const unlimited = '--requests-per-minute=10000000';

/** Sends files of odd sizes to labs in turn until they are gone, two at a time. */
async function sendUntilGone(receivers: readonly TeamLab[], token: string, sent: Sent): Promise<void> {
  const sendSome = async (): Promise<void> => {
    for (let at = 0; ; at += 1) {
      const lab = receivers[at % receivers.length];
      const files = [randomBytes(20 + (at % 3) * 30_000), randomBytes(5_000)];
      sent.all.push(...files);
      const response = lab && (await upload(lab, token, ...files).catch(() => null));
      if (!response) return;
      if (response.status === 200 && (await response.json().catch(() => null)) !== null) sent.answered.push(...files);
    }
  };
  await Promise.all([sendSome(), sendSome()]);
}

/** What was answered is there; what was not is there as a whole, with all that was sent with it, or not at all. */
async function expectWhole(lab: TeamLab, token: string, { answered, all }: Sent): Promise<number> {
  let there = 0;
  for (const bytes of all) {
    const record = await lab.ask(token, 'getfile', { hash: md5Of(bytes) });
    const download = await lab.ask(token, 'downloadfile', { file: md5Of(bytes) });
    expect(download.status).toBe(record.status);
    if (answered.includes(bytes)) expect(record.status).toBe(200);
    if (record.status !== 200) continue;
    there += 1;
    expect(await record.json()).toMatchObject({ file: { comments: [{ content: 'of the test' }] } });
    expect(bytes.equals(new Uint8Array(await download.arrayBuffer()))).toBe(true);
  }
  return there;
}

const killedAfter = async (lab: TeamLab, sent: Sent, answers: number): Promise<void> => {
  await expect.poll(() => sent.answered.length, { interval: 1 }).toBeGreaterThanOrEqual(answers);
  await lab.kill();
};

test('a lab, killed while it takes uploads, loses nothing that it answered', () => expectWholeAfterKill(4));
test.each([1, 7, 12, 19, 30])(
  'a lab, killed after %i answered files of uploads, loses nothing that it answered',
  { tags: ['long'] },
  (answers) => expectWholeAfterKill(answers),
);

async function expectWholeAfterKill(answers: number): Promise<void> {
  const place = await team.place();
  const token = await team.token(place);
  const lab = await team.lab(place, unlimited);
  const sent: Sent = { answered: [], all: [] };
  await Promise.all([sendUntilGone([lab], token, sent), killedAfter(lab, sent, answers)]);
  const there = await expectWhole(await team.lab(place, unlimited), token, sent);
  await expectSound(place, there);
}

test.each(['SIGQUIT', 'SIGKILL'] as const)(
  'labs lose nothing that they answered when PostgreSQL ends by %s among uploads, and resume by themselves',
  { tags: ['long'] },
  async (signal) => {
    const place = await team.place();
    const token = await team.token(place);
    const own = [await team.lab(place, unlimited), await team.lab(place, unlimited)];
    const sent: Sent = { answered: [], all: [] };
    const sending = sendUntilGone(own, token, sent);
    await expect.poll(() => sent.answered.length, { interval: 1 }).toBeGreaterThan(6);
    await team.postgres.kill(signal);
    expect((await fetch(`${own[0]?.origin}/readyz`)).status).toBe(503);
    expect((await fetch(`${own[0]?.origin}/healthz`)).status).toBe(200);
    await team.postgres.start();
    const before = sent.answered.length;
    await expect.poll(() => sent.answered.length, { interval: 5 }).toBeGreaterThan(before);
    await Promise.all(own.map((lab) => lab.kill()));
    await sending;
    await expectWhole(await team.lab(place, unlimited), token, sent);
    const { code } = await team.command(place, 'verify');
    expect(code).toBe(0);
  },
);
