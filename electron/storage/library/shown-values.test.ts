import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readLibraryQuery } from '../../../shared/domain/library-query.ts';
import { latestFirst } from '../../../shared/domain/library.ts';
import { type QueryFieldName, recordFields } from '../../../shared/domain/query-fields.ts';
import { withTerm } from '../../../shared/domain/query-terms.ts';
import { quotedValue } from '../../../shared/domain/query-words.ts';
import { type SampleRecord, sampleRecord, sandboxWords, virusTotalWords } from '../../../shared/domain/sample.ts';
import { normalTag } from '../../../shared/domain/tag.ts';
import { anyUnit } from '../../../shared/testing/any-unit.ts';
import { shownRecord, shownRows } from '../../../shared/testing/shown-record.ts';
import { databaseForEachTest } from '../testing/database-of-tests.fixture.ts';
import { recordWith, type TestDatabase } from '../testing/database.fixture.ts';
import { scanHashesOf } from '../testing/scan.fixture.ts';
import { libraryReadings } from './library-answers.ts';
import { LibraryStore } from './library-store.ts';

let database: TestDatabase;
let library: LibraryStore;
databaseForEachTest((opened) => {
  database = opened;
  library = new LibraryStore(database.db, database.journal);
});

const { md5 } = scanHashesOf(1);
const put = (record: SampleRecord): void => library.noteRecord({ workspaceId: 'lab', md5, record });
let moment = 0;

/** 1, 0, or why the query cannot be read. */
function found(text: string): number | string {
  const query = readLibraryQuery(text, new Date());
  if (query.kind === 'problem') return query.problem.reason;
  moment += 1;
  const request = { terms: query.terms, sort: latestFirst, moment: String(moment), offset: 0, limit: 9 };
  return libraryReadings(database.db.path).libraryList(request).total;
}

const notFound = (queries: readonly string[]): unknown[] =>
  queries.map((query) => [query, found(query)]).filter(([, samples]) => samples !== 1);

test('each value of a record is found by its field as the page shows it', () => {
  put({ ...shownRecord, md5 });
  put({ ...shownRecord, md5 });
  const queries = shownRows.flatMap(({ field, shown, parts }) =>
    (parts ?? [shown]).map((part) => `${field}:${quotedValue(part)}`),
  );
  const tags = shownRecord.tags.map((tag) => `tag:${quotedValue(tag)}`);
  expect(notFound([...queries, ...tags, 'tlsh:t1a2'])).toEqual([]);
});

/** Facts of a record that are no value of a row: identities, and what has a view or a sentence of its own. */
const withoutRow = ['md5', 'sha1', 'sha256', 'tags', 'comments', 'commentsOmitted', 'listsComments', 'warning'];

test('the record of which each value is looked for states every fact there is', () => {
  const empty = recordWith({});
  const facts = Object.keys(sampleRecord.shape).filter((fact) => !withoutRow.includes(fact));
  const stated = sampleRecord.keyof().options.filter((fact) => shownRecord[fact] !== empty[fact]);
  expect(facts.filter((fact) => !stated.some((one) => one === fact))).toEqual([]);
  const fields = new Set<string | null>(shownRows.map(({ field }) => field));
  expect(recordFields.filter((field) => field !== 'tlsh' && !fields.has(field))).toEqual([]);
});

test.each([
  ['found', {}],
  ['unknown', {}],
  ['running', {}],
  ['not-checked', {}],
  [null, { virustotal_status: '7' }],
  [null, { virustotal_status: ' -3 ' }],
] as const)('the state of VirusTotal is found in words where it is %s beside %j', (state, unknown) => {
  const record = recordWith({ virusTotal: { state, score: null, link: null }, unknown });
  put(record);
  expect(notFound([`vt:${quotedValue(virusTotalWords(record) ?? '')}`])).toEqual([]);
});

test.each(['0', '-1', '-2', '9', ' 0', 'Reported ', '2026'])(
  'the state of a sandbox is found in words: %j',
  (state) => {
    const record = recordWith({ sandbox: { state, link: null } });
    put(record);
    expect(notFound([`sandbox:${quotedValue(sandboxWords(record) ?? '')}`, `sandbox:${quotedValue(state)}`])).toEqual(
      [],
    );
  },
);

test('a name without a word that only this computer gave is found as a whole', () => {
  const hashes = scanHashesOf(3);
  library.recordAdditions([{ hashes, sizeBytes: 1, name: '(---)', path: '', outcome: 'done' }]);
  put(recordWith({ name: 'other.exe' }));
  expect([found('name:"(---)"'), found('-name:"(---)"'), found('name:"(--)"')]).toEqual([1, 1, 0]);
});

test('each tag of a record with very many is found by its whole text', () => {
  const tags = Array.from({ length: 900 }, (_, index) => `Tag ${index}`);
  put(recordWith({ tags: [...tags, `${'x'.repeat(150)},last`] }));
  const sought = ['tag 0', 'Tag 199', 'tag 200', 'tag 899', 'x'.repeat(150), 'last', `${'x'.repeat(150)},LAST`];
  expect(notFound(sought.map((tag) => `tag:"${tag}"`))).toEqual([]);
  expect([found('tag:"tag 900"'), found('tag:*')]).toEqual([0, 1]);
});

test('a record with very many URLs is found by all its other values, whatever their order', () => {
  const urls = Array.from({ length: 4000 }, (_, index) => ({ name: `n${index}`, url: `http://${index}.example/` }));
  put({ ...shownRecord, md5, urls, favorite: true, locked: true });
  expect(
    notFound([
      'vt:found',
      'url:http://0.example/',
      'url:n999',
      'vt:12/60',
      'vt:"not found"',
      'sandbox:found',
      'favorite:yes',
      'locked:yes',
      'tag:"two, in one"',
    ]),
  ).toEqual([['vt:found', 0]]);
});

/** What a value may be made of, and hostile as services are. */
const anyText = fc
  .array(
    fc.oneof(
      fc.constantFrom('"', '\\', '\\"', '*', '?', '(', ')', ' ', '\n', '\t', '\r\n', ' OR ', ':', '-', '[', ']', '[.]'),
      fc.constantFrom(
        'http://a.b/',
        'hxxp',
        '@',
        '\\\\host\\x',
        '\u202e',
        '\u200b',
        '\u0130',
        'i',
        'I',
        'ß',
        'K',
        '\ufeff',
      ),
      fc.constantFrom('e\u0301', 'é', '\u0301', '\u1112\u1161\u11ab', '👩‍👩‍👧', '\u{f8ff}', ',', 'tlp:x', '..', '>1'),
      fc.constantFrom('x'.repeat(600), '"'.repeat(400), 'a b '.repeat(3000), '(é'.repeat(700)),
      fc.string({ maxLength: 4, unit: 'binary-ascii' }),
      fc.string({ maxLength: 3, unit: anyUnit }),
    ),
    { minLength: 1, maxLength: 8 },
  )
  .map((pieces) => pieces.join(''))
  .filter((text) => text.trim() !== '' && !text.includes('\0'));

const recordOf: Partial<Record<QueryFieldName, (value: string) => Partial<SampleRecord>>> = {
  name: (name) => ({ name }),
  threat: (threat) => ({ threat }),
  mime: (mime) => ({ mime }),
  type: (mime) => ({ mime }),
  tag: (tag) => ({ tags: [tag] }),
  uploader: (uploader) => ({ uploader }),
  signer: (signer) => ({ signer }),
  imphash: (imphash) => ({ imphash }),
  ssdeep: (ssdeep) => ({ ssdeep }),
  pdb: (pdbPath) => ({ pdbPath }),
  url: (url) => ({ urls: [{ name: 'c2', url }] }),
  vt: (score) => ({ virusTotal: { state: null, score, link: null } }),
  sandbox: (state) => ({ sandbox: { state, link: null } }),
};

test.each(Object.entries(recordOf))('a %s that is clicked is found, whatever it is', (field, facts) => {
  fc.assert(
    fc.property(anyText, (value) => {
      put(recordWith(facts(value)));
      const name = recordNames.find((one) => one === field);
      if (name === undefined) throw new TypeError(field);
      const query = withTerm('', name, name === 'tag' ? normalTag(value) : value);
      expect([query, query.length <= 1000, found(query)]).toEqual([query, true, 1]);
      expect(found(withTerm('', name, name === 'tag' ? normalTag(value) : value, true))).toBe(0);
    }),
  );
});
const recordNames = Object.keys(recordOf).filter((name): name is QueryFieldName => name in recordOf);

test.each([
  [
    '2026-11-09 23:40:12',
    ['2026-11-09', '2026-11', '>=2026-11-09', '2026-11-01..2026-11-09'],
    ['2026-11-10', '<2026-11-09'],
  ],
  ['2026-11-09T23:40:12-05:00', ['2026-11-10'], ['2026-11-09', '>2026-11-10']],
  ['2026-11-09', ['<=2026-11-09', '2026'], ['>2026-11-09', '2025']],
])('a record of %s is found by its day, in UTC where it names a zone', (date, finds, misses) => {
  put(recordWith({ date }));
  expect(notFound(finds.map((time) => `date:${time}`))).toEqual([]);
  expect(misses.map((time) => found(`date:${time}`))).toEqual(misses.map(() => 0));
  expect(found('-date:2025')).toBe(1);
});

test('a record with no day in its time is found by no day', () => {
  put(recordWith({ date: 'yesterday' }));
  expect([found('date:2026'), found('-date:2026')]).toEqual([0, 1]);
});
