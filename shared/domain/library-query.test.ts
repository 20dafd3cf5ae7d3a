import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyUnit } from '../testing/any-unit.ts';
import {
  longestQuery,
  mostQueryTerms,
  queryProblem,
  type QueryProblem,
  type QueryTerm,
  queryTerms,
  readLibraryQuery,
} from './library-query.ts';
import { queryFields } from './query-fields.ts';

const now = new Date('2026-11-05T10:30:00.000Z');
const md5 = 'd41d8cd98f00b204e9800998ecf8427e';
const sha256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

function termsOf(text: string): QueryTerm[] {
  const read = readLibraryQuery(text, now);
  if (read.kind === 'problem') throw new TypeError(`${read.problem.reason} in ${text}`);
  return read.terms;
}

function problemOf(text: string): QueryProblem | null {
  const read = readLibraryQuery(text, now);
  return read.kind === 'problem' ? read.problem : null;
}

test.each<[string, QueryTerm[]]>([
  ['', []],
  [' \t\n ', []],
  ['invoice', [{ field: 'text', negated: false, value: 'invoice' }]],
  [
    'a b',
    [
      { field: 'text', negated: false, value: 'a' },
      { field: 'text', negated: false, value: 'b' },
    ],
  ],
  ['-"quarterly report"', [{ field: 'text', negated: true, value: 'quarterly report' }]],
  ['"say \\"hi\\" \\\\ \\n"', [{ field: 'text', negated: false, value: 'say "hi" \\ \\n' }]],
  [
    '"a"b',
    [
      { field: 'text', negated: false, value: 'a' },
      { field: 'text', negated: false, value: 'b' },
    ],
  ],
  ['5"disk', [{ field: 'text', negated: false, value: '5"disk' }]],
  ['--a', [{ field: 'text', negated: true, value: '-a' }]],
  ['"-a"', [{ field: 'text', negated: false, value: '-a' }]],
  ['"family:emotet"', [{ field: 'text', negated: false, value: 'family:emotet' }]],
  ['https://a.example/b', [{ field: 'text', negated: false, value: 'https://a.example/b' }]],
  ['c:\\x', [{ field: 'text', negated: false, value: 'c:\\x' }]],
  ['"sise:>1MB"', [{ field: 'text', negated: false, value: 'sise:>1MB' }]],
  [
    '日本 أحمد',
    [
      { field: 'text', negated: false, value: '日本' },
      { field: 'text', negated: false, value: 'أحمد' },
    ],
  ],
  ['a\uD800', [{ field: 'text', negated: false, value: 'a\uFFFD' }]],
  [md5.toUpperCase(), [{ field: 'hash', negated: false, kind: 'md5', value: md5 }]],
  [`-"${sha256}"`, [{ field: 'hash', negated: true, kind: 'sha256', value: sha256 }]],
  [`SHA256:${sha256}`, [{ field: 'hash', negated: false, kind: 'sha256', value: sha256 }]],
  [`${md5}0`, [{ field: 'text', negated: false, value: `${md5}0` }]],
  ['d41d', [{ field: 'text', negated: false, value: 'd41d' }]],
  [
    'hash:D41D* sha1:abcd',
    [
      { field: 'hash', negated: false, kind: null, value: 'd41d' },
      { field: 'hash', negated: false, kind: 'sha1', value: 'abcd' },
    ],
  ],
  ['tag:family:Emotet', [{ field: 'tag', negated: false, match: { kind: 'exact', value: 'family:emotet' } }]],
  [
    'TAGS:family: tag:family:*',
    [
      { field: 'tag', negated: false, match: { kind: 'beginning', value: 'family:' } },
      { field: 'tag', negated: false, match: { kind: 'beginning', value: 'family:' } },
    ],
  ],
  ['-tag:*', [{ field: 'tag', negated: true, match: { kind: 'any' } }]],
  [
    'tag:"*" tag:"a:"',
    [
      { field: 'tag', negated: false, match: { kind: 'exact', value: '*' } },
      { field: 'tag', negated: false, match: { kind: 'exact', value: 'a:' } },
    ],
  ],
  ['tag:"two words"*', [{ field: 'tag', negated: false, match: { kind: 'beginning', value: 'two words' } }]],
  [
    'tag:TLP:white -tag:tlp:*',
    [
      { field: 'tlp', negated: false, level: 'clear' },
      { field: 'tlp', negated: false, level: null },
    ],
  ],
  [
    'rule:Emotet_* hit:APT1',
    [
      { field: 'rule', negated: false, match: { kind: 'beginning', value: 'Emotet_' } },
      { field: 'rule', negated: false, match: { kind: 'exact', value: 'APT1' } },
    ],
  ],
  ['hit:*', [{ field: 'rule', negated: false, match: { kind: 'any' } }]],
  [
    'name:"a b" comment:c threat:d',
    [
      { field: 'name', negated: false, value: 'a b' },
      { field: 'comment', negated: false, value: 'c' },
      { field: 'threat', negated: false, value: 'd' },
    ],
  ],
  [
    'note:* note:x',
    [
      { field: 'note', negated: false, match: { kind: 'any' } },
      { field: 'note', negated: false, match: { kind: 'words', value: 'x' } },
    ],
  ],
  ['type:PE*', [{ field: 'type', negated: false, value: 'pe' }]],
  [
    'hits:>3 -comments:0',
    [
      { field: 'hits', negated: false, least: 4, most: null },
      { field: 'comments', negated: true, least: 0, most: 0 },
    ],
  ],
  ['size:"> 1 MB"', [{ field: 'size', negated: false, least: 1_000_001, most: null }]],
  ['seen:<7d', [{ field: 'seen', negated: false, from: '2026-10-29T10:30:00.000Z', until: null }]],
  [
    'FirstSeen:2026-11',
    [{ field: 'first', negated: false, from: '2026-11-01T00:00:00.000Z', until: '2026-12-01T00:00:00.000Z' }],
  ],
  [
    'tlp:UNKNOWN -tag:tlp:unknown',
    [
      { field: 'tlp', negated: false, level: 'unknown' },
      { field: 'tlp', negated: true, level: 'unknown' },
    ],
  ],
  [
    'tlp:AMBER+strict tlp:none -tlp:*',
    [
      { field: 'tlp', negated: false, level: 'amber+strict' },
      { field: 'tlp', negated: false, level: null },
      { field: 'tlp', negated: false, level: null },
    ],
  ],
  [
    'severity:BAD -severity:* criticity:none',
    [
      { field: 'severity', negated: false, level: 'bad' },
      { field: 'severity', negated: false, level: null },
      { field: 'severity', negated: false, level: null },
    ],
  ],
  [
    'invault:yes -vault:No',
    [
      { field: 'invault', negated: false, value: true },
      { field: 'invault', negated: true, value: false },
    ],
  ],
])('the query parser reads %j', (text, terms) => {
  expect(termsOf(text)).toEqual(terms);
});

test.each<[string, QueryProblem]>([
  ['a sise:>1MB', { reason: 'unknown-field', field: 'sise', suggestion: 'size', fix: 'size', at: 2, length: 4 }],
  ['-tpye:pe', { reason: 'unknown-field', field: 'tpye', suggestion: 'type', fix: 'type', at: 1, length: 4 }],
  ['lastsen:<7d', { reason: 'unknown-field', field: 'lastsen', suggestion: 'seen', fix: 'seen', at: 0, length: 7 }],
  [
    '-family:emotet',
    { reason: 'unknown-field', field: 'family', suggestion: null, fix: 'tag:family:emotet', at: 1, length: 13 },
  ],
  ['Re: a', { reason: 'unknown-field', field: 'Re', suggestion: null, fix: '"Re:"', at: 0, length: 3 }],
  [
    'a family:"b c"',
    { reason: 'unknown-field', field: 'family', suggestion: null, fix: '"family:b c"', at: 2, length: 12 },
  ],
  ['a || b', { reason: 'unknown-operator', operator: '||', fix: 'OR', at: 2, length: 2 }],
  ['a && b', { reason: 'unknown-operator', operator: '&&', fix: 'AND', at: 2, length: 2 }],
  ['! a', { reason: 'unknown-operator', operator: '!', fix: 'NOT', at: 0, length: 1 }],
  ['a !tag:b', { reason: 'unknown-operator', operator: '!', fix: '-', at: 2, length: 1 }],
  ['tag=foo', { reason: 'unknown-operator', operator: '=', fix: 'tag:foo', at: 0, length: 7 }],
  ['a size>=10', { reason: 'unknown-operator', operator: '>=', fix: 'size:>=10', at: 2, length: 8 }],
  ['tga!=foo', { reason: 'unknown-operator', operator: '!=', fix: '-tag:foo', at: 0, length: 8 }],
  ['-tag!=foo', { reason: 'unknown-operator', operator: '!=', fix: 'tag:foo', at: 0, length: 9 }],
  ['a OR', { reason: 'lonely-operator', operator: 'OR', fix: '"OR"', at: 2, length: 2 }],
  ['OR a', { reason: 'lonely-operator', operator: 'OR', fix: '"OR"', at: 0, length: 2 }],
  ['a OR AND b', { reason: 'lonely-operator', operator: 'AND', fix: '"AND"', at: 5, length: 3 }],
  ['a (b OR) c', { reason: 'lonely-operator', operator: 'OR', fix: '"OR"', at: 5, length: 2 }],
  ['(NOT) b', { reason: 'lonely-operator', operator: 'NOT', fix: '"NOT"', at: 1, length: 3 }],
  ['a (b OR c', { reason: 'unclosed-parenthesis', at: 2, length: 7 }],
  ['(a', { reason: 'unclosed-parenthesis', at: 0, length: 2 }],
  ['a) b', { reason: 'unopened-parenthesis', fix: '")"', at: 1, length: 1 }],
  ['a ()', { reason: 'nothing-inside', at: 2, length: 2 }],
  ['tag:(a OR b)', { reason: 'parenthesis-value', at: 4, length: 2 }],
  ['favorite:maybe', { reason: 'bad-choice', field: 'favorite', choices: ['yes', 'no'], at: 9, length: 5 }],
  ['a tag:', { reason: 'no-value', field: 'tag', at: 2, length: 4 }],
  ['vault:""', { reason: 'no-value', field: 'invault', at: 0, length: 8 }],
  ['a -', { reason: 'nothing-negated', at: 2, length: 1 }],
  ['a - b', { reason: 'nothing-negated', at: 2, length: 1 }],
  ['a *', { reason: 'no-letter', at: 2, length: 1 }],
  ['""', { reason: 'no-letter', at: 0, length: 2 }],
  ['\uD800', { reason: 'no-letter', at: 0, length: 1 }],
  ['\u202E', { reason: 'no-letter', at: 0, length: 1 }],
  ['\0', { reason: 'no-letter', at: 0, length: 1 }],
  ['note:"*"', { reason: 'no-letter', at: 5, length: 3 }],
  ['a "b c', { reason: 'unclosed-quote', at: 2, length: 4 }],
  ['tag:"b\\"', { reason: 'unclosed-quote', at: 4, length: 4 }],
  ['tag:family:"a b"', { reason: 'quote-inside', at: 4, length: 9 }],
  ['tag:a,b', { reason: 'bad-tag', at: 4, length: 3 }],
  ['tag:a\0b', { reason: 'bad-tag', at: 4, length: 3 }],
  [`tag:${'a'.repeat(101)}`, { reason: 'bad-tag', at: 4, length: 101 }],
  ['size:1e999MB', { reason: 'bad-size', field: 'size', at: 5, length: 7 }],
  ['filesize:99999999999999999GB', { reason: 'bad-size', field: 'size', at: 9, length: 19 }],
  ['hits:>', { reason: 'bad-count', field: 'hits', at: 5, length: 1 }],
  ['seen:<99999999y', { reason: 'bad-time', field: 'seen', at: 5, length: 10 }],
  ['first:2026-02-31', { reason: 'bad-time', field: 'first', at: 6, length: 10 }],
  ['md5:xyz1', { reason: 'bad-hash', field: 'md5', at: 4, length: 4 }],
  ['hash:abc', { reason: 'bad-hash', field: 'hash', at: 5, length: 3 }],
  [`md5:${md5}0`, { reason: 'bad-hash', field: 'md5', at: 4, length: 33 }],
  [
    'tlp:pink',
    {
      reason: 'bad-choice',
      field: 'tlp',
      choices: ['clear', 'green', 'amber', 'amber+strict', 'red', 'none', 'unknown'],
      at: 4,
      length: 4,
    },
  ],
  [
    'tag:tlp:re*',
    {
      reason: 'bad-choice',
      field: 'tlp',
      choices: ['clear', 'green', 'amber', 'amber+strict', 'red', 'none', 'unknown'],
      at: 4,
      length: 7,
    },
  ],
  ['invault:maybe', { reason: 'bad-choice', field: 'invault', choices: ['yes', 'no'], at: 8, length: 5 }],
])('the query %j has a problem', (text, problem) => {
  expect(problemOf(text)).toEqual(problem);
});

test('the first problem is reported', () => {
  expect(problemOf('size:x tag:a,b "')).toMatchObject({ reason: 'bad-size', at: 5 });
});

test('a query of the maximum number of terms is accepted, and one more is refused', () => {
  const most = 'a '.repeat(mostQueryTerms);
  expect(termsOf(most)).toHaveLength(mostQueryTerms);
  expect(problemOf(`${most}b c`)).toEqual({ reason: 'too-many', most: mostQueryTerms, at: most.length, length: 3 });
});

test.each(['a', '"', '\\', '-', ' ', 'a:', 'tag:"', '..', '\u202E\0'])(
  'a megabyte of %j is too long, a query of the maximum length is read',
  (piece) => {
    const long = piece.repeat(Math.ceil(1e6 / piece.length));
    expect(problemOf(long)).toEqual({
      reason: 'too-long',
      most: longestQuery,
      at: longestQuery,
      length: long.length - longestQuery,
    });
    expect(problemOf(long.slice(0, longestQuery))?.reason).not.toBe('too-long');
  },
);

test.each(queryFields.map((row) => [row.name, row] as const))(
  'the example of %s filters by that field, under each of its names',
  (name, row) => {
    const value = row.example.slice(row.example.indexOf(':'));
    const readings = [name, ...row.aliases, name.toUpperCase()].map((one) => termsOf(`${one}${value}`));
    const [first] = readings;
    expect(row.example).toBe(`${name}${value}`);
    expect(first?.[0]?.field).toBe(row.value === 'hash' ? 'hash' : name);
    for (const reading of readings) expect(reading).toEqual(first);
  },
);

test.each(queryFields.flatMap(({ name, choices }) => choices.map((choice) => `${name}:${choice}`)))(
  'the suggestion %s can be read',
  (text) => {
    expect(termsOf(text)).toHaveLength(1);
  },
);

test.each(queryFields.flatMap(({ name }) => ['""', '" "', '"\n"', ''].map((value) => `${name}:${value}`)))(
  '%j has a problem: nothing is looked for',
  (text) => {
    const { kind } = readLibraryQuery(text, now);
    expect(kind).toBe('problem');
  },
);

/** What queries are made of, and what damages them. */
const piece = fc.oneof(
  fc.constantFrom(
    '"',
    '\\',
    '\\"',
    '-',
    '(',
    ')',
    ' OR ',
    ' AND ',
    'NOT ',
    '?',
    ':',
    '*',
    ' ',
    '..',
    '>',
    '<',
    '<=',
    '7d',
    '1MB',
    '2026-11',
    '10',
    'abcd',
    '\0',
    '\uD800',
    '\u202E',
    'ſize:',
    '😀',
    md5,
    sha256,
  ),
  fc.constantFrom(...queryFields.flatMap(({ name, aliases }) => [name, ...aliases]).map((name) => `${name}:`)),
  fc.string({ maxLength: 4, unit: anyUnit }),
);
const query = fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join(''));

test('a parsed query has the form in which it is sent, and every problem lies within the text', () => {
  fc.assert(
    fc.property(query, (text) => {
      const read = readLibraryQuery(text, now);
      if (read.kind === 'terms') {
        expect(queryTerms.parse(read.terms)).toEqual(read.terms);
        return;
      }
      const problem = queryProblem.parse(read.problem);
      expect(problem.length).toBeGreaterThan(0);
      expect(problem.at + problem.length).toBeLessThanOrEqual(text.length);
    }),
    { numRuns: 3000 },
  );
});

test('negating a word inverts its terms and changes nothing else', () => {
  fc.assert(
    fc.property(query, (text) => {
      fc.pre(!/\s|^-/.test(text) && text !== '');
      const [plain, negated] = [readLibraryQuery(text, now), readLibraryQuery(`-${text}`, now)];
      fc.pre(plain.kind === 'terms' && plain.terms.length === 1);
      expect(negated).toEqual({
        kind: 'terms',
        terms: plain.terms.map((term) => ({ ...term, negated: !term.negated })),
      });
    }),
    { numRuns: 2000 },
  );
});
