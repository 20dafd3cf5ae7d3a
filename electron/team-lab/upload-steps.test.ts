import { randomBytes } from 'node:crypto';
import { type ClientRequest, request } from 'node:http';
import { beforeEach, afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { z } from 'zod';
import { verifyBlobs } from '../lab/commands.ts';
import { sweep } from '../lab/lab.ts';
import { field, file, formHeaders, multipart } from '../lab/multipart-body.fixture.ts';
import { StoreUnavailable } from '../lab/stores/blob-store.ts';
import { placesOf } from '../lab/stores/blob-store.fixture.ts';
import { tokenDigest } from '../lab/tokens.ts';
import { openTeamStores, type TeamStores } from './team-stores.ts';
import { testKeys } from './testing/s3.fixture.ts';
import { type TeamLab, type TeamPlace, useTeam } from './testing/team.fixture.ts';

const team = useTeam({ fsync: true });
beforeEach(() => {
  vi.stubEnv('AWS_ACCESS_KEY_ID', testKeys.accessKeyId);
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', testKeys.secretAccessKey);
});
afterEach(() => {
  team.s3().proxy.reset();
  vi.unstubAllEnvs();
});

const token = 'of the test';
const uploaded = z.object({ files: z.array(z.looseObject({ md5: z.string(), error: z.string().optional() })) });
/** Also what was stored a moment ago, by a clock that counts seconds. */
const anyAge = -60_000;
const count = z.object({ count: z.number() });

async function open(): Promise<{ place: TeamPlace; stores: TeamStores }> {
  const place = await team.place();
  const stores = await openTeamStores(place, () => {});
  onTestFinished(() => stores.close());
  const created = '2026-01-01T00:00:00Z';
  const rights = ['read', 'download', 'upload', 'publish'] as const;
  await stores.metadata.addToken({ name: 'ana', sha256: tokenDigest(token), rights: [...rights], created });
  return { place, stores };
}

const rowsIn = async ({ database }: TeamStores, what: string): Promise<number> =>
  (await database.query({ text: `SELECT count(*) FROM ${what}`, row: count }))[0]?.count ?? -1;

const formOf = (bytes: Uint8Array): Buffer => multipart(file('a', bytes), field('comment', 'of the test'));

/** A client that sends so much of a form, and does not mind how it ends. */
function client({ origin }: TeamLab, form: Buffer, sentBytes = form.length): ClientRequest {
  const sending = request(`${origin}/repository/api.php?action=uploadfiles&token=${encodeURIComponent(token)}`, {
    method: 'POST',
    agent: false,
    headers: { ...formHeaders, 'Content-Length': form.length },
  });
  sending.on('error', () => {});
  sending.on('response', (response) => response.resume());
  sending.write(form.subarray(0, sentBytes));
  onTestFinished(() => void sending.destroy());
  return sending;
}

/** Ends something once a statement waits for the table, which is locked until then. */
async function whileLocked(stores: TeamStores, table: string, end: () => Promise<unknown>): Promise<void> {
  let isEnded = false;
  const locked = stores.database.transaction(async (queries) => {
    await queries.execute(`SET LOCAL idle_in_transaction_session_timeout = 0; LOCK TABLE ${table} IN EXCLUSIVE MODE`);
    const waiting = `pg_locks WHERE NOT granted AND relation = '${table}'::regclass`;
    await expect.poll(() => rowsIn(stores, waiting), { interval: 20 }).toBe(1);
    await end();
    isEnded = true;
  });
  // PostgreSQL itself may be what ends.
  await locked.catch((error: unknown) => expect([isEnded, error]).toEqual([true, expect.any(StoreUnavailable)]));
}

/** Ends something at a step of an upload. */
type Step = (lab: TeamLab, stores: TeamStores, form: Buffer, end: () => Promise<unknown>) => Promise<void>;

/** Whether the upload is there when its lab was killed, and when PostgreSQL has ended. */
interface IsThere {
  afterLab: boolean;
  afterPostgres: boolean;
}

const steps: readonly (readonly [string, Step, IsThere])[] = [
  [
    'its bytes come',
    async (lab, stores, form, end) => {
      client(lab, form, 50_000);
      await expect.poll(() => rowsIn(stores, 'token WHERE last_used IS NOT NULL')).toBe(1);
      await end();
    },
    { afterLab: false, afterPostgres: false },
  ],
  [
    'the store has its bytes and has not answered',
    async (lab, _stores, form, end) => {
      const { proxy } = team.s3();
      const { promise, resolve } = Promise.withResolvers<void>();
      proxy.fault(/^PUT .*\/blob\//, { kind: 'wait', until: promise });
      client(lab, form);
      await expect.poll(() => proxy.count(/^PUT .*\/blob\//), { interval: 20 }).toBe(1);
      await end();
      resolve();
    },
    { afterLab: false, afterPostgres: false },
  ],
  [
    'its rows are written',
    (lab, stores, form, end) => {
      client(lab, form);
      return whileLocked(stores, 'sample', end);
    },
    // PostgreSQL finishes a statement whose client has gone while it waited.
    { afterLab: true, afterPostgres: false },
  ],
  [
    'it is put on record',
    (lab, stores, form, end) => {
      client(lab, form);
      return whileLocked(stores, 'audit', end);
    },
    { afterLab: true, afterPostgres: true },
  ],
];

const fails = (what: unknown): never => expect.fail(String(what));

/** Sent again it is there once, whole, and nothing else is. */
async function expectOnce(place: TeamPlace, stores: TeamStores, lab: TeamLab, bytes: Buffer): Promise<string> {
  const init = { method: 'POST', headers: formHeaders, body: formOf(bytes) };
  const reply = await lab.ask(token, 'uploadfiles', {}, init);
  const [one] = uploaded.parse(await reply.json()).files;
  const download = await lab.ask(token, 'downloadfile', { file: one?.md5 ?? '' });
  expect(bytes.equals(new Uint8Array(await download.arrayBuffer()))).toBe(true);
  expect([await rowsIn(stores, 'sample'), await rowsIn(stores, 'blob'), await rowsIn(stores, 'comment')]).toEqual([
    1, 1, 1,
  ]);
  await sweep(stores, anyAge);
  const [blob] = await stores.metadata.blobsAfter(null, 2);
  expect(await placesOf(stores.blobs)).toEqual([blob?.place]);
  const remarks: string[] = [];
  const verified = { stores: () => openTeamStores(place, () => {}), metadata: () => Promise.resolve(stores.metadata) };
  const terminal = { result: fails, report: fails, remark: (line: string) => void remarks.push(line) };
  await verifyBlobs({ kind: 'verify', isQuick: false }, verified, terminal);
  expect(remarks).toEqual(['Verified: 1. Damaged: 0. Without a record: 0.']);
  return one?.error ?? 'added';
}

test.for(steps)(
  'an upload whose lab is killed when %s is there once when it is sent again to another',
  { tags: ['long'] },
  async ([, step, { afterLab }]) => {
    const { place, stores } = await open();
    const [killed, other] = await Promise.all([team.lab(place), team.lab(place)]);
    const bytes = randomBytes(100_000);
    await step(killed, stores, formOf(bytes), () => killed.kill());
    const again = await expectOnce(place, stores, other, bytes);
    expect(again).toBe(afterLab ? 'File is already uploaded' : 'added');
  },
);

test.for(steps)(
  'an upload whose PostgreSQL ends at once when %s is there once when it is sent again',
  { tags: ['long'] },
  async ([, step, { afterPostgres }]) => {
    const { place, stores } = await open();
    const lab = await team.lab(place);
    const bytes = randomBytes(100_000);
    await step(lab, stores, formOf(bytes), () => team.postgres.kill('SIGQUIT'));
    await team.postgres.start();
    await expect.poll(async () => (await fetch(`${lab.origin}/readyz`)).status).toBe(200);
    await expect.poll(() => rowsIn(stores, 'sample').catch(() => -1)).toBe(afterPostgres ? 1 : 0);
    const again = await expectOnce(place, stores, lab, bytes);
    expect(again).toBe(afterPostgres ? 'File is already uploaded' : 'added');
  },
);

test(
  'labs whose clocks are twenty minutes apart share samples, links, rules and tokens',
  { tags: ['long'] },
  async () => {
    const { place, stores } = await open();
    const labs = [await team.labAhead(10, place), await team.labAhead(-10, place)] as const;
    const [ahead, behind] = labs;
    const form = (lab: TeamLab, version: string): Promise<Response> => {
      const rules = multipart(
        field('version', version),
        field('group', 'Release'),
        file('a.yar', `rule a { condition: true } // ${version}`),
      );
      return lab.askRules(token, 'publish', {}, { method: 'POST', headers: formHeaders, body: rules });
    };
    expect([(await form(ahead, 'first')).status, (await form(behind, 'second')).status]).toEqual([201, 201]);
    for (const [lab, other] of [labs, labs.toReversed()] as const) {
      const bytes = randomBytes(10_000);
      const init = { method: 'POST', headers: formHeaders, body: formOf(bytes) };
      const [one] = uploaded.parse(await (await lab?.ask(token, 'uploadfiles', {}, init))?.json()).files;
      const download = await other?.ask(token, 'downloadfile', { file: one?.md5 ?? '' });
      expect(bytes.equals(new Uint8Array((await download?.arrayBuffer()) ?? []))).toBe(true);
      // What was published last is the current one, whatever the clocks were.
      const checked = await lab?.askRules(token, 'checkpackageversion', { version: 'first' });
      const { id, last_version: last } = z
        .object({ id: z.string(), last_version: z.string() })
        .parse(await checked?.json());
      expect(last).toBe('second');
      const link = await lab?.askRules(token, 'downloadpublication', { id });
      expect((await fetch(`${other?.origin}${link?.headers.get('location')}`)).status).toBe(200);
    }
    const [own = expect.fail('it is gone')] = await stores.metadata.tokens();
    await stores.metadata.removeToken(own.id);
    const status = async (lab: TeamLab): Promise<number> => (await lab.ask(token, 'getfile', {})).status;
    await expect.poll(() => Promise.all(labs.map(status)), { interval: 20, timeout: 1_000 }).toEqual([401, 401]);
  },
);
