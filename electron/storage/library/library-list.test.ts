import { beforeAll, describe, expect, test } from 'vitest';
import { latestFirst, type LibraryRow, type LibrarySort, librarySortBy } from '../../../shared/domain/library.ts';
import type { QueryTerm } from '../../../shared/domain/query-fields.ts';
import type { LibraryAnswer, LibraryRequest } from '../reading/reading-thread.ts';
import { databaseForAllTests } from '../testing/database-of-tests.fixture.ts';
import type { TestDatabase } from '../testing/database.fixture.ts';
import { inOrder } from '../testing/library-evaluation.fixture.ts';
import { hashesOf, plainSample, type StockedSample, stockLibrary } from '../testing/library.fixture.ts';
import { libraryReadings } from './library-answers.ts';

let database: TestDatabase;
databaseForAllTests((opened) => {
  database = opened;
});

const of = <T>(number: number, values: readonly T[]): T | null => values[(number * 7919) % (values.length + 1)] ?? null;
const everyTime = ['2026-01-01T00:00:00.000Z', '2026-01-02T00:00:00.000Z', '2026-01-03T00:00:00.000Z'];

/** Many are equal in what they are ordered by, and many have no value. */
const stocked = (count: number): StockedSample[] =>
  Array.from({ length: count }, (_, index) => {
    const number = index + 1;
    return {
      number,
      isAlone: number % 5 === 0,
      name: of(number, ['b.exe', 'A.exe', 'a.exe', 'Äpfel']),
      type: of(number, ['pe', 'PDF']),
      ownTags: [],
      serviceTags: [of(number, ['x', 'b', 'y'])].filter((one) => one !== null),
      comment: null,
      threat: of(number, ['T1', 't2']),
      note: null,
      sizeBytes: of(number, [3, 1, 1_000_000]),
      comments: number % 3,
      tlp: of(number, [4, 0]),
      severity: of(number, [2, 0, 1]),
      isRecorded: number % 2 === 0,
      rules: [],
      inVault: number % 4 === 0,
      damage: number % 40 === 0 ? 'altered' : number % 41 === 0 ? 'missing' : null,
      firstSeen: of(number, everyTime) ?? everyTime[0] ?? '',
      lastSeen: of(number + 1, everyTime) ?? everyTime[0] ?? '',
      values: [],
    };
  });
const hashOf = (sample: StockedSample): string => {
  const { sha256, md5 } = hashesOf(sample);
  return sha256 ?? md5;
};

function readingOf(): (request?: Partial<LibraryRequest>) => LibraryAnswer {
  const { libraryList } = libraryReadings(database.db.path);
  return (request) => libraryList({ terms: [], sort: latestFirst, moment: 'm', offset: 0, limit: 100, ...request });
}
const hashes = (rows: readonly LibraryRow[]): string[] => rows.map(({ hash }) => hash);

const sorts = librarySortBy.options.flatMap((by): LibrarySort[] => [
  { by, descending: false },
  { by, descending: true },
]);
/** None, one that holds for every row, and one that holds for few: each is read in another way. */
const everyTerms: QueryTerm[][] = [
  [],
  [{ field: 'seen', negated: false, from: '2020-01-01T00:00:00.000Z', until: null }],
  [{ field: 'size', negated: false, least: 2, most: 4 }],
];

describe('a library with many equal rows', () => {
  const library = stocked(1_300);
  beforeAll(() => stockLibrary(database.db, library));

  test.each(sorts)('has adjacent windows by %j, each row in one of them', (sort) => {
    const read = readingOf();
    for (const terms of everyTerms) {
      const chosen = inOrder(
        terms[0]?.field === 'size' ? library.filter(({ sizeBytes }) => sizeBytes === 3) : library,
        sort,
      );
      const windows = [0, 400, 800, 1200].map((offset) => read({ terms, sort, offset, limit: 400 }));
      expect(windows.map(({ total }) => total)).toEqual(windows.map(() => chosen.length));
      expect(hashes(windows.flatMap(({ rows }) => rows))).toEqual(chosen.map(hashOf));
    }
  });
});

test('a list stays as it was at its first request, and another moment has another list', () => {
  const library = stocked(1_500);
  stockLibrary(database.db, library);
  const read = readingOf();
  const [first, last] = [read({ limit: 10 }), read({ offset: 1_490, limit: 10 })];
  database.db.sql.exec("UPDATE sample SET last_seen = '2027-01-01T00:00:00.000Z', name = 'seen again' WHERE id = 1499");
  expect(hashes(read({ limit: 10 }).rows)).toEqual(hashes(first.rows));
  expect(hashes(read({ offset: 1_490, limit: 10 }).rows)).toEqual(hashes(last.rows));
  expect(read({ moment: 'n', limit: 1 }).rows).toMatchObject([{ name: 'seen again' }]);
});

test('the shown beginning keeps its place when the rest is found later', () => {
  const library = stocked(1_500);
  stockLibrary(database.db, library);
  const read = readingOf();
  const first = hashes(read({ limit: 1_000 }).rows);
  database.db.sql.exec(
    `UPDATE sample SET last_seen = '2027-01-01T00:00:00.000Z'
      WHERE id IN (SELECT id FROM sample ORDER BY last_seen LIMIT 20)`,
  );
  const rest = hashes(read({ offset: 1_000, limit: 1_000 }).rows);
  expect(hashes(read({ limit: 1_000 }).rows)).toEqual(first);
  expect(new Set([...first, ...rest])).toEqual(new Set(library.map(hashOf)));
  expect(rest).toHaveLength(500);
});

test('a row forgotten meanwhile is left out of its window, and no other moves', () => {
  stockLibrary(database.db, stocked(30));
  const read = readingOf();
  const before = hashes(read({ limit: 30 }).rows);
  database.db.sql.prepare('DELETE FROM sample WHERE ifnull(sha256, md5) = ?').run(before[4] ?? '');
  expect(hashes(read({ limit: 10 }).rows)).toEqual(before.slice(0, 10).filter((_, index) => index !== 4));
  expect(hashes(read({ offset: 10, limit: 10 }).rows)).toEqual(before.slice(10, 20));
  expect(read({ moment: 'n' }).total).toBe(29);
});

test('a row contains local data and data of the services', () => {
  const said = {
    name: 'a.exe',
    type: 'pe',
    threat: 't',
    sizeBytes: 7,
    comments: 2,
    firstSeen: '2026-01-01T00:00:00.000Z',
    lastSeen: '2026-01-02T00:00:00.000Z',
  };
  const sample = plainSample(1, {
    ...said,
    ownTags: ['b', 'a'],
    serviceTags: ['b', 'c'],
    tlp: 3,
    severity: 2,
    isRecorded: true,
    note: 'n',
    inVault: true,
    damage: 'altered',
    rules: ['R'],
  });
  stockLibrary(database.db, [sample]);
  const known = hashesOf(sample);
  expect(readingOf()().rows).toEqual([
    {
      ...known,
      ...said,
      hash: known.sha256,
      severity: 'bad',
      tags: ['a', 'b'],
      serviceTags: ['c'],
      tlp: 'amber+strict',
      isRecorded: true,
      hits: 1,
      hasNote: true,
      vault: 'altered',
    },
  ]);
});

test('an unknown TLP level counts as the strictest', () => {
  stockLibrary(database.db, [plainSample(1, { tlp: 9 })]);
  expect(readingOf()().rows).toMatchObject([{ tlp: 'red' }]);
});
