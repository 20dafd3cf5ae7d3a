import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  longestQuery,
  mostQueryTerms,
  type QueryProblem,
  type QueryTerm,
  queryTerms,
  readLibraryQuery,
} from './library-query.ts';
import { deepestQuery, type NamedMatch } from './query-fields.ts';

const now = new Date('2026-11-05T10:30:00.000Z');

function termsOf(query: string): QueryTerm[] {
  const read = readLibraryQuery(query, now);
  if (read.kind === 'problem') throw new TypeError(`${read.problem.reason} in ${query}`);
  return read.terms;
}

function problemOf(query: string): QueryProblem | null {
  const read = readLibraryQuery(query, now);
  return read.kind === 'problem' ? read.problem : null;
}

const text = (value: string, negated = false): QueryTerm => ({ field: 'text', negated, value });
const anyOf = (...of: QueryTerm[][]): QueryTerm => ({ field: 'any', negated: false, of });
const noneOf = (...of: QueryTerm[][]): QueryTerm => ({ field: 'any', negated: true, of });
const stated = (field: 'signer' | 'url' | 'imphash', match: NamedMatch): QueryTerm => ({
  field,
  negated: false,
  match,
});

test.each<[string, QueryTerm[]]>([
  ['at 10:30', [text('at'), text('10:30')]],
  ['or not and Or', [text('or'), text('not'), text('and'), text('Or')]],
  ['report(1).pdf name:copy(2)', [text('report(1).pdf'), { field: 'name', negated: false, value: 'copy(2)' }]],
  ['"(a) OR"', [text('(a) OR')]],
  ['a=b x>y', [text('a=b'), text('x>y')]],
  ['a OR b', [anyOf([text('a')], [text('b')])]],
  ['a b OR c AND d', [anyOf([text('a'), text('b')], [text('c'), text('d')])]],
  ['a (b OR c)', [text('a'), anyOf([text('b')], [text('c')])]],
  ['(a OR b)c', [anyOf([text('a')], [text('b')]), text('c')]],
  ['NOT a NOT NOT b NOT -c -d', [text('a', true), text('b'), text('c'), text('d', true)]],
  ['NOT (a) -(b) NOT -(c)', [text('a', true), text('b', true), text('c')]],
  ['NOT a OR b', [anyOf([text('a', true)], [text('b')])]],
  ['-(a b) NOT(c OR d)', [noneOf([text('a'), text('b')]), noneOf([text('c')], [text('d')])]],
  ['((a) (b c))', [text('a'), text('b'), text('c')]],
  ['a OR (b OR c) OR NOT (d OR e)', [anyOf([text('a')], [text('b')], [text('c')], [noneOf([text('d')], [text('e')])])]],
  ['(name:x(1) OR "b)")', [anyOf([{ field: 'name', negated: false, value: 'x(1)' }], [text('b)')])]],
  ['NOT tlp:*', [{ field: 'tlp', negated: false, level: null }]],
])('the query parser joins %s', (query, terms) => {
  expect(termsOf(query)).toEqual(terms);
});

test.each<[string, QueryTerm[]]>([
  [
    'signer:*Corp* signer:Acme* Signer:"Acme *"',
    [
      stated('signer', { kind: 'pattern', value: '*corp*' }),
      stated('signer', { kind: 'beginning', value: 'acme' }),
      stated('signer', { kind: 'exact', value: 'acme *' }),
    ],
  ],
  [
    'signer:* publisher:"acme "*',
    [stated('signer', { kind: 'any' }), stated('signer', { kind: 'beginning', value: 'acme' })],
  ],
  [
    'url:http://A.example/?x=1 imphash:AB',
    [
      stated('url', { kind: 'pattern', value: 'http://a.example/?x=1' }),
      stated('imphash', { kind: 'exact', value: 'ab' }),
    ],
  ],
  [
    'tag:*Load*er rule:A*b*',
    [
      { field: 'tag', negated: false, match: { kind: 'pattern', value: '*load*er' } },
      { field: 'rule', negated: false, match: { kind: 'pattern', value: 'A*b*' } },
    ],
  ],
  [
    'name:*.PDF name:inv* threat:* type:a*b',
    [
      { field: 'name', negated: false, value: '*.pdf', isPattern: true },
      { field: 'name', negated: false, value: 'inv*' },
      { field: 'threat', negated: false, value: '*', isPattern: true },
      { field: 'type', negated: false, value: 'a*b', isPattern: true },
    ],
  ],
  [
    'name:Seed?.bin threat:s?ed1 type:p? name:a?*',
    [
      { field: 'name', negated: false, value: 'seed?.bin', isPattern: true },
      { field: 'threat', negated: false, value: 's?ed1', isPattern: true },
      { field: 'type', negated: false, value: 'p?', isPattern: true },
      { field: 'name', negated: false, value: 'a?*', isPattern: true },
    ],
  ],
  [
    'tag:Alph? rule:A?b* tag:"alph?" name:"a?"',
    [
      { field: 'tag', negated: false, match: { kind: 'pattern', value: 'alph?' } },
      { field: 'rule', negated: false, match: { kind: 'pattern', value: 'A?b*' } },
      { field: 'tag', negated: false, match: { kind: 'exact', value: 'alph?' } },
      { field: 'name', negated: false, value: 'a?' },
    ],
  ],
  [
    'comment:* size:*',
    [
      { field: 'comments', negated: false, least: 1, most: null },
      { field: 'size', negated: false, least: null, most: null },
    ],
  ],
  [
    'workspace:"Main Lab" favourite:Yes',
    [
      { field: 'source', negated: false, match: { kind: 'exact', value: 'main lab' } },
      { field: 'favorite', negated: false, match: { kind: 'exact', value: 'yes' } },
    ],
  ],
])('the query parser reads wildcards in %s', (query, terms) => {
  expect(termsOf(query)).toEqual(terms);
});

test('a query nested a thousand deep has a problem where it becomes too deep', () => {
  const deep = (depth: number): string => `${'('.repeat(depth)}a${')'.repeat(depth)}`;
  expect(termsOf(deep(deepestQuery))).toEqual([text('a')]);
  expect(problemOf(deep(400))).toEqual({ reason: 'too-deep', most: deepestQuery, at: deepestQuery, length: 785 });
  expect(problemOf('NOT '.repeat(249))).toMatchObject({ reason: 'lonely-operator', at: 0 });
  expect(problemOf(deep(5000))).toMatchObject({ reason: 'too-long', at: longestQuery });
  const nested = (depth: number): string =>
    Array.from({ length: depth }).reduce<string>((inner) => `-(a OR ${inner})`, 'b');
  expect(queryTerms.safeParse(termsOf(nested(deepestQuery))).success).toBe(true);
});

test('terms that are nested deeper than a query can be are refused, however deep they are', () => {
  for (const depth of [deepestQuery + 2, 100_000]) {
    let term: unknown = text('a');
    for (let level = 0; level < depth; level += 1) term = { field: 'any', negated: false, of: [[term]] };
    expect(queryTerms.safeParse([term]).success).toBe(false);
  }
  const wide = Array.from({ length: mostQueryTerms }, () => [text('a'), text('b')]);
  expect(queryTerms.safeParse([anyOf(...wide)]).success).toBe(false);
});

test('terms from before there were groups are read as they were', () => {
  const stored = [{ field: 'size', negated: false, least: 1, most: null }, text('a', true)];
  expect(queryTerms.parse(JSON.parse(JSON.stringify(stored)))).toEqual(stored);
});

const letters = ['a', 'b', 'c', 'd'] as const;
type Sentence =
  | { kind: 'word'; letter: string }
  | { kind: 'not'; of: Sentence; isMinus: boolean }
  | { kind: 'all' | 'either'; of: Sentence[]; isSaid: boolean; isWrapped: boolean };
const { sentence } = fc.letrec<{ sentence: Sentence }>((tie) => ({
  sentence: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.record({ kind: fc.constant('word' as const), letter: fc.constantFrom(...letters) }),
    fc.record({ kind: fc.constant('not' as const), of: tie('sentence'), isMinus: fc.boolean() }),
    fc.record({
      kind: fc.constantFrom('all' as const, 'either' as const),
      of: fc.array(tie('sentence'), { minLength: 1, maxLength: 3 }),
      isSaid: fc.boolean(),
      isWrapped: fc.boolean(),
    }),
  ),
}));

/** Parentheses where they are needed, and where they are not. NOT binds closest, then AND, then OR. */
function written(said: Sentence): string {
  if (said.kind === 'word') return `tag:${said.letter}`;
  if (said.kind === 'not') {
    const of = written(said.of);
    if (said.isMinus) return said.of.kind === 'word' ? `-${of}` : `-(${of})`;
    return said.of.kind === 'word' || said.of.kind === 'not' ? `NOT ${of}` : `NOT (${of})`;
  }
  const parts = said.of.map((one) =>
    said.kind === 'all' && one.kind === 'either' ? `(${written(one)})` : written(one),
  );
  const joined = parts.join(said.kind === 'either' ? ' OR ' : said.isSaid ? ' AND ' : ' ');
  return said.isWrapped ? `(${joined})` : joined;
}

const isTrue = (said: Sentence, holding: ReadonlySet<string>): boolean =>
  said.kind === 'word'
    ? holding.has(said.letter)
    : said.kind === 'not'
      ? !isTrue(said.of, holding)
      : said.kind === 'all'
        ? said.of.every((one) => isTrue(one, holding))
        : said.of.some((one) => isTrue(one, holding));

const hold = (terms: readonly QueryTerm[], holding: ReadonlySet<string>): boolean =>
  terms.every((term) => {
    if (term.field === 'any') return term.of.some((list) => hold(list, holding)) !== term.negated;
    if (term.field !== 'tag' || term.match.kind !== 'exact') return expect.fail(term.field);
    return holding.has(term.match.value) !== term.negated;
  });

const sets = Array.from(
  { length: 2 ** letters.length },
  (_, bits) => new Set(letters.filter((_letter, place) => (bits >> place) % 2 === 1)),
);

test('a query with operators means the same as its sentence, whatever holds', () => {
  fc.assert(
    fc.property(sentence, (said) => {
      const query = written(said);
      const read = readLibraryQuery(query, now);
      fc.pre(read.kind === 'terms' || !['too-long', 'too-many', 'too-deep'].includes(read.problem.reason));
      const terms = read.kind === 'terms' ? read.terms : expect.fail(query);
      expect([query, sets.map((set) => hold(terms, set))]).toEqual([query, sets.map((set) => isTrue(said, set))]);
    }),
    { numRuns: 2000 },
  );
});
