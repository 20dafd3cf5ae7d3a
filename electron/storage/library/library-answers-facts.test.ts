import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { LibrarySelection } from '../../../shared/domain/library.ts';
import type { SampleFacts } from '../../../shared/domain/sample.ts';
import { ReadingThread } from '../reading/reading-thread.ts';
import { makeTestFolder, openTestDatabase, type TestDatabase, type TestFolder } from '../testing/database.fixture.ts';
import { hashesOf, plainSample, type StockedSample, stockLibrary } from '../testing/library.fixture.ts';
import { LibraryReader } from './library-reader.ts';

let folder: TestFolder;
let database: TestDatabase;
let reader: LibraryReader;
beforeAll(() => {
  folder = makeTestFolder();
  database = openTestDatabase(folder.path);
  reader = new LibraryReader(new ReadingThread(database.db.path));
});
afterAll(async () => {
  await reader.close();
  database.db.close();
  folder.remove();
});

const hashOf = (number: number, isAlone = false): string => {
  const { sha256, md5 } = hashesOf({ number, isAlone });
  return sha256 ?? md5;
};
const all: LibrarySelection = { kind: 'query', terms: [], except: [] };

async function everyHash(selection: LibrarySelection, limit: number): Promise<string[][]> {
  const pages: string[][] = [];
  for (let after: number | null = 0; after !== null;) {
    const { hashes, next }: { hashes: string[]; next: number | null } = await reader.hashes({
      selection,
      after,
      limit,
    });
    pages.push(hashes);
    after = next;
  }
  return pages;
}

test('facts contain the known data of a sample, with the rules that any workspace saw', async () => {
  const full = {
    name: 'a.exe',
    type: 'pe',
    ownTags: ['mine'],
    serviceTags: ['mine', 'theirs'],
    threat: 't',
    tlp: 1,
    isRecorded: true,
    rules: ['B', 'A', 'C'],
    inVault: true,
  };
  stockLibrary(database.db, [
    plainSample(1, full),
    plainSample(2, { isAlone: true, sizeBytes: null }),
    plainSample(3, { inVault: true, damage: 'missing' }),
    plainSample(4, { inVault: true, damage: 'altered' }),
  ]);
  database.db.command('INSERT INTO sample_own (sha256, tlp) VALUES (?, ?)').run(hashOf(1), 'clear');
  const facts: SampleFacts = {
    ...hashesOf({ number: 1, isAlone: false }),
    name: 'a.exe',
    sizeBytes: 1,
    type: 'pe',
    tlp: 'green',
    isRecorded: true,
    ownTlp: 'clear',
    threat: 't',
    tags: ['mine'],
    serviceTags: ['theirs'],
    hits: ['A', 'B', 'C'],
    firstSeen: '2026-01-01T00:00:00.000Z',
    lastSeen: '2026-01-01T00:00:00.000Z',
    inVault: true,
    hasBytes: true,
  };
  const { samples, next } = await reader.facts({ selection: all, after: 0, limit: 10 });
  expect(samples).toMatchObject([
    facts,
    {
      sha256: null,
      sha1: null,
      isRecorded: false,
      ownTlp: null,
      hits: [],
      sizeBytes: null,
      inVault: false,
      hasBytes: false,
    },
    { inVault: false, hasBytes: true },
    { inVault: false, hasBytes: true },
  ]);
  expect(next).toBeNull();
});

describe('the reading of seven samples', () => {
  beforeAll(() =>
    stockLibrary(
      database.db,
      [1, 2, 3, 4, 5, 6, 7].map((number) => plainSample(number, { isAlone: number === 4 })),
    ),
  );

  test('gives pages oldest first, each sample once, without an empty one at the end', async () => {
    const hashes = [1, 2, 3, 4, 5, 6, 7].map((number) => hashOf(number, number === 4));
    expect(await everyHash(all, 3)).toEqual([hashes.slice(0, 3), hashes.slice(3, 6), hashes.slice(6)]);
    expect(await everyHash(all, 7)).toEqual([hashes]);
    expect(await everyHash({ ...all, terms: [{ field: 'size', negated: false, least: 3, most: 3 }] }, 7)).toEqual([
      [hashOf(3)],
    ]);
    expect(await everyHash({ ...all, terms: [{ field: 'size', negated: false, least: 9, most: null }] }, 7)).toEqual([
      [],
    ]);
  });

  test('leaves out exceptions given by any of their hashes', async () => {
    const { md5, sha1 } = hashesOf({ number: 2, isAlone: false });
    expect(await everyHash({ ...all, except: [hashOf(1), md5, hashOf(4, true), hashOf(99)] }, 2)).toEqual([
      [hashOf(3), hashOf(5)],
      [hashOf(6), hashOf(7)],
    ]);
    expect(
      await everyHash(
        { ...all, except: [1, 3, 4, 5, 6, 7].map((number) => hashesOf({ number, isAlone: false }).md5) },
        2,
      ),
    ).toEqual([[hashOf(2)]]);
    expect((await everyHash({ ...all, except: [sha1 ?? ''] }, 9)).flat()).not.toContain(hashOf(2));
  });

  test('gives named samples once and skips missing ones', async () => {
    const { md5 } = hashesOf({ number: 2, isAlone: false });
    expect(
      await everyHash({ kind: 'named', hashes: [hashOf(5), hashOf(2), md5, hashOf(4, true), hashOf(99)] }, 2),
    ).toEqual([[hashOf(2), hashOf(4, true)], [hashOf(5)]]);
  });

  test('gives the same samples when they change on the way', async () => {
    const selection: LibrarySelection = {
      kind: 'query',
      terms: [{ field: 'tlp', negated: false, level: null }],
      except: [],
    };
    const first = await reader.hashes({ selection, after: 0, limit: 2 });
    database.db.sql.exec('UPDATE sample SET tlp = 1; DELETE FROM sample WHERE id = 3');
    const rest = await reader.hashes({ selection, after: first.next ?? 0, limit: 9 });
    expect([...first.hashes, ...rest.hashes]).toEqual([1, 2, 4, 5, 6, 7].map((number) => hashOf(number, number === 4)));
    expect(await everyHash(selection, 9)).toEqual([[]]);
  });
});

describe('the suggestions', () => {
  beforeAll(() => {
    const facts = (number: number): Partial<StockedSample> => ({
      type: number < 3 ? 'pe32' : 'PE',
      threat: number === 1 ? 'Trojan' : null,
      rules: number < 3 ? ['Emotet_long', 'Emotet'] : ['Other'],
    });
    stockLibrary(
      database.db,
      [1, 2, 3, 4, 5].map((number) => plainSample(number, facts(number))),
    );
    database.db.sql.exec(
      "INSERT INTO known_tag VALUES ('family:emotet', 'emotet', 3), ('emo', '', 9), ('packed', '', 1)",
    );
  });

  test.each([
    ['tag', 'EMO', ['emo', 'family:emotet']],
    ['tag', '', ['emo', 'family:emotet', 'packed']],
    ['rule', 'EMOT', ['Emotet', 'Emotet_long']],
    ['rule', '%', []],
    ['type', 'Pe', ['PE', 'pe32']],
    ['type', 'e', []],
    ['threat', '', ['Trojan']],
  ] as const)('match a %s with %j', async (kind, beginning, choices) => {
    expect(await reader.suggest(kind, beginning)).toEqual(choices);
  });
});

test('totals come in the order of their queries', async () => {
  stockLibrary(database.db, [plainSample(1), plainSample(2), plainSample(3, { sizeBytes: null })]);
  const totals = await reader.totals([
    [{ field: 'size', negated: false, least: 2, most: null }],
    [],
    [{ field: 'name', negated: false, value: 'none' }],
  ]);
  expect(totals).toEqual([
    { samples: 1, bytes: 2 },
    { samples: 3, bytes: 3 },
    { samples: 0, bytes: 0 },
  ]);
});

test('a waiting window is cancelled when its caller requests another list, and all others are read', async () => {
  stockLibrary(database.db, [plainSample(1)]);
  const window = (asker: string | undefined, moment: string, offset = 0) =>
    reader.list({ asker, terms: [], sort: { by: 'name', descending: false }, moment, offset, limit: 1 });
  const asked = [
    reader.suggest('tag', ''),
    window('list', 'a'),
    window('palette', 'x'),
    window(undefined, 'y'),
    window('list', 'b'),
    window('list', 'c'),
    window('list', 'c', 1),
    window(undefined, 'z'),
  ];
  const answers = await Promise.allSettled(asked);
  expect(answers.map(({ status }) => status)).toEqual([
    'fulfilled',
    'rejected',
    'fulfilled',
    'fulfilled',
    'rejected',
    'fulfilled',
    'fulfilled',
    'fulfilled',
  ]);
  expect(answers[1]).toMatchObject({ reason: { failure: { kind: 'cancelled' } } });
});

test('a list is read before waiting totals, which are counted query by query', async () => {
  stockLibrary(database.db, [plainSample(1), plainSample(2)]);
  const order: string[] = [];
  const totals = reader
    .totals([[], [{ field: 'size', negated: false, least: 2, most: null }], []])
    .then(({ length }) => order.push(`${length} totals`));
  const list = reader
    .list({ asker: undefined, terms: [], sort: { by: 'name', descending: false }, moment: 'm', offset: 0, limit: 1 })
    .then(() => order.push('list'));
  await Promise.all([totals, list]);
  expect(order).toEqual(['list', '3 totals']);
});
