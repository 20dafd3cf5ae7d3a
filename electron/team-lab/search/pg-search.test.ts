import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { longestQuery, mostQueryTerms, readLibraryQuery } from '../../../shared/domain/library-query.ts';
import { readDatabaseAddress } from '../postgres/pg-address.ts';
import { PgDatabase } from '../postgres/pg-database.ts';
import { usePostgres } from '../testing/postgres.fixture.ts';
import {
  addPublication,
  addToPostgres,
  hashesOfNumber,
  plainSample,
  type SearchedSample,
} from '../testing/stocked-search.fixture.ts';
import {
  type FoundSamples,
  type SearchLimits,
  type SearchOrder,
  searchOrders,
  SearchRefused,
  searchSamples,
} from './pg-search.ts';

const postgres = usePostgres();
const now = new Date('2026-11-30T12:00:00.000Z');

async function openWith(samples: readonly SearchedSample[]): Promise<PgDatabase> {
  const database = new PgDatabase(readDatabaseAddress(await postgres.labDatabase(), {}));
  onTestFinished(() => database.close());
  await addPublication(database);
  await addToPostgres(database, samples);
  return database;
}

interface Asked {
  order?: SearchOrder;
  after?: string | null;
  limit?: number;
}

async function search(
  database: PgDatabase,
  text: string,
  asked: Asked = {},
  limits?: SearchLimits,
): Promise<FoundSamples> {
  const { order = 'newest', after = null, limit = 50 } = asked;
  const read = readLibraryQuery(text, now);
  if (read.kind === 'problem') return expect.fail(`${text}: ${read.problem.reason}`);
  return searchSamples(database, { text, terms: read.terms, order, after, limit }, limits);
}

const namesOf = ({ samples }: FoundSamples): string[] => samples.map(({ name }) => name);

test.each([
  ['', 'cold invoice.exe,notes.pdf'],
  ['invoice', 'cold invoice.exe'],
  ['"cold inv"', 'cold invoice.exe'],
  ['"invoice cold"', ''],
  ['-invoice', 'notes.pdf'],
  ['name:invoice', 'cold invoice.exe'],
  ['name:*voice*', 'cold invoice.exe'],
  ['name:n?tes.*', 'notes.pdf'],
  [hashesOfNumber(1).sha256, 'cold invoice.exe'],
  [`hash:${hashesOfNumber(2).sha1.slice(0, 7)}`, 'notes.pdf'],
  [hashesOfNumber(2).md5.slice(0, 9), 'notes.pdf'],
  [`md5:${hashesOfNumber(2).sha1.slice(0, 7)}`, ''],
  ['tag:family:emotet', 'cold invoice.exe'],
  ['tag:family:', 'cold invoice.exe'],
  ['tag:fam*', 'cold invoice.exe'],
  ['tag:*:emo?et', 'cold invoice.exe'],
  ['-tag:*', 'notes.pdf'],
  ['threat:trojan', 'cold invoice.exe'],
  ['-threat:*', 'notes.pdf'],
  ['severity:bad', 'cold invoice.exe'],
  ['tlp:amber', 'cold invoice.exe'],
  ['tlp:none', 'notes.pdf'],
  ['type:application/pdf', 'notes.pdf'],
  ['mime:*PDF', 'notes.pdf'],
  ['size:>1kB', 'notes.pdf'],
  ['seen:<7d', 'notes.pdf'],
  ['date:2026-01', 'cold invoice.exe'],
  ['comment:"packed twice"', 'cold invoice.exe'],
  ['"twice by"', ''],
  ['comments:2', 'cold invoice.exe'],
  ['comments:0', 'notes.pdf'],
  ['uploader:ana', 'cold invoice.exe'],
  ['rule:Emotet_*', 'cold invoice.exe'],
  ['rule:emotet_a', ''],
  ['emotet_a', 'cold invoice.exe'],
  ['hits:>0', 'cold invoice.exe'],
  ['locked:yes', 'notes.pdf'],
  ['(tag:packed OR type:application) -size:3', 'notes.pdf'],
])('the search for %s finds %s', async (query, names) => {
  const database = await openWith([
    plainSample({
      name: 'cold invoice.exe',
      tags: ['family:emotet', 'tlp:amber'],
      threat: 'Trojan.Emotet',
      criticity: 1,
      comments: ['packed twice', 'by hand'],
      rules: ['Emotet_A'],
    }),
    plainSample({
      name: 'notes.pdf',
      sizeBytes: 5000,
      mime: 'application/pdf',
      uploader: 'lab-2',
      uploaded: '2026-11-29T10:00:00Z',
      restricted: true,
    }),
  ]);
  expect(
    namesOf(await search(database, query))
      .toSorted()
      .join(','),
  ).toBe(names);
});

test.each([
  'note:x',
  'first:<7d',
  'invault:yes',
  'source:lab',
  'favorite:yes',
  'vt:found',
  'imphash:x*',
  '(a OR -(url:x b))',
])('the search for %s is refused with the name of its field', async (query) => {
  const database = await openWith([]);
  const field = /([a-z]+):/.exec(query)?.[1] ?? '';
  await expect(search(database, query)).rejects.toThrow(
    `The team lab cannot search “${field}:”. Remove it from the search.`,
  );
});

test.each(searchOrders)(
  'the pages in the order %s have each sample once, also while samples are added',
  async (order) => {
    const samples = Array.from({ length: 23 }, (_, index) =>
      plainSample({
        name: ['b.exe', 'A.exe', 'a.exe', 'Ä.exe'][index % 4] ?? '',
        sizeBytes: 1 + (index % 3),
        uploaded: `2026-01-0${1 + (index % 2)}T00:00:00Z`,
        tags: [`n:${index}`],
      }),
    );
    const database = await openWith(samples);
    const whole = (await search(database, '', { order, limit: 200 })).samples;
    const seen: string[][] = [];
    let added = samples.length;
    let page: FoundSamples | null = null;
    do {
      page = await search(database, '', { order, limit: 4, after: page?.next ?? null });
      seen.push(...page.samples.map(({ tags }) => tags));
      expect([page.total, page.more]).toEqual([23, false]);
      await addToPostgres(database, [plainSample({ name: '!', uploaded: '2027-01-01T00:00:00Z' })], (added += 1));
    } while (page.next !== null);
    const first = seen.filter(([tag]) => tag !== undefined);
    expect(first).toEqual(whole.map(({ tags }) => tags));
  },
);

test('a mark of a page that is not of the same search is refused', async () => {
  const database = await openWith([plainSample(), plainSample(), plainSample()]);
  const { next } = await search(database, 'a', { limit: 1 });
  expect(namesOf(await search(database, 'a', { limit: 1, after: next }))).toEqual(['a.exe']);
  const forged = (time: string): string =>
    Buffer.from(
      Buffer.from(next ?? '', 'base64url')
        .toString()
        .replace(/"20[^"]*"/, `"${time}"`),
    ).toString('base64url');
  const noTimes = ['now', '2026-02-30T00:00:00.000000Z', '2026-01-01T25:00:00.000000Z', '0000-01-01T00:00:00.000000Z'];
  for (const [text, asked] of [
    ['exe', { after: next }],
    ['a', { after: next, order: 'oldest' }],
    ['a', { after: 'x' }],
    ['a', { after: '' }],
    ...noTimes.map((time) => ['a', { after: forged(time) }] as const),
  ] as const)
    await expect(search(database, text, asked)).rejects.toThrow(SearchRefused);
});

test('more than 1,000 samples are counted no further, and all of them are on the pages', async () => {
  const many = Array.from({ length: 1_400 }, (_, index) =>
    plainSample({
      name: index % 100 === 0 ? 'rare.exe' : 'many.exe',
      tags: index < 1_200 ? ['most'] : [],
      comments: index < 1_300 ? ['seen'] : [],
    }),
  );
  const database = await openWith(many);
  for (const query of [
    '',
    'many',
    'tag:most',
    'comment:seen',
    'many OR rare',
    '-rare',
    'most seen',
    'comments:1',
    'tag:most date:2026-01',
  ])
    expect([query, await search(database, query, { limit: 1 })]).toMatchObject([query, { total: 1_000, more: true }]);
  for (const [query, total] of [
    ['rare', 14],
    ['-many', 14],
    ['rare tag:most', 12],
    ['-tag:most', 200],
    ['-comment:seen', 100],
    ['-(many OR seen)', 1],
    ['rare date:2026-01', 14],
    ['most date:2025', 0],
  ] as const)
    expect([query, await search(database, query, { limit: 1 })]).toMatchObject([query, { total, more: false }]);
  let [count, after]: [number, string | null] = [0, null];
  do {
    const page: FoundSamples = await search(database, 'most', { limit: 200, after });
    [count, after] = [count + page.samples.length, page.next];
  } while (after !== null);
  expect(count).toBe(1_200);
});

test('a search that takes too long to count is answered with how many its first page has', async () => {
  const samples = Array.from({ length: 90 }, (_, index) => plainSample({ sizeBytes: index % 2 === 0 ? 7 : 70 }));
  const database = await openWith(samples);
  const firstPage = async (limit: number): Promise<FoundSamples> => {
    let page = Promise.resolve<FoundSamples | null>(null);
    await database.transaction(async (queries) => {
      await queries.execute('LOCK TABLE sample');
      page = search(database, 'size:7', { limit }, { statementMs: 60_000, countMs: 50 });
      page.catch(() => {});
      // The count has ended when the page waits for the lock.
      await expect.poll(() => database.query(waiting)).toMatchObject([{ query: expect.stringContaining('AS key') }]);
    });
    return (await page) ?? expect.fail('not searched');
  };
  const first = await firstPage(15);
  expect([first.samples.length, first.total, first.more]).toEqual([15, 15, true]);
  const second = await search(database, 'size:7', { limit: 30, after: first.next });
  expect([second.samples.length, second.next, second.total, second.more]).toEqual([30, null, 15, true]);
  const whole = await firstPage(45);
  expect([whole.samples.length, whole.next, whole.total, whole.more]).toEqual([45, null, 45, false]);
});

const waiting = {
  text: `SELECT query FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`,
  row: z.object({ query: z.string() }),
};

test('a sample that more than 1,000 comments or rules are found at is counted once', async () => {
  const numbers = Array.from({ length: 501 }, (_, index) => index);
  const samples = ['a.exe', 'b.exe', 'c.exe'].map((name) =>
    plainSample({
      name,
      comments: numbers.map((number) => `packed ${number}`),
      rules: numbers.map((number) => `Packed_${number}`),
    }),
  );
  const database = await openWith(samples);
  for (const query of ['comment:packed', 'rule:Packed_*', 'packed', 'packed seen:<1y'])
    expect([query, await search(database, query)]).toMatchObject([query, { total: 3, more: false }]);
});

const hostile = [
  'name:*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*b',
  `name:${'?'.repeat(900)}`,
  `type:${'*a'.repeat(300)}`,
  `tag:${'*?'.repeat(300)}x`,
  Array.from({ length: mostQueryTerms }, (_, index) => `name:*${index}*`).join(' OR '),
  Array.from({ length: mostQueryTerms }, (_, index) => `-x${index}`).join(' '),
  `${'-('.repeat(16)}a OR b${')'.repeat(16)}`,
  `"${'a '.repeat(400)}"`,
  `"${'字'.repeat(900)}"`,
  "'); DROP TABLE sample; --",
  'name:"\\" \' $1 % _ \\\\"',
  'tag:"x\' OR true --"',
  '"nul\0byte"',
  'name:"\0"',
  'rule:\0*',
  '"\ud800x"',
  'comments:9007199254740991',
  'size:9007199254740991',
  'seen:<999999999y',
];
test('hostile queries are answered, and leave the samples as they are', async () => {
  const database = await openWith([
    plainSample({ name: 'a'.repeat(1000) }),
    plainSample({ name: "\\ ' $1 % _", tags: ['b'] }),
  ]);
  for (const query of hostile) {
    const read = readLibraryQuery(query, now);
    if (read.kind === 'problem') continue;
    for (const order of searchOrders)
      await searchSamples(database, { text: query, terms: read.terms, order, after: null, limit: 9 });
  }
  expect(await search(database, '')).toMatchObject({ total: 2 });
});

test('a query of 10,000 characters or thousands of terms is refused by the reader of the language', () => {
  for (const query of ['a'.repeat(10_000), 'a '.repeat(5000), '('.repeat(10_000), 'tag:x OR '.repeat(1000)])
    expect(readLibraryQuery(query, now)).toMatchObject({ problem: { reason: 'too-long', most: longestQuery } });
});

test('a search that takes too long is refused, and others are answered afterwards', async () => {
  const database = await openWith([plainSample()]);
  const request = { text: 'a', terms: [], order: 'newest', after: null, limit: 9 } as const;
  await database.transaction(async (queries) => {
    await queries.execute('LOCK TABLE sample');
    await expect(searchSamples(database, request, { statementMs: 50, countMs: 50 })).rejects.toThrow(
      /took too long. Add a term/,
    );
  });
  expect(await searchSamples(database, request)).toMatchObject({ total: 1 });
});
