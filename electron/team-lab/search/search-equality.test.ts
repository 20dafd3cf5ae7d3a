import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readLibraryQuery } from '../../../shared/domain/library-query.ts';
import type { LibrarySort } from '../../../shared/domain/library.ts';
import { quotedValue } from '../../../shared/domain/query-words.ts';
import { anyUnit } from '../../../shared/testing/any-unit.ts';
import { libraryReadings } from '../../storage/library/library-answers.ts';
import { databaseForAllTests } from '../../storage/testing/database-of-tests.fixture.ts';
import type { TestDatabase } from '../../storage/testing/database.fixture.ts';
import { readDatabaseAddress } from '../postgres/pg-address.ts';
import { PgDatabase } from '../postgres/pg-database.ts';
import { usePostgres } from '../testing/postgres.fixture.ts';
import {
  addPublication,
  addToLibrary,
  addToPostgres,
  emptyLibrary,
  emptyPostgres,
  type SearchedSample,
} from '../testing/stocked-search.fixture.ts';
import { type SearchOrder, searchOrders, searchSamples } from './pg-search.ts';

const postgres = usePostgres();
let library: TestDatabase;
let database: PgDatabase;
databaseForAllTests((opened) => {
  library = opened;
});
beforeAll(async () => {
  database = new PgDatabase(readDatabaseAddress(await postgres.labDatabase(), {}));
  await addPublication(database);
});
afterAll(() => database.close());

const now = new Date('2026-11-30T12:00:00.000Z');
const sorts: Record<SearchOrder, LibrarySort> = {
  newest: { by: 'lastSeen', descending: true },
  oldest: { by: 'lastSeen', descending: false },
  largest: { by: 'size', descending: true },
  smallest: { by: 'size', descending: false },
  name: { by: 'name', descending: false },
  'name-descending': { by: 'name', descending: true },
};

const texts = [
  'invoice',
  'Invoice_2026-11.exe',
  'Ünïcode Näme.DOCX',
  'Ünï',
  'u\u0308ber',
  'ИНВОЙС накладная.pdf',
  'счёт',
  'فاتورة شهرية.pdf',
  'חשבונית',
  'हिन्दी क्षि',
  '中文 文件.js',
  'ﬁle ① ²',
  'İstanbul ıSPARTA',
  'ΣΊΣΥΦΟΣ ς',
  'straße STRASSE',
  '100%_sure\\path',
  'C:\\Users\\x\\drop-per.dll',
  'http://www.Evil-Site.example:8080/a/b?c=d#e',
  'hxxp://evil[.]example/x',
  'john.doe@mail.example.org',
  'emotet-2.1.3-rc1',
  '-1.5e3',
  '0x1F',
  "it's",
  'copy(1).exe',
  '[brackets]*and?stars',
  '🫠 emoji 👩‍💻.exe',
  '\u202Efdp.exe',
  'a',
  'ab',
  'a b',
  '???',
  '---',
  '١٢٣',
  'do_not--reply',
  'd41d8cd9',
];
const text = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...texts) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.constantFrom(...texts), fc.constantFrom(' ', '-', '.', '_', ', '), fc.constantFrom(...texts))
      .map((parts) => parts.join('')),
  },
  {
    weight: 1,
    arbitrary: fc.string({ minLength: 1, maxLength: 12, unit: anyUnit }).map((one) => one.replaceAll('\0', '0')),
  },
  { weight: 1, arbitrary: fc.constantFrom('x'.repeat(700), 'long name '.repeat(70), '字'.repeat(300)) },
);
const tags = fc
  .uniqueArray(
    fc.oneof(
      {
        weight: 6,
        arbitrary: fc.constantFrom(
          'family:emotet',
          'family:emo',
          'apt28',
          'apt:x',
          'os:win',
          'packed',
          'two words',
          'größe',
          'tlp:amber',
          'tlp:red',
          'tlp:white',
          'tlp:green',
          'tlp:foo',
          ':::',
          'a',
          'x%y',
          'x_y',
        ),
      },
      { weight: 2, arbitrary: text },
    ),
    { maxLength: 6 },
  )
  // As an upload leaves them.
  .map((some) =>
    [...new Set(some.flatMap((one) => one.split(',')).map((one) => one.trim().toLowerCase()))].filter(
      (one) => one !== '',
    ),
  );

const sample: fc.Arbitrary<SearchedSample> = fc.record({
  name: fc.oneof({ weight: 12, arbitrary: text }, { weight: 1, arbitrary: fc.constant('') }),
  sizeBytes: fc.constantFrom(1, 10, 1000, 1_000_000, 2 ** 31),
  mime: fc.option(fc.constantFrom('application/pdf', 'Application/X-DOSexec', 'text/plain', 'application/x-ä')),
  threat: fc.option(fc.oneof(fc.constantFrom('Trojan.Emotet', 'Ransom/Locky.a!rfn', 'Worm'), text)),
  criticity: fc.constantFrom(1, 2, 3),
  tags,
  uploader: fc.constantFrom('ana', 'Anna B', 'lab-2', 'Ünal'),
  uploaded: fc.constantFrom<string>(
    '2026-11-30T11:00:00Z',
    '2026-11-29T23:59:59.999Z',
    '2026-11-29T00:00:00Z',
    '2026-01-01T00:00:00Z',
    '2019-07-04T12:00:00Z',
  ),
  restricted: fc.boolean(),
  virusTotal: fc.boolean(),
  sandbox: fc.boolean(),
  comments: fc.oneof(
    { weight: 2, arbitrary: fc.constant<string[]>([]) },
    {
      weight: 1,
      arbitrary: fc.array(
        text.map((one) => `${one} `.trimStart()).filter((one) => one.trim() !== ''),
        { maxLength: 3 },
      ),
    },
  ),
  rules: fc.oneof(
    { weight: 2, arbitrary: fc.constant<string[]>([]) },
    {
      weight: 1,
      arbitrary: fc.uniqueArray(fc.constantFrom('Emotet_A', 'emotet_b', 'APT_28', 'invoice_100%', 'x[y]'), {
        maxLength: 3,
      }),
    },
  ),
});

const fieldsOf = ['', 'name:', 'threat:', 'comment:', 'tag:', 'rule:', 'type:', 'mime:', 'uploader:'];
const others = fc.constantFrom(
  'size:10',
  'size:>10',
  'size:<1MB',
  'size:1kB..2GB',
  'size:*',
  'hits:0',
  'hits:>0',
  'hits:1',
  'hits:<2',
  'hits:2..',
  'comments:0',
  'comments:>1',
  'comments:1..2',
  'comment:*',
  'seen:<7d',
  'seen:>7d',
  'seen:2026-11-29',
  'seen:2026',
  'seen:today',
  'seen:<2026-11-29',
  'date:2026-11',
  'date:<2d',
  'date:yesterday',
  'date:2019..2020',
  'date:>0000-01-01',
  'seen:<0000-02-01',
  'seen:9999',
  'date:9999-12-31',
  'date:<=9999',
  'tlp:amber',
  'tlp:red',
  'tlp:clear',
  'tlp:none',
  'tlp:unknown',
  'tag:tlp:green',
  'tlp:*',
  'severity:bad',
  'severity:other',
  'severity:none',
  'severity:*',
  'locked:yes',
  'locked:no',
  'locked:*',
  'locked:y*',
  'locked:?o',
  'tag:*',
  'rule:*',
  'name:*',
  'threat:*',
  'uploader:*',
  'mime:*',
  'type:application',
  'type:*pdf',
  'uploader:?n*',
  'uploader:"Anna B"',
  'mime:application/x-*',
);

/** Values that are in the samples, whole and in pieces, with every sign that the language has. */
function valueOf(samples: readonly SearchedSample[]): fc.Arbitrary<string> {
  const all = samples
    .flatMap(({ name, threat, tags: own, comments, rules, mime, uploader }) => [
      name,
      threat,
      ...own,
      ...comments,
      ...rules,
      mime,
      uploader,
    ])
    .filter((one) => one !== null)
    .filter((one) => one !== '');
  const whole = fc.constantFrom(...(all.length === 0 ? ['a'] : all), ...texts);
  const piece = fc.tuple(whole, fc.nat(), fc.nat()).map(([value, from, length]) => {
    const letters = [...value];
    const at = from % letters.length;
    return letters.slice(at, at + 1 + (length % (letters.length - at))).join('');
  });
  const word = fc.tuple(whole, fc.nat()).map(([value, at]) => {
    const words = value.split(/[^\p{L}\p{N}]+/u).filter((one) => one !== '');
    return words[at % Math.max(1, words.length)] ?? value;
  });
  const changed = fc
    .tuple(fc.oneof(whole, word, piece), fc.constantFrom('upper', 'lower', 'nfd', 'as it is'))
    .map(([value, how]) =>
      how === 'upper'
        ? value.toUpperCase()
        : how === 'lower'
          ? value.toLowerCase()
          : how === 'nfd'
            ? value.normalize('NFD')
            : value,
    );
  return fc.oneof(
    { weight: 3, arbitrary: changed.map((one) => quotedValue(one.slice(0, 150))) },
    { weight: 1, arbitrary: changed.map((one) => `${quotedValue(one.slice(0, 150))}*`) },
    { weight: 2, arbitrary: changed.map((one) => one.replaceAll(/[\s"]/g, '').slice(0, 150)) },
    { weight: 1, arbitrary: changed.map((one) => `${one.replaceAll(/[\s"]/g, '').slice(0, 8)}*`) },
    {
      weight: 1,
      arbitrary: fc.tuple(changed, fc.constantFrom('*', '?')).map(([one, sign]) => {
        const value = one.replaceAll(/[\s"]/g, '').slice(0, 30);
        return `*${value.slice(0, 3)}${sign}${value.slice(4)}*`;
      }),
    },
  );
}

function queryOf(samples: readonly SearchedSample[]): fc.Arbitrary<string> {
  const value = valueOf(samples);
  const hash = fc
    .tuple(
      fc.constantFrom('', 'hash:', 'md5:', 'sha1:', 'sha256:'),
      fc.nat({ max: 12 }),
      fc.integer({ min: 2, max: 64 }),
    )
    .map(([field, , length]) => `${field}${'c4ca4238a0b923820dcc509a6f75849b'.slice(0, length)}`);
  const term = fc.oneof(
    { weight: 6, arbitrary: fc.tuple(fc.constantFrom(...fieldsOf), value).map((parts) => parts.join('')) },
    { weight: 3, arbitrary: others },
    { weight: 1, arbitrary: hash },
  );
  const { query } = fc.letrec<{ query: string }>((tie) => ({
    query: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      term,
      fc.tuple(fc.constantFrom('-', 'NOT '), term).map((parts) => parts.join('')),
      fc.array(tie('query'), { minLength: 2, maxLength: 3 }).map((parts) => `(${parts.join(' OR ')})`),
      fc.array(tie('query'), { minLength: 2, maxLength: 3 }).map((parts) => parts.join(' ')),
      tie('query').map((one) => `-(${one})`),
    ),
  }));
  return query;
}

const cases = fc.array(sample, { minLength: 1, maxLength: 12 }).chain((samples) =>
  fc.record({
    samples: fc.constant(samples),
    queries: fc.array(queryOf(samples), { minLength: 1, maxLength: 25 }),
    limit: fc.integer({ min: 1, max: 5 }),
  }),
);

async function inPostgres(
  query: string,
  order: SearchOrder,
  limit: number,
): Promise<{ found: string[]; total: number } | null> {
  const read = readLibraryQuery(query, now);
  if (read.kind === 'problem') return null;
  const found: string[] = [];
  let after: string | null = null;
  let total = 0;
  do {
    const page = await searchSamples(database, { text: query, terms: read.terms, order, after, limit });
    found.push(...page.samples.map(({ hashes }) => hashes.sha256));
    [after, total] = [page.next, page.total];
  } while (after !== null);
  return { found, total };
}

function inLibrary(query: string, order: SearchOrder): { found: string[]; total: number } | null {
  const read = readLibraryQuery(query, now);
  if (read.kind === 'problem') return null;
  const { rows, total } = libraryReadings(library.db.path).libraryList({
    terms: read.terms,
    sort: sorts[order],
    moment: '',
    offset: 0,
    limit: 200,
  });
  return { found: rows.map(({ hash }) => hash), total };
}

const minutes = Number(process.env['SEARCH_EQUALITY_MINUTES'] ?? 0);
const runs =
  minutes > 0 ? { numRuns: 1_000_000, interruptAfterTimeLimit: minutes * 60_000, endOnFailure: true } : { numRuns: 15 };

test(
  'a query finds the same samples in a team lab and in the library, in each order',
  { tags: ['long'], timeout: minutes * 60_000 + 120_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(cases, async ({ samples, queries, limit }) => {
        await emptyPostgres(database);
        emptyLibrary(library);
        await addToPostgres(database, samples);
        addToLibrary(library, samples);
        for (const query of queries) {
          for (const order of searchOrders) {
            const [expected, actual] = [inLibrary(query, order), await inPostgres(query, order, limit)];
            // The library lists a sample without a name last, whichever the direction.
            const isSorted = !order.startsWith('name') || samples.every(({ name }) => name !== '');
            if (!isSorted) for (const list of [expected, actual]) list?.found.sort();
            expect([query, order, actual]).toEqual([query, order, expected]);
          }
        }
      }),
      runs,
    );
  },
);
