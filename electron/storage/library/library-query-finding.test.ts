import { expect, test } from 'vitest';
import { queryTerms, readLibraryQuery } from '../../../shared/domain/library-query.ts';
import { latestFirst, type LibrarySelection } from '../../../shared/domain/library.ts';
import { CommentStore } from '../comments/comment-store.ts';
import { databaseForEachTest } from '../testing/database-of-tests.fixture.ts';
import { recordWith, type TestDatabase } from '../testing/database.fixture.ts';
import { scanHashesOf, sha256Of } from '../testing/scan.fixture.ts';
import { libraryReadings } from './library-answers.ts';
import { LibraryStore } from './library-store.ts';

let database: TestDatabase;
let library: LibraryStore;
let comments: CommentStore;
databaseForEachTest((opened) => {
  database = opened;
  [library, comments] = [
    new LibraryStore(database.db, database.journal),
    new CommentStore(database.db, database.journal),
  ];
});

const { md5 } = scanHashesOf(1);
const remark = (id: string, content: string) => ({ id, parentId: null, author: 'somebody', content, created: null });

/** Whether a query finds what the writers have put in. */
function isFound(text: string): boolean {
  const query = readLibraryQuery(text, new Date());
  if (query.kind !== 'terms') return expect.fail(text);
  const { libraryList } = libraryReadings(database.db.path);
  return libraryList({ terms: query.terms, sort: latestFirst, moment: text, offset: 0, limit: 9 }).total > 0;
}

test('a phrase is found within one value, and not across two values', () => {
  library.noteRecord({
    workspaceId: 'lab',
    md5,
    record: recordWith({
      sha256: sha256Of(1),
      name: 'cold invoice.exe',
      tags: ['red', 'blue team'],
      threat: 'Trojan Horse',
      listsComments: true,
      comments: [remark('1', 'packed twice'), remark('2', 'by hand')],
    }),
  });
  library.noteRecord({
    workspaceId: 'w-1',
    md5,
    record: recordWith({ name: 'other.exe', threat: 'Worm', tags: ['team'] }),
  });
  library.changeSamples([sha256Of(1)], { add: ['case'], remove: [], note: 'seen before' });
  for (const text of [
    '"blue team"',
    '"cold invoice"',
    '"trojan horse"',
    '"packed twice"',
    '"by hand"',
    '"seen before"',
    'comment:"by hand"',
    'red team',
  ])
    expect([text, isFound(text)]).toEqual([text, true]);
  for (const text of [
    '"red team"',
    '"red blue"',
    '"case blue"',
    '"exe other"',
    'name:"other cold"',
    '"horse worm"',
    'threat:"worm trojan"',
    '"twice by"',
    'comment:"twice by"',
    `"${md5} ${sha256Of(1).slice(0, 8)}"`,
    '"red \u{F8FF} blue"',
  ]) {
    expect([text, isFound(text)]).toEqual([text, false]);
  }
});

test('a comment, including a local one, is found as long as it is counted', () => {
  library.noteRecord({ workspaceId: 'lab', md5, record: recordWith({ name: 'x.exe' }) });
  expect(isFound('comment:droppers')).toBe(false);
  const id = comments.begin('lab', md5, { text: 'Both droppers', parentId: null });
  expect([isFound('comment:droppers'), isFound('droppers'), isFound('comments:1')]).toEqual([true, true, true]);
  comments.settle(id, { state: 'failed' });
  comments.discard(id);
  expect([isFound('comment:droppers'), isFound('droppers'), isFound('comments:1')]).toEqual([false, false, false]);
  library.noteRecord({
    workspaceId: 'w-1',
    md5,
    record: recordWith({ comments: [remark('1', 'droppers there')], listsComments: true }),
  });
  library.noteRecord({ workspaceId: 'w-1', md5, record: recordWith({ comments: [], listsComments: true }) });
  expect([isFound('comment:droppers'), isFound('comment:somebody')]).toEqual([false, false]);
});

test('a type is found in any letter case, and beyond ASCII by exact letters', () => {
  library.noteRecord({ workspaceId: 'lab', md5, record: recordWith({ mime: 'ÜBER/x' }) });
  expect([isFound('type:ÜBER'), isFound('type:Über/X'), isFound('type:ÜBÉR')]).toEqual([true, true, false]);
});

const stating = (facts: Parameters<typeof recordWith>[0]) =>
  recordWith({
    imphash: 'F34D5F2D4577ED6D9CEEC516C1F5A744',
    signer: ' Acme Corp ',
    urls: [{ name: 'Drop', url: 'http://A.example/x' }],
    favorite: true,
    virusTotal: { state: 'found', score: '12/60', link: null },
    unknown: { tlsh: 'T1A2', other: 7 },
    ...facts,
  });

test('what a record states is found by its field, in either case, as long as a record states it', () => {
  const { md5: other } = scanHashesOf(2);
  library.noteRecord({ workspaceId: 'lab', md5, record: stating({ sha256: sha256Of(1) }) });
  library.noteRecord({ workspaceId: 'w-1', md5: other, record: recordWith({ signer: 'acme corp' }) });
  const queries = [
    'imphash:f34d5f2d4577ed6d9ceec516c1f5a744',
    'imphash:F34D*',
    'signer:"ACME corp"',
    'signer:*corp',
    'url:drop',
    'url:http://a.example/*',
    'favorite:yes',
    'vt:found',
    'vt:12/*',
    'tlsh:t1a2',
    'source:lab',
    'source:"Lab (this computer)" imphash:*',
  ];
  expect(queries.filter((query) => !isFound(query))).toEqual([]);
  expect(['signer:corp', 'url:*b.example*', 'favorite:no', 'pdb:*', 'source:other'].filter(isFound)).toEqual([]);
  library.noteRecord({ workspaceId: 'lab', md5, record: recordWith({ sha256: sha256Of(1), signer: 'Other' }) });
  expect(queries.filter(isFound)).toEqual(['signer:"ACME corp"', 'signer:*corp', 'source:lab']);
  library.forget([other], 'all');
  library.forget([sha256Of(1)], 'all');
  expect(database.db.sql.prepare('SELECT * FROM known_value').all()).toEqual([]);
  expect(database.db.sql.prepare('SELECT * FROM sample_value').all()).toEqual([]);
});

test('a record fetched again unchanged writes none of its values', () => {
  const note = () => library.noteRecord({ workspaceId: 'lab', md5, record: stating({}) });
  const highest = () => database.db.sql.prepare('SELECT count(*) AS n, max(id) AS id FROM known_value').get();
  note();
  const before = highest();
  note();
  expect(highest()).toEqual(before);
});

test('of a record with too many URLs the first can be searched for', () => {
  const urls = Array.from({ length: 3001 }, (_, index) => ({ name: '', url: `http://${index}.example/` }));
  library.noteRecord({ workspaceId: 'lab', md5, record: recordWith({ urls }) });
  expect([isFound('url:http://0.example/'), isFound('url:http://3000.example/')]).toEqual([true, false]);
});

function selected(selection: LibrarySelection): string[] {
  return libraryReadings(database.db.path).libraryHashes({ selection, after: 0, limit: 9 }).hashes;
}

test('an MD5 names its MD5-only row, and otherwise the best sample with it', () => {
  for (const bytes of [1, 2])
    library.recordUploads([
      { workspaceId: 'lab', md5, hashes: { ...scanHashesOf(bytes), md5 }, sizeBytes: 1, outcome: 'done' },
    ]);
  const alone = scanHashesOf(3).md5;
  library.recordUploads([{ workspaceId: 'lab', md5: alone, hashes: scanHashesOf(3), sizeBytes: 1, outcome: 'done' }]);
  database.db
    .command('INSERT INTO sample (md5, first_seen, last_seen) VALUES (?1, ?2, ?2)')
    .run(alone, '2000-01-01T00:00:00.000Z');
  library.recordDownload({
    workspaceId: 'lab',
    md5,
    hashes: { ...scanHashesOf(1), md5 },
    sizeBytes: 1,
    outcome: 'done',
  });
  expect(selected({ kind: 'named', hashes: [md5, alone, scanHashesOf(9).md5, sha256Of(9)] })).toEqual([
    sha256Of(1),
    alone,
  ]);
  expect(selected({ kind: 'named', hashes: [scanHashesOf(2).sha1] })).toEqual([sha256Of(2)]);
  expect(selected({ kind: 'query', terms: [], except: [alone, sha256Of(1), sha256Of(9)] })).toEqual([
    sha256Of(2),
    sha256Of(3),
  ]);
});

const stars = `${'*a'.repeat(450)}*b`;
const nest = (depth: number, inside: string): string => `${'-(x OR '.repeat(depth)}${inside}${')'.repeat(depth)}`;
const joinedTerms = (count: number, term: (index: number) => string, by = ' OR '): string =>
  Array.from({ length: count }, (_, index) => term(index)).join(by);

test.each([
  ['a pattern of stars', `name:${stars}`],
  ['a pattern of stars over values', `url:${stars}`],
  ['a pattern of stars over tags', `tag:${'*a'.repeat(48)}*b`],
  ['a pattern of brackets', `signer:*${'['.repeat(900)}*`],
  ['a phrase of 490 words', `"${'a '.repeat(490)}"`],
  ['a phrase of characters outside of ASCII', `"${'é\u{1f600}'.repeat(320)}"`],
  ['as many alternatives as there may be', joinedTerms(32, (index) => `url:*${index}*`)],
  ['as many exclusions as there may be', joinedTerms(32, (index) => `-name:*${index}*`, ' ')],
  ['as many texts as there may be', joinedTerms(32, (index) => `word${index}`)],
  [
    'groups as deep as they may be',
    nest(
      16,
      joinedTerms(14, (index) => `tag:*${index}*`),
    ),
  ],
  ['times, sizes and hashes', joinedTerms(16, (index) => `(md5:abcd${index} OR size:${index}..)`, ' AND ')],
])('%s is answered within a second', (_what, query) => {
  const name = 'a'.repeat(1000);
  library.noteRecord({
    workspaceId: 'lab',
    md5,
    record: recordWith({ name, signer: name, urls: [{ name, url: name }], tags: ['a'.repeat(100)], threat: name }),
  });
  const began = performance.now();
  isFound(query);
  expect(performance.now() - began).toBeLessThan(1000);
});

/** Callers send terms, each of which may be as long as a text. */
test('as many of the longest terms as a call may have are answered within a second', () => {
  const name = 'a'.repeat(1000);
  library.noteRecord({ workspaceId: 'lab', md5, record: recordWith({ name, signer: name }) });
  const values = Array.from({ length: 32 }, (_, index) => `*a${index}`.padEnd(999, '*a').concat('b'));
  const list = queryTerms.parse([
    ...values.slice(0, 16).map((value) => ({ field: 'name', negated: true, value, isPattern: true })),
    {
      field: 'any',
      negated: true,
      of: values.slice(16).map((value) => [{ field: 'signer', negated: false, match: { kind: 'pattern', value } }]),
    },
  ]);
  const began = performance.now();
  expect(libraryReadings(database.db.path).libraryTotal({ terms: list }).samples).toBe(1);
  expect(performance.now() - began).toBeLessThan(1000);
});

test.each([
  ['a query of 10,000 characters', 'a'.repeat(10_000), 'too-long'],
  ['a quoted value of 10,000 characters', `url:"${'\\"'.repeat(5000)}"`, 'too-long'],
  ['a thousand levels', `${'('.repeat(490)}a${')'.repeat(490)}`, 'too-deep'],
  ['a hundred thousand levels', `${'('.repeat(100_000)}a${')'.repeat(100_000)}`, 'too-long'],
  ['five thousand alternatives', joinedTerms(5000, (index) => `tag:t${index}`), 'too-long'],
  ['five hundred exclusions', joinedTerms(499, () => '-', ' '), 'nothing-negated'],
  ['150 alternatives', joinedTerms(150, () => 'ab'), 'too-many'],
])('%s is refused with a sentence, at once', (_what, query, reason) => {
  const began = performance.now();
  const read = readLibraryQuery(query, new Date());
  expect(read).toMatchObject({ kind: 'problem', problem: { reason } });
  expect(performance.now() - began).toBeLessThan(1000);
});
