import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readLibraryQuery } from '../../../shared/domain/library-query.ts';
import { librarySortBy } from '../../../shared/domain/library.ts';
import type { QueryLeaf, QueryTerm } from '../../../shared/domain/query-fields.ts';
import { tlpLevels } from '../../../shared/domain/tag.ts';
import { lowerLetters } from '../../../shared/domain/visible-text.ts';
import type { LibraryAnswer, LibraryRequest } from '../reading/reading-thread.ts';
import { databaseForAllTests } from '../testing/database-of-tests.fixture.ts';
import type { TestDatabase } from '../testing/database.fixture.ts';
import { inOrder, isChosen } from '../testing/library-evaluation.fixture.ts';
import { hashesOf, plainSample, type StockedSample, stockLibrary } from '../testing/library.fixture.ts';
import { libraryReadings } from './library-answers.ts';
import { withTerms } from './library-query.ts';

let database: TestDatabase;
databaseForAllTests((opened) => {
  database = opened;
});

const maybe = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(arbitrary, { freq: 2 });
const texts = fc.constantFrom(
  'invoice',
  'Invoice-2.PDF',
  'an invoice',
  'über alles',
  'UBER',
  'a',
  'a.b',
  'b a',
  '日本 a',
  'invoices of 日本',
  'x" OR "y',
  'naïve 2',
  'e\u0301te\u0301 ÉTÉ',
  'İstanbul ISTANBUL',
  'ırmak',
  'fdp\u202eexe',
  'שלום\u200f.exe',
  'a [1] (2).exe',
  '((--))',
  'Straße ſ',
);
const tags = fc.constantFrom(
  'family:alpha',
  'family:al',
  'family',
  'c++',
  'c',
  ':::',
  'a b',
  'b',
  'packed up',
  'packed',
  '日本',
  'über',
  "it's",
  '%',
  'a*',
);
const rules = fc.constantFrom('Invoice_1', 'invoice_1', 'Al', 'Alpha_b', 'b');
const times = fc.constantFrom(
  '2026-01-01T00:00:00.000Z',
  '2026-01-01T00:00:00.001Z',
  '2026-02-03T04:05:06.700Z',
  '2027-01-01T00:00:00.000Z',
);
const stated = ['imphash', 'signer', 'url', 'favorite'] as const;
const stateds = fc.constantFrom(
  'acme corp',
  'acme',
  'acme [x]',
  'ab',
  'yes',
  'http://a/?x=1',
  '日本',
  '"a" \\b',
  'É',
  '(a)*',
  '\u{1f600}b',
);
const days = fc.tuple(fc.constant('date' as const), fc.constantFrom('2025-12-31', '2026-01-01', '2026-02-03'));
/** What is never more than a pattern, and what is the whole. */
const patterns = fc.constantFrom(
  '*',
  '*a*',
  'a*',
  '*[x]',
  'a?',
  '*corp',
  '?',
  '**b',
  'inv*',
  '*2*',
  'family:*',
  '*日*',
  'a*b',
  '*(?)*',
  '*\u0301*',
  '[1]',
  '*[1]*',
  '*é*',
  'İ*',
  '?b',
  '*"*',
  '*\\*',
);
const few = fc.integer({ min: 0, max: 4 });

const samples: fc.Arbitrary<StockedSample[]> = fc
  .array(
    fc.record({
      isAlone: fc.boolean(),
      name: maybe(texts),
      type: maybe(fc.constantFrom('pe', 'PE32', 'pdf', 'Äx')),
      ownTags: fc.uniqueArray(tags, { maxLength: 3 }),
      serviceTags: fc.uniqueArray(tags, { maxLength: 3 }),
      comment: maybe(texts),
      threat: maybe(texts),
      note: maybe(texts),
      sizeBytes: maybe(few),
      comments: few,
      tlp: maybe(few),
      severity: maybe(fc.constantFrom(0, 1, 2)),
      isRecorded: fc.boolean(),
      rules: fc.uniqueArray(rules, { maxLength: 3 }),
      inVault: fc.boolean(),
      damage: maybe(fc.constantFrom('missing' as const, 'altered' as const)),
      firstSeen: times,
      lastSeen: times,
      values: fc.uniqueArray(fc.oneof(fc.tuple(fc.constantFrom(...stated), stateds), days), {
        maxLength: 4,
        selector: (one) => one.join(' '),
      }),
    }),
    { maxLength: 7 },
  )
  .map((rows) =>
    rows.map((row, index) => ({
      ...row,
      number: index + 1,
      ...(row.isAlone && { ownTags: [], note: null, rules: [] }),
    })),
  );

const negated = fc.boolean();
const words = fc.oneof(
  texts,
  fc.constantFrom(
    'inv',
    'INVOICE',
    'invoice 2',
    'alles',
    'b',
    '日',
    'naive',
    'al',
    'voice',
    '"',
    'x" NOT "z',
    '-invoice',
    'name:a',
    'family alpha',
    'ÉTÉ',
    'ete',
    'istanbul',
    'ISTANBUL',
    'i',
    'fdp exe',
    'fdp\\u202eexe',
    'שלום',
    '1 2',
    '((--))',
    'strasse',
    'straße',
    '()',
  ),
);
const match = (names: fc.Arbitrary<string>) =>
  fc.oneof(
    fc.record({ kind: fc.constant('exact' as const), value: names }),
    fc.record({
      kind: fc.constant('beginning' as const),
      value: fc.oneof(names, fc.constantFrom('family:', 'fam', 'f', 'p', ':', 'pack', 'Inv', 'c+', '日')),
    }),
    fc.record({ kind: fc.constant('pattern' as const), value: fc.oneof(patterns, names) }),
    fc.record({ kind: fc.constant('any' as const) }),
  );
const hashBeginning = fc
  .tuple(
    fc.integer({ min: 1, max: 7 }),
    fc.constantFrom('md5' as const, 'sha1' as const, 'sha256' as const),
    fc.integer({ min: 4, max: 64 }),
  )
  .map(([number, kind, length]) => hashesOf({ number, isAlone: false })[kind]?.slice(0, length) ?? '');
const range = { least: maybe(few), most: maybe(few) };
const between = { from: maybe(times), until: maybe(fc.oneof(times, fc.constant('2026-01-01T00:00:00Z'))) };
const leaf: fc.Arbitrary<QueryLeaf> = fc.oneof(
  fc.record({
    field: fc.constantFrom('text' as const, 'name' as const, 'comment' as const, 'threat' as const),
    negated,
    value: words,
  }),
  fc.record({ field: fc.constant('type' as const), negated, value: fc.constantFrom('pe', 'p', 'pe32', 'x', '_') }),
  fc.record({
    field: fc.constant('note' as const),
    negated,
    match: fc.oneof(
      fc.record({ kind: fc.constant('words' as const), value: words }),
      fc.record({ kind: fc.constant('any' as const) }),
    ),
  }),
  fc.record({ field: fc.constant('tag' as const), negated, match: match(tags) }),
  fc.record({ field: fc.constant('rule' as const), negated, match: match(rules) }),
  fc.record({
    field: fc.constant('hash' as const),
    negated,
    kind: maybe(fc.constantFrom('md5' as const, 'sha1' as const, 'sha256' as const)),
    value: hashBeginning,
  }),
  fc.record({ field: fc.constantFrom('size' as const, 'hits' as const, 'comments' as const), negated, ...range }),
  fc.record({ field: fc.constantFrom('seen' as const, 'first' as const, 'date' as const), negated, ...between }),
  fc.record({
    field: fc.constant('tlp' as const),
    negated,
    level: maybe(fc.constantFrom(...tlpLevels, 'unknown' as const)),
  }),
  fc.record({
    field: fc.constant('severity' as const),
    negated,
    level: maybe(fc.constantFrom('bad' as const, 'unwanted' as const, 'other' as const)),
  }),
  fc.record({ field: fc.constant('invault' as const), negated, value: fc.boolean() }),
  fc.record({
    field: fc.constantFrom('name' as const, 'threat' as const, 'type' as const),
    negated,
    value: patterns,
    isPattern: fc.constant(true as const),
  }),
  fc.record({ field: fc.constantFrom(...stated), negated, match: match(stateds) }),
  fc.record({
    field: fc.constant('source' as const),
    negated,
    match: match(fc.constantFrom('main lab', 'a', 'main', 'other')),
  }),
);
const { term } = fc.letrec<{ term: QueryTerm }>((tie) => ({
  term: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    leaf,
    fc.record({
      field: fc.constant('any' as const),
      negated,
      of: fc.array(fc.array(tie('term'), { minLength: 1, maxLength: 2 }), { minLength: 1, maxLength: 2 }),
    }),
  ),
}));
const query = fc.record({
  terms: fc.array(term, { maxLength: 2 }),
  sort: fc.record({ by: fc.constantFrom(...librarySortBy.options), descending: fc.boolean() }),
});

const listed = ({ rows, total }: LibraryAnswer): { hashes: string[]; total: number } => ({
  hashes: rows.map(({ hash }) => hash),
  total,
});

const hashOf = (sample: StockedSample): string => {
  const { sha256, md5 } = hashesOf(sample);
  return sha256 ?? md5;
};

test('a repeated query term is searched once', () => {
  stockLibrary(database.db, [plainSample(1)]);
  const word = (isNegated: boolean): QueryTerm => ({ field: 'text', negated: isNegated, value: 'invoice' });
  const tablesOf = (...terms: QueryTerm[]): string[] =>
    withTerms(database.db.sql, terms, ({ where }) => where.match(/temp\.found_\d+/g) ?? []);
  expect(tablesOf(word(false), word(false), word(false))).toEqual(['temp.found_0']);
  expect(tablesOf(word(false), word(true))).toEqual(['temp.found_0', 'temp.found_0']);
});

test('the rows match the query in its order, for any library and query', () => {
  fc.assert(
    fc.property(samples, fc.array(query, { minLength: 6, maxLength: 6 }), (library, queries) => {
      stockLibrary(database.db, library);
      const readings = libraryReadings(database.db.path);
      for (const [index, { terms, sort }] of queries.entries()) {
        const chosen = inOrder(
          library.filter((sample) => isChosen(sample, terms)),
          sort,
        );
        const request: LibraryRequest = { terms, sort, moment: String(index), offset: 0, limit: 100 };
        const found = listed(readings.libraryList(request));
        expect({ terms, sort, ...found }).toEqual({ terms, sort, hashes: chosen.map(hashOf), total: chosen.length });
        const bytes = chosen.reduce((sum, { sizeBytes }) => sum + (sizeBytes ?? 0), 0);
        expect(readings.libraryTotal({ terms })).toEqual({ samples: chosen.length, bytes });
        const rising = chosen.toSorted((one, other) => one.number - other.number).map(hashOf);
        const selection = { kind: 'query' as const, terms, except: [] };
        expect(readings.libraryHashes({ selection, after: 0, limit: 100 })).toEqual({ hashes: rising, next: null });
      }
    }),
  );
});

const wildcardFields = ['name', 'threat', 'type', 'tag', 'rule', 'signer', 'url'] as const;

/** A value that samples have, some of its characters replaced by wildcards, at least one of them by `?`. */
const typedPattern = fc
  .record({
    field: fc.constantFrom(...wildcardFields),
    value: fc.oneof(texts, tags, rules, stateds, fc.constantFrom('pe', 'PE32', 'pdf')),
    isNegated: fc.boolean(),
    one: fc.nat(),
    // Of each character, in turn: most stay.
    signs: fc.array(fc.constantFrom('', '', '', '?', '*'), { minLength: 12, maxLength: 12 }),
  })
  .map(({ field, value, isNegated, one, signs }) => {
    const letters = [...value];
    const place = one % letters.length;
    const pattern = letters.map((letter, index) => (index === place ? '?' : signs[index] || letter)).join('');
    return { field, isNegated, pattern };
  })
  .filter(({ pattern }) => !/[\s"()\p{C}]/u.test(pattern));

/** What the typed pattern means, without the reader of the language. */
function meantBy({
  field,
  isNegated,
  pattern,
}: {
  field: (typeof wildcardFields)[number];
  isNegated: boolean;
  pattern: string;
}): QueryTerm {
  if (field === 'rule') return { field, negated: isNegated, match: { kind: 'pattern', value: pattern } };
  const value = field === 'tag' ? pattern.toLowerCase() : lowerLetters(pattern);
  return field === 'name' || field === 'threat' || field === 'type'
    ? { field, negated: isNegated, value, isPattern: true }
    : { field, negated: isNegated, match: { kind: 'pattern', value } };
}

test('a typed ? is one character in every field with wildcards, for any library', () => {
  fc.assert(
    fc.property(samples, fc.array(typedPattern, { minLength: 6, maxLength: 6 }), (library, typed) => {
      stockLibrary(database.db, library);
      const readings = libraryReadings(database.db.path);
      for (const [index, one] of typed.entries()) {
        const text = `${one.isNegated ? '-' : ''}${one.field}:${one.pattern}`;
        const read = readLibraryQuery(text, new Date());
        const terms = read.kind === 'terms' ? read.terms : expect.fail(`${read.problem.reason} in ${text}`);
        const sort = { by: 'name', descending: false } as const;
        const chosen = inOrder(
          library.filter((sample) => isChosen(sample, [meantBy(one)])),
          sort,
        );
        const request: LibraryRequest = { terms, sort, moment: String(index), offset: 0, limit: 100 };
        const found = listed(readings.libraryList(request));
        expect({ text, ...found }).toEqual({ text, hashes: chosen.map(hashOf), total: chosen.length });
      }
    }),
  );
});

test.each([
  ['f', ['family:alpha']],
  ['family:', ['family:alpha']],
  ['c+', ['c++']],
  [':', [':::']],
  ['a', []],
])('the search finds exactly the tags that begin with %j', (value, found) => {
  const library = ['family:alpha', 'c++', ':::'].map((one, index) => plainSample(index + 1, { serviceTags: [one] }));
  stockLibrary(database.db, library);
  const request: LibraryRequest = {
    terms: [{ field: 'tag', negated: false, match: { kind: 'beginning', value } }],
    sort: { by: 'tags', descending: false },
    moment: value,
    offset: 0,
    limit: 9,
  };
  const { rows } = libraryReadings(database.db.path).libraryList(request);
  expect(rows.flatMap(({ serviceTags }) => serviceTags)).toEqual(found);
});
