import { afterAll, beforeAll, expect, test } from 'vitest';
import type { LabRight } from '../../../shared/domain/lab.ts';
import { labRights } from '../../../shared/domain/lab.ts';
import { serveLab } from '../../lab/server.ts';
import { createCallerOf, tokenDigest } from '../../lab/tokens.ts';
import { readDatabaseAddress } from '../postgres/pg-address.ts';
import { PgDatabase } from '../postgres/pg-database.ts';
import { usePostgres } from '../testing/postgres.fixture.ts';
import { addPublication, addToPostgres, hashesOfNumber, plainSample } from '../testing/stocked-search.fixture.ts';
import { searchFiles } from './search-action.ts';

const postgres = usePostgres();
const now = new Date('2026-11-30T12:00:00.000Z');
const rightsOf = new Map<string, LabRight[]>([
  ['reader', ['read']],
  ['other', labRights.filter((right) => right !== 'read')],
]);
let database: PgDatabase;
let ask: (parameters: Record<string, string>, token?: string) => Promise<{ status: number; body: unknown }>;
const ends: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  database = new PgDatabase(readDatabaseAddress(await postgres.labDatabase(), {}));
  await addPublication(database);
  await addToPostgres(database, [
    plainSample({ name: 'one.exe', tags: ['a', 'b:c'], comments: ['seen'], uploaded: '2026-01-01T00:00:00.5Z' }),
    plainSample({
      name: 'two.exe',
      uploaded: '2026-11-29T00:00:00Z',
      restricted: true,
      mime: 'text/plain',
      threat: 'T',
    }),
  ]);
  const tokens = new Map(
    [...rightsOf].map(([name, rights], id) => [
      tokenDigest(name),
      { id, name, sha256: tokenDigest(name), rights, created: '2026-01-01T00:00:00Z', lastUsed: null },
    ]),
  );
  const store = { tokenByDigest: async (digest: string) => tokens.get(digest) ?? null, noteTokenUse: async () => {} };
  const lab = await serveLab({
    port: 0,
    services: new Map([['/repository/api.php', new Map([['searchfiles', searchFiles(database, () => now)]])]]),
    callerOf: createCallerOf(store, null),
    report: () => {},
  });
  ends.push(
    () => lab.close(0),
    () => database.close(),
  );
  ask = async (parameters, token = 'reader') => {
    const query = new URLSearchParams({ action: 'searchfiles', token, ...parameters }).toString();
    const response = await fetch(`http://127.0.0.1:${lab.port}/repository/api.php?${query}`);
    return { status: response.status, body: await response.json() };
  };
});
afterAll(async () => {
  for (const end of ends) await end();
});

const [one, two] = [
  {
    ...hashesOfNumber(1),
    filename: 'one.exe',
    size: 3,
    date: '2026-01-01T00:00:00.500Z',
    user_name: 'ana',
    threat: null,
    criticity: 3,
    mime: null,
    locked: false,
    vtsubmit: false,
    cksubmit: false,
    tags: 'a,b:c',
  },
  {
    ...hashesOfNumber(2),
    filename: 'two.exe',
    size: 3,
    date: '2026-11-29T00:00:00Z',
    user_name: 'ana',
    threat: 'T',
    criticity: 3,
    mime: 'text/plain',
    locked: true,
    vtsubmit: false,
    cksubmit: false,
    tags: '',
  },
];

test('searchfiles gives records as getfile does, without comments, newest first', async () => {
  const all = { files: [two, one], next: null, total: 2, more: false };
  expect(await ask({})).toEqual({ status: 200, body: all });
  expect(await ask({ query: 'exe', order: 'name' })).toEqual({ status: 200, body: { ...all, files: [one, two] } });
  expect(await ask({ query: 'seen:<7d' })).toEqual({ status: 200, body: { ...all, files: [two], total: 1 } });
});

test('searchfiles gives the next page for the mark of the one in front', async () => {
  const first = await ask({ limit: '1' });
  expect(first).toMatchObject({ status: 200, body: { files: [two], total: 2, next: expect.any(String) } });
  const { next } = Object(first.body) as { next: string };
  expect(await ask({ limit: '1', after: next })).toMatchObject({
    status: 200,
    body: { files: [one], total: 2, next: null },
  });
});

test.each<[Record<string, string>, string]>([
  [{ query: 'sise:1' }, 'Unknown field “sise:”. Did you mean “size:”? Quote it to search for the text.'],
  [{ query: 'size:' }, 'Add a value after “size:”.'],
  [{ query: 'a'.repeat(10_000) }, 'A search has at most 1,000 characters.'],
  [{ query: 'a '.repeat(400) }, 'A search has at most 32 terms.'],
  [{ query: 'note:x' }, 'The team lab cannot search “note:”. Remove it from the search.'],
  [{ order: 'best' }, '"order" takes one of newest, oldest, largest, smallest, name, name-descending.'],
  [{ limit: '201' }, '"limit" must be a number from 1 to 200.'],
  [{ limit: '0' }, '"limit" must be a number from 1 to 200.'],
  [{ after: 'x' }, 'The mark of the page is not of this search. Search again.'],
])('searchfiles with %j is refused with a sentence for the person', async (parameters, message) => {
  expect(await ask(parameters)).toEqual({ status: 400, body: { error: { code: 'bad-parameter', message } } });
});

test('searchfiles takes the right to read', async () => {
  expect(await ask({}, 'other')).toMatchObject({ status: 403 });
  expect(await ask({}, 'stranger')).toMatchObject({ status: 401 });
});

test('searchfiles answers four searches at a time, and asks a fifth to come again', async () => {
  await database.transaction(async (queries) => {
    await queries.execute('LOCK TABLE sample');
    const waiting = Array.from({ length: 4 }, () => ask({}));
    const isBusy = async (): Promise<boolean> => (await ask({ query: 'size:' })).status === 503;
    await expect.poll(isBusy).toBe(true);
    await queries.execute('COMMIT; BEGIN');
    expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  });
});
